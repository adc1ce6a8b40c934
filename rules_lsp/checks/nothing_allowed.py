"""Rules that leave no file of the project to write.

## What it finds
Includes of which the excludes leave nothing, excludes that together take every file, or two lists of includes that have
nothing in common: proved for all paths, or, where the project's files are known, true of all of them.

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

from rules_lsp.checks.common.base import Check, Diagnostic, RelatedPlace, Stage
from rules_lsp.checks.common.glob_entries import PatternEntry, in_force, known_files, may_write, pattern_entries
from rules_lsp.checks.common.proved import apart, excluding_everything, wholly_shadowed
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry
from rules_lsp.policy.policy import Policy
from rules_lsp.workspace.inventory import FileInventory

_MOST_LOOKED_AT = 20_000
_MOST_RELATED = 8
_MOST_NAMED = 2


def _find(subject: Subject) -> Iterator[Diagnostic]:
    proved = _proved(subject)
    if proved is not None:
        yield proved
    else:
        yield from _found_here(subject)


def _proved(subject: Subject) -> Diagnostic | None:
    if not subject.shown.include:
        return _all_excluded(subject)
    for holder in subject.shown.include:
        shadowed = wholly_shadowed(subject, holder)
        if shadowed is not None:
            entry, by = shadowed[0]
            where = f"`{shown(entry.text)}` by " + " and ".join(f"`{shown(other.text)}`" for other in by[:_MOST_NAMED])
            message = f"no file is left to write: all that `include` allows is excluded, {where}: exclude less"
            excluding = {other.span: other for _, others in shadowed for other in others}
            places = [RelatedPlace(span, f"`{shown(other.text)}` excludes") for span, other in excluding.items()]
            return Diagnostic(CHECK.code, CHECK.severity, message, holder.span, tuple(places[:_MOST_RELATED]))
    lists = apart(subject)
    if lists is None:
        return None
    message = "no file is left to write: this list and the next one have none in common, and each must allow it"
    related = (RelatedPlace(lists[1].span, "what is allowed here is not allowed there"),)
    return Diagnostic(CHECK.code, CHECK.severity, message, lists[0].span, related)


def _all_excluded(subject: Subject) -> Diagnostic | None:
    """Of excludes alone: whether together they take every file, and which do."""
    by = excluding_everything(subject)
    if not by:
        return None
    names = " and ".join(f"`{shown(entry.text)}`" for entry in by[:_MOST_NAMED])
    many = len(by) > 1
    message = f"{names} {'exclude' if many else 'excludes'} every file, so none is left to read or write: exclude less"
    related = tuple(RelatedPlace(each.span, f"`{shown(each.text)}` excludes") for each in by[1:_MOST_RELATED])
    return Diagnostic(CHECK.code, CHECK.severity, message, by[0].span, related)


def _found_here(subject: Subject) -> Iterator[Diagnostic]:
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
        message = f"no file of the project is left to write: all that `include` takes is excluded, {by}"
        related = (RelatedPlace(excluding.span, f"`{shown(excluding.text)}` excludes `{shown(first)}`"),)
    yield Diagnostic(CHECK.code, CHECK.severity, message, subject.shown.include[0].span, related)


def _taken(includes: list[PatternEntry], files: FileInventory) -> Iterator[str]:
    for item in includes:
        yield from files.file_index.covered(item.glob)


def _excluding(policy: Policy, path: str) -> Entry | None:
    position = policy.excludes.first_covering(path, False, fold_case=policy.fold_case)
    return None if position is None else policy.excludes.entries[position]


CHECK = Check.documented("nothing-allowed", "warning", _find, __doc__, Stage.TOGETHER, "none")
