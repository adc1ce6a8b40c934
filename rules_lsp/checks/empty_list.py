"""A list without entries that allows nothing.

## What it finds
`allowed_tools: []` and `include: []`.

## Why it matters
An empty list is not the same as no list: it allows no tool, or no file to be changed. To leave tools or files
unrestricted, the key must not be there. To remove it allows everything else, so an editor offers it and `--fix` never
does it.

## Example
```yaml
allowed_tools: []
denied_tools: [Bash]
```

## Instead
```yaml
denied_tools: [Bash]
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.lines import line_at, whole_lines
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence

_COMMENT = re.compile(r"[ \t]*#")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    if found is None or not isinstance(found[2], Sequence):
        return
    mapping, key, value = found
    span = _flow_pair(subject.text, mapping, key) if mapping.flow else _lines(subject.text, mapping, key, value)
    if span is not None:
        yield Fix(f"remove `{key.value}`", (TextEdit(span, ""),), safe=False, widens=True)


def _lines(text: Text, mapping: Mapping, key: Scalar, value: Node) -> Span | None:
    """The lines of a pair, or None where something else stands on them or nothing would be left below the parent."""
    line = line_at(text, key.token.start)
    behind = text.content[value.token.end : line_at(text, value.token.end).end]
    if text.content[line.start : key.token.start].strip() or (behind.strip() and not _COMMENT.match(behind)):
        return None
    if len(mapping.pairs) == 1 and key.token.start != line.start:
        return None
    if behind.strip():
        return Span(key.token.start, value.token.end + len(behind) - len(behind.lstrip()))
    return whole_lines(text, Span(key.token.start, value.token.end))


def _flow_pair(text: Text, mapping: Mapping, key: Scalar) -> Span | None:
    """A pair inside of braces with its comma, or None for the only one."""
    place = next(place for place, (name, _) in enumerate(mapping.pairs) if name is key)
    if len(mapping.pairs) == 1:
        return None
    if place + 1 < len(mapping.pairs):
        return Span(key.token.start, mapping.pairs[place + 1][0].token.start)
    return Span(mapping.pairs[place - 1][1].token.end, mapping.pairs[place][1].token.end)


CHECK = Check.documented(
    "empty-list", "warning", found_by_reading("empty-list", _fixes), __doc__, Stage.SHAPE, "widening"
)
