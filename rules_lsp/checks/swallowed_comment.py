"""An entry whose end YAML takes for a comment.

## What it finds
A `#` behind one space in an entry without quotes, with a word directly behind it: `src/ #tmp`. With a space behind the
`#`, with more than one word, or set off by more than one space it is a remark, and so it is in a file whose remarks are
all written like that. In lists of tools it must look like a tool: `Azure #2/list`.

## Why it matters
YAML drops everything from the ` #` on. The entry that is left is another one than what is written.

## Example
```yaml
file_patterns:
  include:
    - src/ #tmp
```

## Instead
```yaml
file_patterns:
  include:
    - "src/ #tmp"
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.quoting import quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import DENYING_LISTS, TOOL_LISTS, shown
from rules_lsp.policy.model import Entry
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span

_REMARK = re.compile(r"(?:^|[ \t])#[^\s#!:\-]\S*[ \t]+\S", re.MULTILINE)
_SWALLOWED = re.compile(r"[ ](#[^\s#!:,\]}\-][^\s\]}]*)[ \t]*(?=[\r\n]|\Z)")


def _find(subject: Subject) -> Iterator[Diagnostic]:
    content, found = subject.text.content, 0
    if subject.kind == "markdown" or _SWALLOWED.search(content) is None:
        return
    for rules in subject.shown.lists():
        for entry in rules.entries:
            match = _SWALLOWED.match(content, entry.span.end)
            if match is None or (entry.list in TOOL_LISTS and "/" not in match[1]):
                continue
            # Whoever writes remarks without a space behind the `#` means one here too.
            if found == 0 and _REMARK.search(content):
                return
            found += 1
            advice = "put both in quotes, or write a space behind the `#`"
            if entry.list in DENYING_LISTS:
                advice = "write a space behind the `#`, or quote both, which denies less than now"
            message = f"`{shown(match[1])}` is a comment here and no part of `{shown(entry.text)}`: {advice}"
            place = Span(match.start(1), match.end(1))
            fixes = (_fix(subject, entry, place),) if found <= MAX_DIAGNOSTICS else ()
            yield Diagnostic("swallowed-comment", "warning", message, place, (), fixes)


def _fix(subject: Subject, entry: Entry, comment: Span) -> Fix:
    """In a denying list what is left of the entry denies, and that must not be lost: there a space makes a remark."""
    if entry.list in DENYING_LISTS:
        at = comment.start + 1
        return Fix("write it as a remark", (TextEdit(Span(at, at), " "),), safe=False)
    whole = Span(entry.span.start, comment.end)
    replacement = quoted(subject.text.slice(whole), subject.nodes.preferred_quote)
    return Fix(f"write {shown(replacement)}", (TextEdit(whole, replacement),))


CHECK = Check.documented("swallowed-comment", "warning", _find, __doc__, Stage.TEXT, "either")
