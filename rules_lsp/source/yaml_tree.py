"""YAML as a tree in which every node has its place.

`parse_yaml` never raises and never runs anything: it composes nodes from libyaml's events, so tags construct nothing,
plain scalars stay the text that their author wrote, and an alias points to its node instead of copying it. Depth,
alias expansion and the number of repairs are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import yaml

from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_errors import character_problem, syntax_problem, without_forbidden
from rules_lsp.source.yaml_repair import PLACEHOLDER, repair_for

_Parser: Any
try:
    from yaml._yaml import CParser as _Parser
except ImportError:  # PyYAML was built without libyaml: slower, and it refuses a tab after a comma
    from yaml import Loader as _Parser

MAX_DEPTH = 100
MAX_ALIASED_NODES = 10_000
MAX_REPAIRS = 100
MAX_REPARSED_CHARACTERS = 4 * 1024 * 1024

STANDARD_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar. `span` lies inside the quotes, `token` is the whole of it with quotes, tag and anchor.

    `style` is the first character of its notation: `'`, `"`, `|`, `>`, or empty for a plain one.
    """

    value: str
    span: Span
    token: Span
    style: str = ""
    tag: str | None = None

    @property
    def says_nothing(self) -> bool:
        """Whether nothing is written here, or a bare `~`: an entry that is the word `null` is a text."""
        return self.style == "" and self.tag is None and self.value in ("", "~")

    @property
    def is_merge(self) -> bool:
        """Whether it is a key that merges another mapping into its own."""
        return (self.value == "<<" and not self.style) or self.tag == f"{STANDARD_TAG}merge"

    @property
    def is_null(self) -> bool:
        """Whether a key with this value has none: nothing, `~` or a plain `null`."""
        return self.says_nothing or (self.style == "" and self.tag is None and self.value in ("null", "Null", "NULL"))


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, in block or in flow style."""

    items: tuple[Node, ...]
    span: Span
    flow: bool
    tag: str | None = None

    @property
    def token(self) -> Span:
        """The whole of it."""
        return self.span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Pairs in the order in which they are written; a key may stand twice."""

    pairs: tuple[tuple[Node, Node], ...]
    span: Span
    flow: bool
    tag: str | None = None

    @property
    def token(self) -> Span:
        """The whole of it."""
        return self.span

    def get(self, key: str) -> Node | None:
        """The value of the first pair with that key, aliases followed."""
        pairs = ((key_text(name), value) for name, value in self.pairs)
        return next((resolve(value) for name, value in pairs if name is not None and name.value == key), None)


@dataclass(slots=True)
class Alias:
    """`*name`. `target` is the anchored node, or None while that node is still open: a node inside itself."""

    name: str
    span: Span
    target: Scalar | Sequence | Mapping | None

    @property
    def token(self) -> Span:
        """The whole of it."""
        return self.span


Node = Scalar | Sequence | Mapping | Alias


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """What became of a text.

    `root` is the tree, or None where the text is empty or does not parse; `error` says why it does not. `partial` is
    what an editor can still show of it: the sections of the top level that are whole, with offsets into the same
    text. `problems` holds every fault that was found on the way, `error` first.
    """

    root: Node | None
    error: Problem | None
    partial: Node | None
    problems: tuple[Problem, ...] = ()


def resolve(node: Node) -> Scalar | Sequence | Mapping | None:
    """The node that an alias stands for, the node itself otherwise, None for a node inside itself."""
    return node.target if isinstance(node, Alias) else node


def key_text(key: Node) -> Scalar | None:
    """The text that a key is, at the place where the key stands, or None; an alias is the text of its anchor."""
    named = resolve(key)
    if not isinstance(named, Scalar):
        return None
    return replace(named, span=key.span, token=key.token) if isinstance(key, Alias) else named


