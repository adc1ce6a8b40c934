"""The nodes of a YAML tree: each with its place, none with a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Span

STANDARD_TAG = "tag:yaml.org,2002:"
PLACEHOLDER = "\u2400"
"""What a repair puts in place of a character that YAML cannot take where it stands."""
_ITEM = expression(r"^ *- (['\"]?)([^\r\n]*?)\1\r?$", re.MULTILINE)


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
class RunItem:
    """An item of a run: its text, its quote or nothing, and where its text begins, counted from the run's start."""

    text: str
    quote: str
    start: int


@dataclass(frozen=True, slots=True)
class Run:
    """Items of a block list, one a line, each with nothing but its text; `written` is what stands at `token`.

    It stands for scalars that need not be made: what is written, and nothing else, decides what they are.
    """

    written: str
    token: Span

    @property
    def items(self) -> tuple[RunItem, ...]:
        """Its items by their places in the run."""
        return _items(self.written)

    def nodes(self) -> Iterator[Scalar]:
        """Its items as nodes."""
        for item in self.items:
            start = self.token.start + item.start
            span = Span(start, start + len(item.text))
            token = Span(span.start - len(item.quote), span.end + len(item.quote))
            yield Scalar(item.text, span, token, item.quote)


@lru_cache(maxsize=256)
def _items(written: str) -> tuple[RunItem, ...]:
    return tuple(RunItem(match[2], match[1], match.start(2)) for match in _ITEM.finditer(written))


@dataclass(frozen=True)
class Sequence:
    """A list, in block or in flow style. `parts` are its items, some of them together as runs."""

    parts: tuple[Node | Run, ...]
    span: Span
    flow: bool
    tag: str | None = None

    @cached_property
    def items(self) -> tuple[Node, ...]:
        """Its items, one by one."""
        return tuple(node for part in self.parts for node in (part.nodes() if isinstance(part, Run) else (part,)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.items, self.span, self.flow, self.tag

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


def resolve(node: Node) -> Scalar | Sequence | Mapping | None:
    """The node that an alias stands for, the node itself otherwise, None for a node inside itself."""
    return node.target if isinstance(node, Alias) else node


def key_text(key: Node) -> Scalar | None:
    """The text that a key is, at the place where the key stands, or None; an alias is the text of its anchor."""
    named = resolve(key)
    if not isinstance(named, Scalar):
        return None
    return replace(named, span=key.span, token=key.token) if isinstance(key, Alias) else named
