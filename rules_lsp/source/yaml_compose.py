"""Composing: libyaml's events become a tree; depth and the expansion of aliases are bounded."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_errors import syntax_problem
from rules_lsp.source.yaml_folding import STAND_IN, fold, growth
from rules_lsp.source.yaml_nodes import PLACEHOLDER, Alias, Mapping, Node, Run, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_Parser: Any
try:
    from yaml._yaml import CParser as _Parser
except ImportError:  # PyYAML was built without libyaml: slower, and it refuses a tab after a comma
    from yaml import Loader as _Parser

# An anchor ends where its letters do: `&a:` is one in front of a colon. Comments may follow either.
_PROPERTY = expression(r"(?:![^ \t\r\n]*|&[A-Za-z0-9_-]+)(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\r\n]*)*")

StandIns = dict[int, int]

_SCALAR = yaml.ScalarEvent
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)

MAX_DEPTH = 100
MAX_NODES = 250_000
MAX_ALIASED_NODES = 10_000


@dataclass(frozen=True, slots=True)
class Fault:
    """Why composing stopped; the problem's span counts from the start of the content that was parsed."""

    problem: Problem


_UNPLACED = Fault(Problem("syntax-error", "a run of items is a part of something else", Span(0, 0)))


class _Open:
    """A collection whose end has not been reached."""

    __slots__ = ("anchor", "children", "flow", "is_mapping", "start", "tag")

    def __init__(self, event: Any, start: int) -> None:
        self.is_mapping = isinstance(event, yaml.MappingStartEvent)
        self.start = start
        self.flow = bool(event.flow_style)
        self.tag = event.tag
        self.anchor = event.anchor
        self.children: list[Node | Run] = []

    def close(self, end: int) -> Sequence | Mapping:
        # A block collection ends for the parser where the next token starts: its own end is that of its last child.
        if not self.flow:
            end = max(self.start, self.children[-1].token.end if self.children else self.start)
        span = Span(self.start, end)
        if not self.is_mapping:
            return Sequence(tuple(self.children), span, self.flow, self.tag)
        # Runs are put into sequences alone.
        nodes: list[Node] = self.children  # type: ignore[assignment]
        pairs = tuple(zip(nodes[::2], nodes[1::2], strict=True))
        return Mapping(pairs, span, self.flow, self.tag)


def compose(content: str, original: str, base: int, stand_ins: StandIns | None = None) -> Node | None | Fault:
    """The single document of the content; offsets in the nodes are shifted by `base`, those of a fault are not.

    `original` is the content before repairs, of the same length: a scalar that was mended gets its text from there.
    `stand_ins` are characters of the content that stand for others: values get these back.
    """
    folded = fold(content) if stand_ins is None and content is original else None
    if folded is not None:
        outcome = _composed(folded.content, folded.content, base, None, folded.runs)
        if not isinstance(outcome, Fault):
            return outcome
    return _composed(content, original, base, stand_ins, ())


def _composed(
    content: str, original: str, base: int, stand_ins: StandIns | None, runs: tuple[Run, ...]
) -> Node | None | Fault:
    """As `compose`, with what stands for runs in the content; a fault where one does not stand for an item."""
    pending, own_base = iter(runs), base
    stack: list[_Open] = []
    anchors: dict[str, Scalar | Sequence | Mapping | None] = {}
    aliased = _AliasBudget()
    root: Node | None = None
    documents = 0
    nodes = 0
    parser: Any = None
    try:
        parser = _Parser(content)
        next_event = parser.get_event
        while True:
            event: Any = next_event()
            kind = type(event)
            if kind not in _ENDS:
                nodes += 1
                if nodes > MAX_NODES:
                    return Fault(_too_many_values(_start(event)))
            node: Node
            if kind is _SCALAR:
                if runs and event.value == STAND_IN and _is_item(event, stack):
                    run = next(pending)
                    stack[-1].children.append(replace(run, token=run.token.shifted(own_base)))
                    base += growth(run)
                    continue
                node = scalar = _scalar(event, original, base, stand_ins)
                if event.anchor:
                    anchors[event.anchor] = scalar
            elif event is None or isinstance(event, yaml.StreamEndEvent):
                return root if next(pending, None) is None else _UNPLACED
            elif isinstance(event, yaml.CollectionStartEvent):
                if len(stack) >= MAX_DEPTH:
                    return Fault(_too_deep(_start(event)))
                opened = _Open(event, _start(event) + base)
                if opened.anchor:
                    anchors[opened.anchor] = None
                stack.append(opened)
                continue
            elif isinstance(event, yaml.CollectionEndEvent):
                done = stack.pop()
                node = closed = done.close(_end(event) + base)
                if done.anchor:
                    anchors[done.anchor] = closed
            elif isinstance(event, yaml.AliasEvent):
                span = Span(_start(event), _end(event))
                if event.anchor not in anchors:
                    return Fault(_undefined_alias(str(event.anchor), span))
                node = alias = Alias(str(event.anchor), span.shifted(base), anchors[event.anchor])
                if not aliased.afford(alias):
                    return Fault(_too_many_aliases(span))
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    return Fault(_second_document(_start(event)))
                continue
            else:
                continue
            if stack:
                stack[-1].children.append(node)
            else:
                root = node
    except yaml.YAMLError as error:
        return Fault(syntax_problem(error, content, documents))
    finally:
        if parser is not None:
            parser.dispose()


