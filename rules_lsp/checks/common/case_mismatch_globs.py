"""The half of `case-mismatch` that is about patterns: one that takes files only if their case does not count."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Diagnostic, Fix
from rules_lsp.checks.common.glob_entries import PatternEntry, escaped, known_files, pattern_entries, takes, why_never
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import Glob, Literal, Name, parse_glob
from rules_lsp.workspace.inventory import FileInventory

CODE = "case-mismatch"


def mismatched_patterns(subject: Subject) -> Iterator[Diagnostic]:
    """A diagnostic for each pattern that takes something in another case only."""
    files = known_files(subject)
    if files is None:
        return
    for item in pattern_entries(subject):
        path = other_case(subject, item, files)
        if path is None or why_never(subject, item) is not None:
            continue
        text = _in_the_case_of(item, path)
        advice = f"write `{shown(text)}`" if text is not None else "write it in the case of the files"
        message = f"`{shown(item.entry.text)}` takes `{shown(path)}` only if case does not count, and it does: {advice}"
        yield Diagnostic(CODE, "warning", message, item.entry.span, (), _fixes(subject, item, text))


def other_case(subject: Subject, item: PatternEntry, files: FileInventory) -> str | None:
    """A path that a pattern takes in another case, where it takes none in its own and case counts for it."""
    folds = subject.policy is not None and subject.policy.fold_case
    if (folds and not item.including) or takes(subject, item, files):
        return None
    found = files.file_index.first(item.glob, fold_case=True)
    if found is None and not item.including:
        found = files.directory_index.first(item.glob, fold_case=True)
    return found


def _in_the_case_of(item: PatternEntry, path: str) -> str | None:
    """The pattern with its literals as they stand in a path, if it takes the path then."""
    if len(item.glob.alternatives) != 1 or len(path.lower()) != len(path):
        return None
    text, at = item.entry.text, 0
    parts: list[str] = []
    done = 0
    for segment in item.glob.alternatives[0].segments:
        for token in segment.tokens if isinstance(segment, Name) else ():
            if isinstance(token, Literal):
                at = path.lower().find(token.text.lower(), at)
                if at < 0:
                    return None
                parts += [text[done : token.start], escaped(path[at : at + len(token.text)])]
                done, at = token.end, at + len(token.text)
    changed = "".join(parts) + text[done:]
    glob = parse_glob(changed)
    return changed if isinstance(glob, Glob) and glob.covers(path, not item.including) else None


def _fixes(subject: Subject, item: PatternEntry, text: str | None) -> tuple[Fix, ...]:
    edits = None if text is None else rewritten(subject, item.entry, text)
    return () if text is None or edits is None else (Fix(f"write `{shown(text)}`", edits),)
