"""The structure of a Markdown document (CommonMark, tables, strikethrough, task items) with exact places.

Nothing here knows of rules. `parse_markdown` never raises; its time is linear in the text. All places are spans of
the document: code points, half-open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown_blocks import block_tokens, front_matter_line_count
from rules_lsp.source.markdown_inline import InlineSource, Piece, scan_inline
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from markdown_it.token import Token

_TASK = expression(r"\[([ xX~-])\][ \t]+(?=\S)")


class Content:
    """The inline content of a paragraph, a heading or a cell; it is scanned when first asked for."""

    def __init__(self, text: Text, lines: tuple[Span, ...], references: frozenset[str], cell: bool = False) -> None:
        self._text, self._references, self._cell = text, references, cell
        self.lines = lines

    def __repr__(self) -> str:
        return f"Content({self.source!r})"

    @property
    def span(self) -> Span:
        """From the first character of the content to its last."""
        return Span(self.lines[0].start, self.lines[-1].end) if self.lines else Span(0, 0)

    @property
    def source(self) -> str:
        """The content as written, its lines joined by `\\n`."""
        return "\n".join(self._text.slice(line) for line in self.lines)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The inline pieces in order."""
        return scan_inline(InlineSource(self._text, self.lines, self._cell), self._references)

    @property
    def plain(self) -> str:
        """What a reader sees, code included, without any marks."""
        return "".join(piece.text for piece in self.pieces if piece.kind != "mark")

    def without_task_marker(self) -> tuple[Content, bool | None]:
        """The content behind a task's `[ ]`, and whether the task is done; None where it is no task."""
        found = _TASK.match(self._text.slice(self.lines[0])) if self.lines else None
        if found is None:
            return self, None
        first = Span(self.lines[0].start + found.end(), self.lines[0].end)
        return Content(self._text, (first, *self.lines[1:]), self._references), found[1] in "xX"


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX or Setext heading; `level` is 1 to 6, `span` its text, `outer` its whole lines with marks."""

    level: int
    content: Content
    span: Span
    outer: Span


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `span` reaches from its first character to its last."""

    content: Content
    span: Span


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item of a list.

    `span` is its whole lines. `checked` tells whether a task is done and is None for other items. `content` is the
    first paragraph without the task's marker, or None where the item begins with something else; `blocks` are all
    blocks but that paragraph.
    """

    span: Span
    ordered: bool
    checked: bool | None
    content: Content | None
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ItemList:
    """A bullet or ordered list."""

    span: Span
    items: tuple[ListItem, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its trimmed cells, one for each column that is written."""

    span: Span
    cells: tuple[Content, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: header and body rows."""

    span: Span
    header: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced or indented code block.

    `lines` are its content without the block's indentation; `info` is the fence's info string, None for indented
    code; `opening` is the first line; `closed` tells whether a closing fence stands there.
    """

    span: Span
    lines: tuple[Span, ...]
    info: str | None
    closed: bool
    opening: Span


@dataclass(frozen=True, slots=True)
class Html:
    """A block of raw HTML; `comment` tells whether it is nothing but comments."""

    span: Span
    comment: bool


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote."""

    span: Span
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thematic break."""

    span: Span


Block = Heading | Paragraph | ItemList | Table | Code | Html | Quote | Rule


@dataclass(frozen=True, slots=True)
class MarkdownDocument:
    """A document's blocks in order.

    `front_matter` is the span of a leading `---` block, if any. `truncated` tells whether content nested deeper than
    the parser goes was left out. `unread_from` is the offset of the first line of those that were left out because
    there are too many, or None.
    """

    text: Text
    blocks: tuple[Block, ...]
    front_matter: Span | None
    truncated: bool
    unread_from: int | None = None

    def walk(self) -> Iterator[Block | ListItem]:
        """Every block and list item, a container before its content, in order."""
        yield from _walk(self.blocks)


def parse_markdown(text: Text) -> MarkdownDocument:
    """The structure of a document; every text has one."""
    front = front_matter_line_count(text)
    found = block_tokens(text, front)
    blocks = _Builder(text, found.references, found.tokens).blocks(0, len(found.tokens))
    matter = Span(0, text.line_span(front - 1).end) if front else None
    return MarkdownDocument(text, blocks, matter, found.truncated, found.unread_from)


def _walk(blocks: tuple[Block, ...]) -> Iterator[Block | ListItem]:
    for block in blocks:
        yield block
        if isinstance(block, Quote):
            yield from _walk(block.blocks)
        elif isinstance(block, ItemList):
            for item in block.items:
                yield item
                yield from _walk(item.blocks)


class _Builder:
    """Nodes from tokens. Recursion is as deep as the parser's nesting limit allows."""

    def __init__(self, text: Text, references: frozenset[str], tokens: tuple[Token, ...]) -> None:
        self._text, self._references, self._tokens = text, references, tokens
        self._ends = _container_ends(tokens)

    def blocks(self, start: int, end: int) -> tuple[Block, ...]:
        blocks: list[Block] = []
        at = start
        while at < end:
            block = self._block(at)
            if block is not None:
                blocks.append(block)
            at = self._ends[at] + 1
        return tuple(blocks)

    def _block(self, at: int) -> Block | None:
        token = self._tokens[at]
        kind = token.type
        span = self._lines(token)
        if kind == "heading_open":
            content = self._content(self._tokens[at + 1])
            return Heading(int(token.tag[1:]), content, content.span, span)
        if kind == "paragraph_open":
            content = self._content(self._tokens[at + 1])
            return Paragraph(content, content.span)
        if kind in ("bullet_list_open", "ordered_list_open"):
            return ItemList(span, self._items(at, kind == "ordered_list_open"))
        if kind == "table_open":
            return self._table(at, span)
        if kind == "fence":
            places = tuple(token.meta["places"])
            return Code(span, places, token.info.strip(), token.meta["closed"], token.meta["opening"])
        if kind == "code_block":
            places = tuple(token.meta["places"])
            return Code(span, places, None, True, places[0] if places else span)
        if kind == "html_block":
            return Html(span, _is_comment(token.content))
        if kind == "blockquote_open":
            return Quote(span, self.blocks(at + 1, self._ends[at]))
        return Rule(span) if kind == "hr" else None

    def _items(self, at: int, ordered: bool) -> tuple[ListItem, ...]:
        items: list[ListItem] = []
        item = at + 1
        while item < self._ends[at]:
            blocks = self.blocks(item + 1, self._ends[item])
            content: Content | None = None
            checked: bool | None = None
            if blocks and isinstance(blocks[0], Paragraph):
                content, checked = blocks[0].content.without_task_marker()
                blocks = blocks[1:]
            items.append(ListItem(self._lines(self._tokens[item]), ordered, checked, content, blocks))
            item = self._ends[item] + 1
        return tuple(items)

    def _table(self, at: int, span: Span) -> Table:
        rows = [
            Row(token.meta["place"], tuple(self._cell(place) for place in token.meta["places"]))
            for token in self._tokens[at : self._ends[at]]
            if token.type == "tr_open"
        ]
        return Table(span, rows[0], tuple(rows[1:]))

    def _cell(self, place: Span) -> Content:
        return Content(self._text, (place,), self._references, cell=True)

    def _content(self, inline: Token) -> Content:
        places: tuple[Span, ...] = tuple(inline.meta["places"])
        return Content(self._text, places, self._references)

    def _lines(self, token: Token) -> Span:
        """The whole lines of a token, without blank lines at their end."""
        first, last = token.map or (0, 0)
        last = min(last, self._text.line_count)
        while last > first + 1 and not self._text.slice(self._text.line_span(last - 1)).strip():
            last -= 1
        start = self._text.line_span(first).start
        return Span(start, self._text.line_span(max(first, last - 1)).end)


def _container_ends(tokens: tuple[Token, ...]) -> list[int]:
    """For each token the index of the one that closes it, of a leaf its own."""
    ends = list(range(len(tokens)))
    open_: list[int] = []
    for index, token in enumerate(tokens):
        if token.nesting > 0:
            open_.append(index)
        elif token.nesting < 0:
            ends[open_.pop()] = index
    return ends


def _is_comment(html: str) -> bool:
    rest = html.strip()
    while rest.startswith("<!--"):
        end = rest.find("-->", 4)
        rest = rest[end + 3 :].lstrip() if end >= 0 else ""
    return not rest
