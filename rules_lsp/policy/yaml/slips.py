"""The slips of a rule file that YAML reads as plain text: what stands where no text is expected."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.policy.keys import EXTENSIONS, PATTERNS, TOP_LEVEL, meant_key
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_slips import slip_of_block, slips_of_line, slips_of_list
from rules_lsp.source.yaml_tree import Node, Scalar

_KNOWN = (*TOP_LEVEL, *PATTERNS, *EXTENSIONS)


def line_slips(text: Text, value: Node | None) -> list[Problem]:
    """The slips in the lines of a plain text that stands in the place of a list, a mapping or an entry of one line."""
    plain = _plain(value)
    if plain is None:
        return []
    return [slip.problem for line in _lines(text, plain.span) for slip in slips_of_line(text.content, line, _is_key)]


def list_slips(text: Text, value: Node | None) -> list[Problem]:
    """The slips of a plain text that stands in the place of a list, of its lines and of the whole."""
    found, plain = line_slips(text, value), _plain(value)
    if plain is not None:
        found += [slip.problem for slip in slips_of_list(text.content, plain.span)]
    return list({problem.span: problem for problem in found}.values())


def block_slip(text: Text, value: Scalar) -> Problem | None:
    """The look-alike of the sign that begins a block of text, of a text that is to be one."""
    slip = None if _plain(value) is None else slip_of_block(text.content, value.span)
    return None if slip is None else slip.problem


def _plain(value: Node | None) -> Scalar | None:
    """A node that is a text without quotes, block or tag."""
    return value if isinstance(value, Scalar) and not value.style and value.tag is None else None


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
