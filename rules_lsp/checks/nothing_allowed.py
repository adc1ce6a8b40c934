"""Rules that leave no file of the project to write.

## What it finds
Includes that each take files of the project, all of which are excluded, or are left out by a second list.

## Why it matters
The agent may change nothing at all.

## Example
```yaml
file_patterns:
  include:
    - src/**
  exclude:
    - src/
```
```text src/app.py
print()
```

## Instead
```yaml
file_patterns:
  include:
    - src/**
  exclude:
    - src/generated/
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.base import Check, Diagnostic, RelatedPlace
from rules_lsp.checks.glob_entries import PatternEntry, in_force, known_files, may_write, pattern_entries
from rules_lsp.checks.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry
from rules_lsp.policy.policy import Policy
from rules_lsp.workspace.inventory import FileInventory

_MOST_LOOKED_AT = 20_000


def _find(subject: Subject) -> Iterator[Diagnostic]:
    files, policy = known_files(subject), in_force(subject)
    if files is None or policy is None or not subject.shown.include:
        return
    includes = [item for item in pattern_entries(subject) if item.including]
    first: str | None = None
    for number, path in enumerate(_taken(includes, files)):
        first = first or path
        if number == _MOST_LOOKED_AT or may_write(policy, path):
            return
    # An include that takes nothing says more than that nothing is left.
    if first is None or any(files.file_index.first(item.glob) is None for item in includes):
        return
    excluding = _excluding(policy, first)
    if excluding is None:
        message = "no file of the project is left to write: none is taken by every `include`"
        related: tuple[RelatedPlace, ...] = ()
    else:
        by = f"`{shown(first)}` by `{shown(excluding.text)}`"
        message = f"no file of the project is left to write: all that `include` takes are excluded, {by}"
        related = (RelatedPlace(excluding.span, f"`{shown(excluding.text)}` excludes `{shown(first)}`"),)
    yield Diagnostic(CHECK.code, CHECK.severity, message, subject.shown.include[0].span, related)


def _taken(includes: list[PatternEntry], files: FileInventory) -> Iterator[str]:
    for item in includes:
        yield from files.file_index.covered(item.glob)


def _excluding(policy: Policy, path: str) -> Entry | None:
    position = policy.excludes.first_covering(path, False, fold_case=policy.fold_case)
    return None if position is None else policy.excludes.entries[position]


CHECK = Check.documented("nothing-allowed", "warning", _find, __doc__)
