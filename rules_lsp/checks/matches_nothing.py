"""A pattern that takes no file of the project.

## What it finds
An entry of `include` that takes no file, git-ignored ones counted, and an entry of `exclude` that takes neither file
nor directory where one exists that is almost of that name. An exclude that is a precaution, such as `*.pem`, is fine,
and so is what names an empty directory.

## Why it matters
A misspelt include leaves the agent without the files that it needs; a misspelt exclude denies nothing of what it was to
protect.

## Example
```yaml
file_patterns:
  include:
    - compnents/**
```
```text components/button.tsx
export {}
```

## Instead
```yaml
file_patterns:
  include:
    - components/**
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.character_class_path import literal_reading
from rules_lsp.checks.comma_in_entry import parts_of
from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.case_mismatch_globs import other_case
from rules_lsp.checks.common.glob_entries import PatternEntry, known_files, pattern_entries, takes, why_never
from rules_lsp.checks.common.lookalikes import told_of_look_alike
from rules_lsp.checks.common.nearest_path import NearPattern, nearest_path
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.stray_double_star import stray_stars
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.workspace.inventory import FileInventory


def _find(subject: Subject) -> Iterator[Diagnostic]:
    files = known_files(subject)
    if files is None:
        return
    nearest = nearest_path(files)
    for item in pattern_entries(subject):
        if takes(subject, item, files) or _has_another_fault(subject, item, files):
            continue
        near = nearest.to(item)
        meant = _is_expected(item, files) if near is None else _is_excluded(subject, item, near, files)
        if meant:
            continue
        what = "takes no file" if item.including else "takes no file and no directory"
        advice = f"did you mean `{shown(near.text)}`?" if near is not None else "write a path that exists, or remove it"
        message = f"`{shown(item.entry.text)}` {what} of the project: {advice}"
        message = told_of_look_alike(message, item.entry.text) if near is not None else message
        yield Diagnostic(CHECK.code, CHECK.severity, message, item.entry.span, (), _fixes(subject, item, near))


def _has_another_fault(subject: Subject, item: PatternEntry, files: FileInventory) -> bool:
    return (
        why_never(subject, item) is not None
        or bool(stray_stars(item.glob))
        or bool(parts_of(item, files))
        or literal_reading(item, files) is not None
        or other_case(subject, item, files) is not None
    )


def _is_expected(item: PatternEntry, files: FileInventory) -> bool:
    """Whether nothing need be there: an exclude is a precaution, and a directory that is empty will be filled."""
    if not item.including or files.directory_index.first(item.glob) is not None:
        return True
    above = item.glob.literal_prefix
    return above in files.directory_names and not any(files.children(above))


def _is_excluded(subject: Subject, item: PatternEntry, near: NearPattern, files: FileInventory) -> bool:
    """Whether an exclude is one of several spellings, and another one of them takes what exists."""
    policy, glob = subject.effective, parse_glob(near.text)
    if item.including or policy is None or not isinstance(glob, Glob):
        return False
    path = files.file_index.first(glob)
    return path is not None and policy.excludes.first_covering(path, False) is not None


def _fixes(subject: Subject, item: PatternEntry, near: NearPattern | None) -> tuple[Fix, ...]:
    edits = None if near is None else rewritten(subject, item.entry, near.text)
    return () if near is None or edits is None else (Fix(f"write `{shown(near.text)}`", edits, near.certain),)


CHECK = Check.documented("matches-nothing", "warning", _find, __doc__, Stage.PROJECT, "either")
