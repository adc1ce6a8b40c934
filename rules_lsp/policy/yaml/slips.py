"""The slips of a rule file that YAML reads as plain text: what stands where no text is expected."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.policy.keys import EXTENSIONS, PATTERNS, TOP_LEVEL, meant_key
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_slips import slips_of_line
from rules_lsp.source.yaml_tree import Node, Scalar

_KNOWN = (*TOP_LEVEL, *PATTERNS, *EXTENSIONS)


def line_slips(text: Text, value: Node | None) -> list[Problem]:
    """The slips in the lines of a plain text that stands in the place of a list, a mapping or an entry of one line."""
    if not isinstance(value, Scalar) or value.style or value.tag is not None:
        return []
    return [slip.problem for line in _lines(text, value.span) for slip in slips_of_line(text.content, line, _is_key)]


def _lines(text: Text, span: Span) -> Iterator[Span]:
    """The lines of a span; the first one only if nothing stands in front of it."""
    first, last = text.line_of(span.start), text.line_of(max(span.start, span.end - 1))
    for number in range(first, last + 1):
        line = text.line_span(number)
        if number > first:
            yield Span(line.start, min(line.end, span.end))
        elif not text.content[line.start : span.start].strip(" \ufeff"):
            yield Span(span.start, min(line.end, span.end))


def _is_key(word: str) -> bool:
    return word in _KNOWN or meant_key(word, TOP_LEVEL) is not None or meant_key(word, PATTERNS) is not None
