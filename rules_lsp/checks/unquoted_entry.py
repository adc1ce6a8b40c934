"""An entry of a Markdown rule file without code marks.

## What it finds
A name or a pattern that stands as plain text in an item or a cell. This check is off unless it is asked for.

## Why it matters
Markdown takes `*` and `_` for emphasis, and a text is split at commas. In code marks an entry is what it looks like.

## Example
```markdown
## Denied Tools

- github/delete_file - cannot be undone
```

## Instead
```markdown
## Denied Tools

- `github/delete_file` - cannot be undone
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.markdown.lists import MarkdownEntry
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.edits import TextEdit

_FENCES = ("```", "~~~")


def _find(subject: Subject) -> Iterator[Diagnostic]:
    if not isinstance(subject.reading, MarkdownRules):
        return
    for section in subject.reading.sections:
        for _, group in groupby(section.entries, key=lambda each: each.item):
            entries = list(group)
            if subject.text.slice(entries[0].item).lstrip().startswith(_FENCES):
                continue
            plain = [each for each in entries if not each.quoted and each.entry.broken is None]
            fixes = tuple(_fixes(subject, entries))
            end = 0
            for each in plain:
                # A text that may be emphasis or a pattern is two entries in one place.
                if each.entry.span.start >= end:
                    message = f"`{shown(each.entry.text)}` stands without code marks: put it in backticks"
                    yield Diagnostic("unquoted-entry", "information", message, each.entry.span, (), fixes)
                end = max(end, each.entry.span.end)


def _fixes(subject: Subject, entries: list[MarkdownEntry]) -> Iterator[Fix]:
    """All entries of an item at once: beside one in code marks the others would be no entries any more."""
    spans = sorted(each.entry.span for each in entries)
    apart = all(one.end <= other.start for one, other in zip(spans, spans[1:], strict=False))
    simple = all(not each.quoted and each.entry.broken is None and "`" not in each.entry.text for each in entries)
    if apart and simple and "`" not in subject.text.slice(entries[0].item):
        edits = tuple(TextEdit(each.entry.span, f"`{each.entry.text}`") for each in entries)
        yield Fix("put it in backticks" if len(edits) == 1 else "put the entries in backticks", edits)


CHECK = Check.documented("unquoted-entry", "information", _find, __doc__, Stage.BESIDE, "safe", on=False)
