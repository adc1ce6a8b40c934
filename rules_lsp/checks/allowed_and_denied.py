"""An entry that allows what another one denies.

## What it finds
An entry of `allowed_tools` for which every tool that it allows is denied by one entry of `denied_tools`: the same
name, or a pattern that takes it in.

## Why it matters
Denying wins, whatever the order. The entry has no effect, and its reader may believe that it has.

## Example
```yaml
allowed_tools:
  - Read
  - github/delete_file
denied_tools:
  - github/delete_*
```

## Instead
```yaml
allowed_tools:
  - Read
denied_tools:
  - github/delete_*
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.overruled import overruled_entries
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import remove, with_fixes
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    for allowing, denying in overruled_entries(subject):
        entry, by = allowing.entry, denying.entry
        message = f"`{shown(entry.text)}` has no effect, `{shown(by.text)}` in `denied_tools` overrules it: remove one"
        related = (RelatedPlace(by.span, f"`{shown(by.text)}` denies it"),)
        diagnostic = Diagnostic("allowed-and-denied", "warning", message, entry.span, related)
        yield diagnostic, remove(subject, entry)


CHECK = Check.documented(
    "allowed-and-denied", "warning", lambda subject: with_fixes(_find(subject)), __doc__, Stage.TOGETHER, "safe"
)
