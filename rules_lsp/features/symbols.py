"""The outline of a document: its keys or sections, and the entries below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.neighbours import neighbour_features
from rules_lsp.features.written import is_tool
from rules_lsp.policy.config import SECTION
from rules_lsp.policy.markdown.read_markdown import MarkdownRules, MarkdownSection
from rules_lsp.policy.model import Entry
from rules_lsp.source.excerpt import in_one_line
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Alias, Mapping, Node, Scalar, Sequence

SymbolKind = Literal["key", "section", "tool", "pattern", "value", "rule"]
LONGEST_NAME = 200
LONGEST_VALUE = 80
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Symbol:
    """A part of a document. `span` is the whole of it with its children, `selection` its name in the text."""

    name: str
    kind: SymbolKind
    span: Span
    selection: Span
    detail: str = ""
    children: tuple[Symbol, ...] = ()


def document_symbols(subject: Subject) -> tuple[Symbol, ...]:
    """The outline of a rule file or a neighbour, or of our section in a configuration, as far as it can be made out."""
    of_kind = neighbour_features(subject.kind).symbols
    if of_kind is not None:
        return of_kind(subject)
    reading = subject.reading
    if isinstance(reading, MarkdownRules):
        return tuple(_section(section) for section in reading.sections)
    root = subject.nodes.root
    if not isinstance(root, Mapping):
        return ()
    kinds = {entry.span: _kind_of(entry) for rules in subject.shown.lists() for entry in rules.entries}
    pairs = root.pairs
    if subject.kind == "config":
        pairs = tuple(pair for pair in pairs if isinstance(pair[0], Scalar) and pair[0].value == SECTION)
    return tuple(_pairs(pairs, kinds, _DEEPEST))


def key_symbols(pairs: Iterable[tuple[Node, Node]]) -> Iterator[Symbol]:
    """The symbols of some keys with what stands below them, where no entry of a list is a tool or a pattern."""
    return _pairs(pairs, {}, _DEEPEST)


def _pairs(pairs: Iterable[tuple[Node, Node]], kinds: dict[Span, SymbolKind], depth: int) -> Iterator[Symbol]:
    for key, value in pairs:
        if not isinstance(key, Scalar) or not key.value.strip():
            continue
        detail = in_one_line(value.value, LONGEST_VALUE) if isinstance(value, Scalar) else ""
        children = tuple(_children(value, kinds, depth - 1)) if depth else ()
        span = around(key.token, value.token, children)
        yield Symbol(in_one_line(key.value, LONGEST_NAME), "key", span, key.token, detail, children)


def _children(node: Node, kinds: dict[Span, SymbolKind], depth: int) -> Iterator[Symbol]:
    if isinstance(node, Mapping):
        yield from _pairs(node.pairs, kinds, depth)
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Scalar) and item.value.strip():
                name = in_one_line(item.value, LONGEST_NAME)
                yield Symbol(name, kinds.get(item.span, "value"), item.token, item.token)
            elif not isinstance(item, Scalar | Alias) and depth:
                yield from _children(item, kinds, depth - 1)


def _section(section: MarkdownSection) -> Symbol:
    """A section of Markdown; what stands below a place that says include or exclude is that place's."""
    groups: list[tuple[Span, str, list[Symbol]]] = [
        (place.span, place.side.capitalize(), []) for place in section.places
    ]
    starts = [span.start for span, _, _ in groups]
    children: list[Symbol] = []
    done = -1
    for each in section.entries:
        entry = each.entry
        if entry.span.start < done or not entry.text.strip():
            continue
        done = entry.span.end
        detail = "" if each.negation is None else each.negation
        symbol = Symbol(in_one_line(entry.text, LONGEST_NAME), _kind_of(entry), entry.span, entry.span, detail)
        at = max((number for number, start in enumerate(starts) if start <= entry.span.start), default=None)
        holder = groups[at][2] if at is not None and _is_side(entry, groups[at][1]) else children
        holder.append(symbol)
    children += [
        Symbol(name, "section", around(span, span, symbols), span, "", tuple(symbols)) for span, name, symbols in groups
    ]
    children.sort(key=lambda child: child.span)
    whole = Span(section.heading.start, max(section.heading.end, section.body.end))
    return Symbol(section.name, "section", whole, section.heading, "", tuple(children))


def _is_side(entry: Entry, side: str) -> bool:
    return entry.list == f"file_patterns.{side.lower()}"


def _kind_of(entry: Entry) -> SymbolKind:
    return "tool" if is_tool(entry) else "pattern"


def around(first: Span, last: Span, children: Iterable[Symbol]) -> Span:
    """The smallest span that holds two others and those of some symbols."""
    spans = (first, last, *(child.span for child in children))
    return Span(min(span.start for span in spans), max(span.end for span in spans))
