"""What a growing selection takes in: a part of an entry, the entry, its list, its key or section, the document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.written import is_tool, spelled_out, tool_parts, written_entries
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.policy.model import Entry
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Sequence

_SEGMENT = re.compile(r"[^/]+")
_QUOTES = "'\"`"


def selection_spans(subject: Subject, offset: int) -> tuple[Span, ...]:
    """The spans around an offset, the innermost first, each one strictly larger than the one before."""
    text = subject.text
    found = [*_entry(subject, offset)]
    if isinstance(subject.reading, MarkdownRules):
        found += _markdown(subject.reading, offset)
    else:
        found += _yaml(subject.nodes.root, offset)
    line = text.line_span(text.line_of(offset))
    found += [_trimmed(subject, line), line, Span(0, len(text.content))]
    nested: list[Span] = []
    for span in sorted(set(found), key=len):
        inside = not nested or (span.start <= nested[-1].start and nested[-1].end <= span.end)
        if span.start <= offset <= span.end and inside and len(span):
            nested.append(span)
    return tuple(nested) or (Span(offset, offset),)


def _entry(subject: Subject, offset: int) -> Iterator[Span]:
    for entry in written_entries(subject):
        if offset in entry.span:
            if spelled_out(subject, entry):
                yield from _parts(subject, entry, offset)
            yield entry.span
            before, behind = entry.span.start - 1, entry.span.end + 1
            around = subject.text.content[max(before, 0) : entry.span.start]
            if around and around in _QUOTES and subject.text.content[entry.span.end : behind] == around:
                yield Span(before, behind)


def _parts(subject: Subject, entry: Entry, offset: int) -> Iterator[Span]:
    if is_tool(entry):
        parts = tool_parts(subject, entry)
        spans = [] if parts is None else [parts.server, parts.tool]
        yield from (span for span in spans if span is not None and offset in span)
        return
    for match in _SEGMENT.finditer(entry.text):
        span = Span(*match.span()).shifted(entry.span.start)
        if offset in span:
            yield span


def _yaml(root: Node | None, offset: int) -> Iterator[Span]:
    node = root
    while node is not None and offset in node.token:
        yield node.token
        if not isinstance(node, Mapping | Sequence):
            yield node.span
            return
        children: tuple[Node, ...] = ()
        if isinstance(node, Sequence):
            children = node.items
        else:
            for key, value in node.pairs:
                pair = Span(key.token.start, max(key.token.end, value.token.end))
                if offset in pair:
                    yield pair
                    children = (key, value)
        node = next((child for child in children if offset in child.token), None)


def _markdown(reading: MarkdownRules, offset: int) -> Iterator[Span]:
    for section in reading.sections:
        if offset in section.heading:
            yield section.heading
        whole = Span(section.heading.start, max(section.heading.end, section.body.end))
        if offset in whole:
            yield section.body if offset in section.body else section.heading
            yield whole
    for block in reading.document.walk():
        if offset in block.span:
            yield block.span


def _trimmed(subject: Subject, line: Span) -> Span:
    written = subject.text.slice(line)
    start = line.start + len(written) - len(written.lstrip())
    return Span(start, max(start, line.start + len(written.rstrip())))
