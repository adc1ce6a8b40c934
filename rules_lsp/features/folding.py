"""The parts of a document that an editor can fold: keys, lists, sections, code, remarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.markdown import Code, Heading, Html, MarkdownDocument, Table
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence

FoldKind = Literal["region", "comment"]


@dataclass(frozen=True, slots=True, order=True)
class Fold:
    """Lines, base 0, both ends included, of which the first stays."""

    first: int
    last: int
    kind: FoldKind = "region"


def folds(subject: Subject) -> tuple[Fold, ...]:
    """The folds of a document, by their first line; a longer one before a shorter one of the same line."""
    if isinstance(subject.reading, MarkdownRules):
        found = set(_markdown(subject.reading.document))
    else:
        found = {*_nodes(subject.text, subject.nodes.root), *_remarks(subject)}
    return tuple(sorted((fold for fold in found if fold.first < fold.last), key=lambda fold: (fold.first, -fold.last)))


def _nodes(text: Text, root: Node | None) -> Iterator[Fold]:
    pending = [root] if root is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            for key, value in node.pairs:
                pending += (key, value)
                whole = Span(key.token.start, max(key.token.end, value.token.end))
                if isinstance(value, Mapping | Sequence):
                    yield _lines(text, whole)
                elif isinstance(value, Scalar) and value.style in ("|", ">"):
                    yield _written_lines(text, whole)
        elif isinstance(node, Sequence):
            pending += node.items


def _lines(text: Text, span: Span) -> Fold:
    """The lines of a span without the blank ones and the remarks at its end."""
    first, last = text.line_of(span.start), text.line_of(span.end)
    if last > first and text.line_span(last).start == span.end:
        last -= 1
    while last > first and text.slice(text.line_span(last)).strip()[:1] in ("", "#"):
        last -= 1
    return Fold(first, last)


def _remarks(subject: Subject) -> Iterator[Fold]:
    """Runs of lines that hold a remark only."""
    text = subject.text
    scalars = sorted(_block_scalars(subject.nodes.root))
    start: int | None = None
    for line in range(text.line_count + 1):
        span = text.line_span(line) if line < text.line_count else None
        remark = span is not None and text.slice(span).lstrip(" \t\ufeff").startswith("#")
        while span is not None and scalars and scalars[0].end <= span.start:
            scalars.pop(0)
        if remark and span is not None and not (scalars and scalars[0].start < span.start):
            start = line if start is None else start
        elif start is not None:
            yield Fold(start, line - 1, "comment")
            start = None


def _block_scalars(root: Node | None) -> Iterator[Span]:
    """The scalars of several lines: a line of one that begins with `#` is text."""
    pending = [root] if root is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            if node.style:
                yield node.token
        elif isinstance(node, Sequence):
            pending += node.items
        elif isinstance(node, Mapping):
            pending += [child for pair in node.pairs for child in pair]


def _markdown(document: MarkdownDocument) -> Iterator[Fold]:
    text = document.text
    open_headings: list[Heading] = []
    for block in document.walk():
        if isinstance(block, Heading):
            while open_headings and open_headings[-1].level >= block.level:
                yield _section(text, open_headings.pop(), block.outer.start)
            open_headings.append(block)
        elif isinstance(block, Code | Table):
            yield _written_lines(text, block.span)
        elif isinstance(block, Html):
            lines = _written_lines(text, block.span)
            yield Fold(lines.first, lines.last, "comment" if block.comment else "region")
    for heading in open_headings:
        yield _section(text, heading, len(text.content))


def _section(text: Text, heading: Heading, end: int) -> Fold:
    return _written_lines(text, Span(heading.outer.start, max(heading.outer.start, end)))


def _written_lines(text: Text, span: Span) -> Fold:
    first, last = text.line_of(span.start), text.line_of(span.end)
    if last > first and text.line_span(last).start == span.end:
        last -= 1
    while last > first and not text.slice(text.line_span(last)).strip():
        last -= 1
    return Fold(first, last)
