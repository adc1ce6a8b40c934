r"""A pattern that can match no path as it is written.

## What it finds
An absolute path, a URL, `~` or `$HOME`, a variable, `..`, backslashes between names, a drive letter, `//`, `/./`, and
in `include` a `.` or `/` for the whole project. Patterns are taken from the project's directory and separated by `/`.

## Why it matters
In `include` the entry allows nothing. An `exclude` is read as its author means it where that can be told, and denies
nothing where it cannot.

## Example
```yaml
file_patterns:
  exclude:
    - 'secrets\keys\**'
```

## Instead
```yaml
file_patterns:
  exclude:
    - secrets/keys/**
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.glob_entries import PatternEntry, all_can_match, known_files, pattern_entries, why_never
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.patterns import NeverMatches, NeverMatchesKind

_CAUSES: dict[NeverMatchesKind, str] = {
    "absolute": "is an absolute path, and patterns begin at the project's directory",
    "address": "is a URL and no path, and patterns begin at the project's directory",
    "backslash": "has backslashes between names, and here they escape",
    "dot-segment": "has `.` as a name, and no path has one",
    "drive": "begins with a drive letter, and patterns begin at the project's directory",
    "empty-segment": "has two slashes in a row, and no path has an empty name",
    "home": "begins with a home directory, and patterns begin at the project's directory",
    "parent": "has `..` as a name, and no path has one",
    "variable": "begins with a variable, and patterns hold none",
    "whole-project": "names the project's directory itself and takes no file in it",
}


def _find(subject: Subject) -> Iterator[Diagnostic]:
    rules = subject.shown
    if all(all_can_match(subject, holder) for holder in (*rules.include, *rules.exclude)):
        return
    for item in pattern_entries(subject):
        found = why_never(subject, item)
        if found is not None:
            message = f"`{shown(item.entry.text)}` {_CAUSES[found.kind]}: {_advice(item, found)}"
            yield Diagnostic(CHECK.code, CHECK.severity, message, item.entry.span, (), _fixes(subject, item, found))


def _is_meant(found: NeverMatches) -> bool:
    """Whether it is known what the author means. A URL is read as a path, and is certainly meant as none."""
    return found.rewritten is not None and found.kind != "address"


def _advice(item: PatternEntry, found: NeverMatches) -> str:
    if not _is_meant(found):
        told = item.including or found.kind == "address"
        return "write a path below it" if told else "it denies nothing, so write a path below it"
    assert found.rewritten is not None
    meanwhile = "" if item.including else "; it is read as that meanwhile"
    return f"write `{shown(found.rewritten)}`{meanwhile}"


def _fixes(subject: Subject, item: PatternEntry, found: NeverMatches) -> tuple[Fix, ...]:
    if found.rewritten is None or not _is_meant(found):
        return ()
    edits = rewritten(subject, item.entry, found.rewritten)
    # What stands for the whole project would allow everything. An exclude is also read as it is written, and may deny
    # something that way.
    safe = found.kind != "whole-project" and (item.including or _takes_nothing(subject, item))
    return () if edits is None else (Fix(f"write `{shown(found.rewritten)}`", edits, safe),)


def _takes_nothing(subject: Subject, item: PatternEntry) -> bool:
    files = known_files(subject)
    return files is None or files.file_index.first(item.glob) is None


CHECK = Check.documented("never-matches", "error", _find, __doc__, Stage.ENTRY, "either")
