"""Several patterns in one entry.

## What it finds
Patterns with commas or spaces between them, as other tools take them. Commas in braces (`*.{ts,tsx}`) are none of
these, and neither are the commas and spaces of a file's name.

## Why it matters
An entry is one pattern here, commas and spaces included, so that it takes files of that odd name alone. In `include`
it allows nothing, in `exclude` it denies nothing.

## Example
```yaml
file_patterns:
  include:
    - "**/*.ts,**/*.tsx"
```

## Instead
```yaml
file_patterns:
  include:
    - "**/*.ts"
    - "**/*.tsx"
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.glob_entries import PatternEntry, known_files, pattern_entries
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.workspace.inventory import FileInventory

_EXTENSION = re.compile(r"[^.\s]\.[A-Za-z0-9]+\Z")


def _find(subject: Subject) -> Iterator[Diagnostic]:
    rules = subject.shown
    entries = (entry for holder in (*rules.include, *rules.exclude) for entry in holder.entries)
    if not any("," in entry.text or " " in entry.text for entry in entries):
        return
    files = known_files(subject)
    # A value that should be a list is split when it is made one.
    single = {problem.span for problem in subject.problems if problem.code == "scalar-for-list"}
    for item in pattern_entries(subject):
        parts = parts_of(item, files) if item.entry.span not in single else []
        if parts:
            message = f"`{shown(item.entry.text)}` is one pattern and not {len(parts)}: write each as an entry"
            edits = rewritten(subject, item.entry, *parts)
            fixes = () if edits is None else (Fix(f"split it into {len(parts)} entries", edits),)
            yield Diagnostic(CHECK.code, CHECK.severity, message, item.entry.span, (), fixes)


def parts_of(item: PatternEntry, files: FileInventory | None) -> list[str]:
    """The patterns that an entry was meant as, or nothing where it is one pattern."""
    text = item.entry.text
    if "," not in text and " " not in text.strip():
        return []
    parts = _split(text)
    if len(parts) < 2 or not all(isinstance(parse_glob(part), Glob) for part in parts):
        return []
    if files is not None and files.file_index.first(item.glob) is not None:
        return []
    return parts if _are_patterns(parts, text, files) else []


def _are_patterns(parts: list[str], text: str, files: FileInventory | None) -> bool:
    if "," not in text:
        # A space is a part of many names; two wildcards with a slash or an extension each are no name.
        return all("*" in part and ("/" in part or "*." in part) for part in parts)
    if all("*" in part for part in parts):
        return True
    if ", " in text:
        return all("*" in part or part.endswith("/") or _EXTENSION.search(part) for part in parts)
    if files is None:
        return False
    globs = [glob for part in parts if isinstance(glob := parse_glob(part), Glob)]
    return all(files.file_index.first(glob) is not None for glob in globs)


def _split(text: str) -> list[str]:
    """The text at its commas, or at its white space where it has none, outside of brackets and braces."""
    parts = _split_at(text, ",")
    return parts if len(parts) > 1 else _split_at(text, " \t")


def _split_at(text: str, separators: str) -> list[str]:
    parts: list[str] = []
    begin = depth = at = 0
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 1
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth = max(0, depth - 1)
        elif depth == 0 and character in separators:
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip()]


CHECK = Check.documented("comma-in-entry", "warning", _find, __doc__, Stage.ENTRY, "safe")
