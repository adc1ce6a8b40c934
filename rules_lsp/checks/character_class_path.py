r"""Brackets that name a file or a directory.

## What it finds
A pattern such as `app/[id]/**` in a project that has a directory named `[id]`.

## Why it matters
`[id]` is one character, `i` or `d`. In `include` the pattern does not allow the directory of that name. An `exclude`
denies both, so there it says more than its author meant.

## Example
```yaml
file_patterns:
  include:
    - app/[id]/**
```
```text app/[id]/page.tsx
export {}
```

## Instead
```yaml
file_patterns:
  include:
    - app/\[id]/**
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.glob_entries import PatternEntry, known_files, pattern_entries
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import CharacterClass, Glob, Name, parse_glob
from rules_lsp.workspace.inventory import FileInventory

_MOST_BRACKETS = 8


def _find(subject: Subject) -> Iterator[Diagnostic]:
    files = known_files(subject)
    if files is None:
        return
    for item in pattern_entries(subject):
        literal = literal_reading(item, files)
        if literal is not None:
            text, path = literal
            message = (
                f"the brackets of `{shown(item.entry.text)}` stand for one character, and `{shown(path)}` exists: "
                f"write `{shown(text)}` for that"
            )
            yield Diagnostic(
                CHECK.code, CHECK.severity, message, item.entry.span, (), _fixes(subject, item, text, files)
            )


def literal_reading(item: PatternEntry, files: FileInventory) -> tuple[str, str] | None:
    """The pattern with its brackets escaped and a path that it takes then, or None where none of that name exists."""
    places = _brackets(item.glob)[:_MOST_BRACKETS]
    for chosen in [places] if len(places) < 2 else [places, *([place] for place in places)]:
        text = item.entry.text
        for place in reversed(chosen):
            text = f"{text[:place]}\\{text[place:]}"
        glob = parse_glob(text) if chosen else None
        if isinstance(glob, Glob):
            path = files.file_index.first(glob) or files.directory_index.first(glob)
            if path is not None:
                return text, path
    return None


def _brackets(glob: Glob) -> list[int]:
    found = {
        token.start
        for alternative in glob.alternatives
        for segment in alternative.segments
        if isinstance(segment, Name)
        for token in segment.tokens
        if isinstance(token, CharacterClass) and glob.text[token.start] == "["
    }
    return sorted(found)


def _fixes(subject: Subject, item: PatternEntry, text: str, files: FileInventory) -> tuple[Fix, ...]:
    edits = rewritten(subject, item.entry, text)
    as_class = files.file_index.first(item.glob) or files.directory_index.first(item.glob)
    # Where the brackets take something as a class too, both may be meant; and an exclude denies both, now and later.
    return () if edits is None else (Fix(f"write `{shown(text)}`", edits, item.including and as_class is None),)


CHECK = Check.documented("character-class-path", "warning", _find, __doc__, Stage.PROJECT, "either")
