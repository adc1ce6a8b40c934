"""An entry that stands twice in its list.

## What it finds
A tool or a pattern that is written a second time, letter for letter, in the same list.

## Why it matters
The second one has no effect; whoever removes one of them believes to have removed the rule.

## Example
```yaml
denied_tools:
  - Bash
  - github/delete_file
  - Bash
```

## Instead
```yaml
denied_tools:
  - Bash
  - github/delete_file
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import remove, with_fixes
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    for holder in subject.shown.lists() if subject.error is None else ():
        if len({entry.text for entry in holder.entries}) == len(holder.entries):
            continue
        first: dict[str, Entry] = {}
        for entry in holder.entries:
            other = first.setdefault(entry.text, entry)
            # An alias repeats an entry at the place of its anchor: there is no second place to speak of.
            if entry.broken is not None or other.span == entry.span:
                continue
            message = f"`{shown(entry.text)}` stands in this list already: remove it"
            related = (RelatedPlace(other.span, f"`{shown(entry.text)}` stands here first"),)
            yield Diagnostic("duplicate-entry", "warning", message, entry.span, related), remove(subject, entry)


CHECK = Check.documented(
    "duplicate-entry", "warning", lambda subject: with_fixes(_find(subject)), __doc__, Stage.REPEATED, "safe"
)
