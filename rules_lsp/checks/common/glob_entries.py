"""The patterns of a subject that can be read, and what is known of the files that they take."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.remembered import once_a_list, once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.glob import Glob
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.patterns import ExcludeMatcher, NeverMatches, ReadPattern, never_matches_in, read_pattern
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.inventory import FileInventory

_MOST_REMEMBERED = 100_000
_SPECIAL = frozenset("\\*?[{}")


@dataclass(frozen=True, slots=True)
class PatternEntry:
    """An entry of `include` or `exclude` that can be read and does not negate; `glob` is git's reading of it."""

    entry: Entry
    pattern: ReadPattern
    glob: Glob

    @property
    def including(self) -> bool:
        """Whether the entry allows."""
        return self.entry.list == "file_patterns.include"


@once_a_subject
def pattern_entries(subject: Subject) -> tuple[PatternEntry, ...]:
    """The entries that can be read and do not negate, includes first."""
    return tuple(_pattern_entries(subject))


def _pattern_entries(subject: Subject) -> Iterator[PatternEntry]:
    for rules in (*subject.shown.include, *subject.shown.exclude):
        for entry in rules.entries:
            if entry.broken is None:
                pattern = read_pattern(entry.text, entry.list)
                if pattern.glob is not None and not pattern.negated:
                    yield PatternEntry(entry, pattern, pattern.glob)


def roots_of(subject: Subject) -> tuple[str, ...]:
    """The absolute paths of the project: as given and real; none where it is not known."""
    return () if subject.root is None else (subject.root.given, subject.root.real)


def all_can_match(subject: Subject, holder: RuleList) -> bool:
    """Whether each entry of a list can be read, does not negate, and can match a path as it is written."""
    roots = roots_of(subject)
    if _holds_absolute(holder):
        # Of an absolute path the disk is asked.
        return all(can_match(entry, roots) for entry in holder.entries)
    return _each_can_match(holder, roots)


def can_match(entry: Entry, roots: tuple[str, ...]) -> bool:
    """Whether an entry can be read, does not negate, and can match a path of the project as it is written."""
    if entry.broken is not None:
        return False
    pattern = read_pattern(entry.text, entry.list)
    return not pattern.negated and never_matches_in(pattern, *roots) is None


@once_a_list
def _holds_absolute(holder: RuleList) -> bool:
    return any(entry.text.startswith("/") for entry in holder.entries)


@once_a_list
def _each_can_match(holder: RuleList, roots: tuple[str, ...]) -> bool:
    return all(can_match(entry, roots) for entry in holder.entries)


def why_never(subject: Subject, item: PatternEntry) -> NeverMatches | None:
    """Why a pattern can match no path of the project, or None."""
    kept = _reasons(subject)
    key = item.entry.list, item.entry.text
    if key not in kept:
        kept[key] = never_matches_in(item.pattern, *roots_of(subject))
    return kept[key]


@once_a_subject
def _reasons(subject: Subject) -> dict[tuple[str, str], NeverMatches | None]:
    """Why patterns can match nothing, by their lists and texts, as far as somebody has asked."""
    return {}


def known_files(subject: Subject) -> FileInventory | None:
    """Every file of the project; None where they are not all known, or there are none but those that govern it."""
    files = subject.files
    if files is None or not files.complete:
        return None
    governing = subject.policy.protected if subject.policy is not None else frozenset()
    known = any(name not in governing and name != subject.name for name in files.files)
    return files if known else None


def takes(subject: Subject, item: PatternEntry, files: FileInventory) -> bool:
    """Whether an include takes a file, or an exclude in any of its readings a file or a directory."""
    if item.including:
        return files.file_index.first(item.glob) is not None
    fold_case = subject.policy is not None and subject.policy.fold_case
    key: tuple[str | bool, ...] = (item.entry.text, fold_case, *roots_of(subject))
    # Another thread may ask of the same files, and forget all that is remembered, at any time.
    answer = files.excluding.get(key)
    if answer is None:
        matcher = ExcludeMatcher(item.entry.text, *roots_of(subject))
        answer = matcher.covers_all or any(
            index.first(glob, fold_case=fold_case) is not None
            for glob in matcher.every_glob()
            for index in (files.file_index, files.directory_index)
        )
        if len(files.excluding) >= _MOST_REMEMBERED:
            files.excluding.clear()
        files.excluding[key] = answer
    return answer


def in_force(subject: Subject) -> Policy | None:
    """The policy as it would be with the text saved, where the text is a rule file that governs the project."""
    policy = subject.effective
    if policy is None or subject.path is None or subject.kind not in ("yaml", "markdown"):
        return None
    if (
        subject.error is not None
        or not policy.enabled
        or policy.refusal is not None
        or policy.broken_exclude is not None
    ):
        return None
    file = policy.rule_file
    return policy if file is None or policy.root.relative(subject.path) == file.name else None


def may_write(policy: Policy, path: str) -> bool:
    """Whether the patterns let a file of the project be written; links are not followed."""
    if path in policy.protected and path not in policy.unprotected:
        return False
    if policy.excludes.first_covering(path, False, fold_case=policy.fold_case) is not None:
        return False
    return all(include.first_covering(path, False) is not None for include in policy.includes)


def escaped(name: str) -> str:
    """A name as a pattern that matches it alone."""
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in name)