def _is_item(event: Any, stack: list[_Open]) -> bool:
    """Whether a plain scalar is an item of a block list, and nothing but that."""
    bare = not (event.style or event.tag or event.anchor)
    return bare and bool(stack) and not stack[-1].is_mapping and not stack[-1].flow


def _scalar(event: Any, content: str, base: int, stand_ins: StandIns | None) -> Scalar:
    start, end, style, value = event.start_mark.index, event.end_mark.index, event.style or "", event.value
    tag = event.tag
    if style in ("|", ">"):
        # The parser ends a block of text where the next token starts.
        end = start + len(content[start:end].rstrip())
    token = span = Span(start + base, end + base)
    if value.startswith(PLACEHOLDER):
        return Scalar(content[start:end], token, token)
    if style or tag or event.anchor:
        inner = _skip_properties(content, start, end) if tag or event.anchor else start
        quotes = int(style in ("'", '"'))
        span = Span(inner + quotes + base, max(inner + quotes, end - quotes) + base)
    return Scalar(value.translate(stand_ins) if stand_ins else value, span, token, style, tag)


def _skip_properties(content: str, start: int, end: int) -> int:
    """The offset behind the tag and the anchor in front of a scalar."""
    while (match := _PROPERTY.match(content, start, end)) is not None:
        start = match.end()
    return start


class _AliasBudget:
    """Counts the nodes that aliases stand for, as if each were written out."""

    def __init__(self) -> None:
        self.spent = 0
        self._sizes: dict[int, int] = {}

    def afford(self, alias: Alias) -> bool:
        self.spent += self._size(alias.target)
        return self.spent <= MAX_ALIASED_NODES

    def _size(self, node: Node | None) -> int:
        """The nodes below `node` with aliases written out, at most one more than the budget."""
        if node is None or isinstance(node, Scalar):
            return 1
        if isinstance(node, Alias):
            return self._sizes.get(id(node.target), 1)
        known = self._sizes.get(id(node))
        if known is None:
            known = 1
            for child in _children(node):
                known = min(known + self._size(child), MAX_ALIASED_NODES + 1)
            self._sizes[id(node)] = known
        return known


def _children(node: Sequence | Mapping) -> Iterator[Node]:
    if isinstance(node, Sequence):
        yield from node.items
    else:
        for key, value in node.pairs:
            yield key
            yield value


def _too_deep(index: int) -> Problem:
    return Problem(
        "alias-bomb",
        f"the document is nested more than {MAX_DEPTH} levels deep: a rule file needs three",
        Span(index, index + 1),
    )


def _too_many_values(index: int) -> Problem:
    message = f"the document holds more than {MAX_NODES:,} values: a rule file needs far fewer"
    return Problem("alias-bomb", message, Span(index, index + 1))


def _too_many_aliases(span: Span) -> Problem:
    return Problem(
        "alias-bomb",
        f"the aliases of the document stand for more than {MAX_ALIASED_NODES:,} values: write the entries out",
        span,
    )


def _undefined_alias(name: str, span: Span) -> Problem:
    return Problem(
        "syntax-error",
        f"`*{name}` is a YAML alias without an anchor `&{name}` before it: put a text that begins with `*` in quotes",
        span,
        data={"kind": "undefined-alias"},
    )


def _second_document(index: int) -> Problem:
    return Problem(
        "multiple-documents",
        "a second YAML document starts here and is never read: remove the `---` or merge the two",
        Span(index, index + 3),
    )


def _start(event: Any) -> int:
    return int(event.start_mark.index)


def _end(event: Any) -> int:
    return int(event.end_mark.index)
