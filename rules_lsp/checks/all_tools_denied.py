"""Rules that leave no tool at all.

## What it finds
A `*` in `denied_tools`, and an `allowed_tools` with several entries of which each is denied. Of an empty list
`empty-list` speaks.

## Why it matters
The agent can read nothing, write nothing and call nothing. Who wants that needs no rule file.

## Example
```yaml
allowed_tools:
  - Read
  - github/get_me
denied_tools:
  - "*"
```

## Instead
```yaml
allowed_tools:
  - Read
  - github/get_me
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, RelatedPlace, Stage
from rules_lsp.checks.common.overruled import wholly_overruled
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_names import denies_everything, entries_in, tool_lists
from rules_lsp.policy.entries import shown

_MOST_RELATED = 8


def _find(subject: Subject) -> Iterator[Diagnostic]:
    denying = next((holder for holder in tool_lists(subject) if denies_everything(holder)), None)
    entries = entries_in(subject, denying) if denying is not None else ()
    everything = next((found for found in entries if found.denies_everything), None)
    if everything is not None:
        message = (
            f"`{everything.entry.text}` denies every tool, so nothing is left allowed: deny single tools, or remove it"
        )
        allowing = subject.shown.allowed_tools
        related = tuple(RelatedPlace(holder.span, "what is allowed here is denied") for holder in allowing)
        yield Diagnostic("all-tools-denied", "warning", message, everything.entry.span, related)
    for holder, pairs in wholly_overruled(subject):
        message = "each entry of this list is also denied, so no tool is left allowed: remove the denying entries"
        deniers = {by.entry.span: by.entry for _, by in pairs}
        places = [RelatedPlace(span, f"`{shown(by.text)}` denies") for span, by in deniers.items()]
        yield Diagnostic("all-tools-denied", "warning", message, holder.span, tuple(places[:_MOST_RELATED]))


CHECK = Check.documented("all-tools-denied", "warning", _find, __doc__, Stage.TOGETHER, "none")
