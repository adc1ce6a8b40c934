"""An include of which the excludes leave nothing.

## What it finds
An entry of `include` for which every file that it could ever take is taken by `exclude`: by one of its entries, or by
several together. That is proved for all paths, not tried on those that exist.

## Why it matters
Excludes win, whatever the order. The entry has no effect, and its reader may believe that it has.

## Example
```yaml
file_patterns:
  include:
    - src/**
    - docs/internal/**
  exclude:
    - docs/
```

## Instead
```yaml
file_patterns:
  include:
    - src/**
  exclude:
    - docs/
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.proved import shadowed_in, stands_once, wholly_shadowed
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import remove, with_fixes
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    for holder in subject.shown.include:
        # Where nothing at all is left, that is what is wrong.
        alone = stands_once(holder)
        for entry, by in shadowed_in(subject, holder) if wholly_shadowed(subject, holder) is None else ():
            if not alone(entry):
                continue
            message = f"`{shown(entry.text)}` has no effect, {_by(by)} all that it takes: remove it, or exclude less"
            related = tuple(RelatedPlace(other.span, f"`{shown(other.text)}` excludes it") for other in by)
            yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, related), remove(subject, entry)


def _by(entries: tuple[Entry, ...]) -> str:
    if len(entries) == 1:
        return f"`{shown(entries[0].text)}` in `exclude` takes"
    if len(entries) == 2:
        return f"`{shown(entries[0].text)}` and `{shown(entries[1].text)}` in `exclude` together take"
    return f"`{shown(entries[0].text)}` and {len(entries) - 1} others in `exclude` together take"


CHECK = Check.documented(
    "shadowed-include", "warning", lambda subject: with_fixes(_find(subject)), __doc__, Stage.PROVED, "safe"
)
