"""A value of another kind than its key holds.

## What it finds
A block of text or a mapping where a list belongs, an entry that is a mapping or a list, an entry that goes over
several lines, a list where `file_patterns` holds `include:` and `exclude:`, a merge key, a tag.

## Why it matters
What cannot be read never widens access. An entry of `allowed_tools` or `include` allows nothing until it is repaired;
one of `denied_tools` or `exclude` denies every tool or every file.

## Example
```yaml
denied_tools: |
  Bash
  github/delete_file
```

## Instead
```yaml
denied_tools:
  - Bash
  - github/delete_file
```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.lines import indentation, line_at, line_break_of, whole_lines
from rules_lsp.checks.common.quoting import plain_or_quoted, quoted
from rules_lsp.checks.common.scalars import block_remark, has_properties, written_lines
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Scalar

_NOT_ONE_WORD = re.compile(r"[\s,]")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    fix = _FIXES.get(problem.data.get("kind", ""))
    if fix is not None:
        yield from fix(subject, problem)


def _list_from_text(subject: Subject, problem: Problem) -> Iterator[Fix]:
    """`key: |` and lines below it, or a text over several lines, become a list with one entry a line."""
    text = subject.text
    found = subject.nodes.pair(problem.span)
    if found is None:
        return
    mapping, key, value = found
    if mapping.flow or not isinstance(value, Scalar):
        return
    lines = written_lines(text, value)
    if not lines or has_properties(text, value) or text.content[key.token.end : value.token.start].rstrip() != ":":
        return
    line_break = line_break_of(text)
    dash = " " * (indentation(text, key.token.start) + 2) + "- "
    entries = [dash + plain_or_quoted(line.text, subject.nodes.preferred_quote) for line in lines]
    last = whole_lines(text, value.token)
    body = line_break.join([f":{block_remark(text, value)}", *entries])
    if text.content[last.end - 1 : last.end] in ("\n", "\r"):
        body += line_break
    certain = not any(_NOT_ONE_WORD.search(line.text) for line in lines)
    yield Fix("write it as a list, one entry a line", (TextEdit(Span(key.token.end, last.end), body),), certain)


def _entry_a_line(subject: Subject, problem: Problem) -> Iterator[Fix]:
    """An entry that goes over several lines becomes an entry for each of them."""
    text = subject.text
    found = subject.nodes.item(problem.span)
    if found is None:
        return
    items, value = found
    if not isinstance(value, Scalar):
        return
    lines = written_lines(text, value)
    separator = ", " if items.flow else _new_entry(text, value)
    if not lines or separator is None or has_properties(text, value) or block_remark(text, value):
        return
    entries = [plain_or_quoted(line.text, subject.nodes.preferred_quote, flow=items.flow) for line in lines]
    # A line break in quotes or in a block of text stands between entries; a plain text may just have been folded,
    # unless each of its further lines begins with a dash.
    certain = bool(value.style) or all(line.dash for line in lines[1:])
    yield Fix("write one entry a line", (TextEdit(value.token, separator.join(entries)),), certain)


def _new_entry(text: Text, value: Scalar) -> str | None:
    """What stands between the entry of a block list and one below it, or None where its dash is on another line."""
    line = line_at(text, value.token.start)
    dash = text.content.rfind("-", line.start, value.token.start)
    if dash < 0 or text.content[line.start : dash].strip():
        return None
    return line_break_of(text) + text.content[line.start : dash] + text.content[dash : value.token.start]


def _quoted_mapping(subject: Subject, problem: Problem) -> Iterator[Fix]:
    """An entry that holds a colon becomes the text that it is written as."""
    written = subject.text.slice(problem.span)
    if written and "\n" not in written and "\r" not in written:
        replacement = quoted(written, subject.nodes.preferred_quote)
        yield Fix(f"write {shown(replacement)}", (TextEdit(problem.span, replacement),), safe=False)


_FIXES: dict[str, Callable[[Subject, Problem], Iterator[Fix]]] = {
    "text-for-list": _list_from_text,
    "line-break": _entry_a_line,
    "mapping-for-text": _quoted_mapping,
}
CHECK = Check.documented(
    "wrong-type", "error", found_by_reading("wrong-type", _fixes), __doc__, Stage.SHAPE, "either", reach="value"
)