def parse_yaml(text: Text, span: Span | None = None) -> YamlDocument:
    """Parse a text, or a span of it; every place in the answer is an offset into the whole text."""
    start = span.start if span else 0
    content = text.slice(span) if span else text.content
    if content.startswith("\ufeff"):
        content, start = content[1:], start + 1
    found = character_problem(content)
    if found is not None and found.code == "unreadable-file":
        return _failed(None, [_shift(found, start)])
    problems = [] if found is None else [_shift(found, start)]
    repaired = content if found is None else without_forbidden(content)
    outcome = _compose(repaired, content, start)
    if not isinstance(outcome, _Fault):
        return YamlDocument(outcome, None, outcome) if found is None else _failed(outcome, problems)
    partial: Node | None = None
    # Each repair is followed by a parse of the whole: the work is bounded by characters, not by faults alone.
    for _ in range(min(MAX_REPAIRS, max(1, MAX_REPARSED_CHARACTERS // max(1, len(content))))):
        repair = repair_for(repaired, outcome.problem)
        problems.append(_shift(repair.problem, start))
        if repair.content is None:
            break
        repaired = repair.content
        again = _compose(repaired, content, start)
        if not isinstance(again, _Fault):
            partial = again
            break
        outcome = again
    return _failed(partial, problems)


def _failed(partial: Node | None, problems: list[Problem]) -> YamlDocument:
    return YamlDocument(None, problems[0], partial, tuple(problems))


def _shift(problem: Problem, by: int) -> Problem:
    if not by:
        return problem
    return Problem(
        problem.code, problem.message, problem.span.shifted(by), problem.severity, problem.data, problem.related
    )


@dataclass(frozen=True, slots=True)
class _Fault:
    """Why composing stopped; the problem's span counts from the start of the content that was parsed."""

    problem: Problem


class _Open:
    """A collection whose end has not been reached."""

    __slots__ = ("anchor", "children", "flow", "is_mapping", "start", "tag")

    def __init__(self, event: Any, start: int) -> None:
        self.is_mapping = isinstance(event, yaml.MappingStartEvent)
        self.start = start
        self.flow = bool(event.flow_style)
        self.tag = event.tag
        self.anchor = event.anchor
        self.children: list[Node] = []

    def close(self, end: int) -> Sequence | Mapping:
        # A block collection ends for the parser where the next token starts: its own end is that of its last child.
        if not self.flow:
            end = max(self.start, self.children[-1].token.end if self.children else self.start)
        span = Span(self.start, end)
        if not self.is_mapping:
            return Sequence(tuple(self.children), span, self.flow, self.tag)
        pairs = tuple(zip(self.children[::2], self.children[1::2], strict=True))
        return Mapping(pairs, span, self.flow, self.tag)


def _compose(content: str, original: str, base: int) -> Node | None | _Fault:
    """The single document of the content; offsets in the nodes are shifted by `base`, those of a fault are not.

    `original` is the content before repairs, of the same length: a scalar that was mended gets its text from there.
    """
    stack: list[_Open] = []
    anchors: dict[str, Scalar | Sequence | Mapping | None] = {}
    aliased = _AliasBudget()
    root: Node | None = None
    documents = 0
    parser: Any = None
    try:
        parser = _Parser(content)
        while True:
            event: Any = parser.get_event()
            if event is None or isinstance(event, yaml.StreamEndEvent):
                return root
            node: Node
            if isinstance(event, yaml.ScalarEvent):
                node = scalar = _scalar(event, original, base)
                if event.anchor:
                    anchors[event.anchor] = scalar
            elif isinstance(event, yaml.CollectionStartEvent):
                if len(stack) >= MAX_DEPTH:
                    return _Fault(_too_deep(event.start_mark.index))
                opened = _Open(event, event.start_mark.index + base)
                if opened.anchor:
                    anchors[opened.anchor] = None
                stack.append(opened)
                continue
            elif isinstance(event, yaml.CollectionEndEvent):
                done = stack.pop()
                node = closed = done.close(event.end_mark.index + base)
                if done.anchor:
                    anchors[done.anchor] = closed
            elif isinstance(event, yaml.AliasEvent):
                span = Span(event.start_mark.index, event.end_mark.index)
                if event.anchor not in anchors:
                    return _Fault(_undefined_alias(str(event.anchor), span))
                node = alias = Alias(str(event.anchor), span.shifted(base), anchors[event.anchor])
                if not aliased.afford(alias):
                    return _Fault(_too_many_aliases(span))
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    return _Fault(_second_document(event.start_mark.index))
                continue
            else:
                continue
            if stack:
                stack[-1].children.append(node)
            else:
                root = node
    except yaml.YAMLError as error:
        return _Fault(syntax_problem(error, content, documents))
    finally:
        if parser is not None:
            parser.dispose()


def _scalar(event: Any, content: str, base: int) -> Scalar:
    start, end = event.start_mark.index, event.end_mark.index
    style = event.style or ""
    if style in ("|", ">"):
        # The parser ends a block of text where the next token starts.
        end = start + len(content[start:end].rstrip())
    inner = start
    if event.tag or event.anchor:
        inner = _skip_properties(content, start, end)
    inner_end = end
    if style in ("'", '"') and style:
        inner, inner_end = inner + 1, end - 1
    token = Span(start + base, end + base)
    if event.value.startswith(PLACEHOLDER):
        return Scalar(content[start:end], token, token)
    return Scalar(event.value, Span(inner + base, max(inner, inner_end) + base), token, style, event.tag)


def _skip_properties(content: str, start: int, end: int) -> int:
    """The offset behind the tag and the anchor in front of a scalar."""
    while start < end and content[start] in "!&":
        while start < end and not content[start].isspace():
            start += 1
        while start < end and content[start].isspace():
            start += 1
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


__all__ = ["Alias", "Mapping", "Node", "Scalar", "Sequence", "YamlDocument", "key_text", "parse_yaml", "resolve"]
