"""What stands in a Markdown item beside the entry at a cursor: code marks around one entry unsay those without."""

from __future__ import annotations

from rules_lsp.policy.markdown.lists import MarkdownEntry
from rules_lsp.policy.markdown.read_markdown import MarkdownSection
from rules_lsp.policy.model import ListName
from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown import Block, Content, ItemList, Row, Table
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

_BAR = "|"
_COMMAS = ",，、"
# Whatever Markdown might take for a mark, a separator or an end of a sentence is not plain.
_PLAIN = expression(r"\.{0,2}/?[^\W_]+(?:_+[^\W_]+)*(?:[./@+-]+[^\W_]+(?:_+[^\W_]+)*)*/?")


@dataclass(frozen=True, slots=True)
class Beside:
    """The other entries of an item.

    `plain` tells whether some are read only as long as nothing in the item stands in code marks. `markable` are all of
    them where they can be put in code marks themselves without being read otherwise; else empty.
    """

    plain: bool
    markable: tuple[Span, ...] = ()


NOTHING_BESIDE = Beside(False)


def is_plain(text: str) -> bool:
    """Whether an entry is read as itself without code marks, wherever it stands between commas."""
    return _PLAIN.fullmatch(text) is not None


def entries_beside(
    blocks: tuple[Block, ...], text: Text, section: MarkdownSection, offset: int, written: Span, list_name: ListName
) -> Beside | None:
    """What stands beside an entry at a cursor; None where one cannot be written without a change of another.

    `written` is the text that is being replaced, the marks around it not included.
    """
    content, row = _content_at(blocks, text, offset)
    inside = [
        item
        for item in (section.entries if content is not None else ())
        if content is not None and content.span.start <= item.entry.span.start < content.span.end
    ]
    if row is not None and not inside and any(_is_of(item, row, list_name) for item in section.entries):
        # A table has one column of entries: an entry in another would take its place.
        return None
    others = [item for item in inside if not _touches(item.entry.span, written)]
    if content is None or not others:
        return NOTHING_BESIDE
    if all(item.quoted for item in inside) or _in_code(content, offset):
        return Beside(False, tuple(item.entry.span for item in others))
    behind = text.slice(Span(min(content.span.end, written.end), content.span.end))
    if written.start == written.end and behind[:1] != "`" and behind.lstrip()[:1] not in ("", *_COMMAS):
        # It would be one entry with what stands behind it.
        return None
    spans = tuple(item.entry.span for item in others)
    sound = all(
        not item.quoted and item.entry.broken is None and text.slice(item.entry.span) == item.entry.text
        for item in others
    )
    apart = all(one.end < other.start for one, other in zip(spans, spans[1:], strict=False))
    return Beside(True, spans if sound and apart and _is_alone(text, content.span, written) else ())


def _content_at(blocks: tuple[Block, ...], text: Text, offset: int) -> tuple[Content | None, Row | None]:
    """The paragraph of an item, or the cell and its row, on whose lines an offset stands."""
    number = text.line_of(offset)
    for block in blocks:
        if not block.span.start <= offset <= block.span.end:
            continue
        if isinstance(block, Table):
            row = next((row for row in block.rows if row.span.start <= offset <= row.span.end), None)
            return (_cell_at(row, text, offset) if row is not None else None), row
        for item in block.items if isinstance(block, ItemList) else ():
            if not item.span.start <= offset <= item.span.end:
                continue
            found = _content_at(item.blocks, text, offset)
            if found != (None, None):
                return found
            content = item.content
            if content is not None and content.lines:
                first, last = text.line_of(content.span.start), text.line_of(content.span.end)
                if first <= number <= last:
                    return content, None
    return None, None


def _is_of(item: MarkdownEntry, row: Row, list_name: ListName) -> bool:
    return item.entry.list == list_name and row.span.start <= item.entry.span.start < row.span.end


def _cell_at(row: Row, text: Text, offset: int) -> Content | None:
    for cell in row.cells:
        between = Span(min(offset, cell.span.end), max(offset, cell.span.start))
        if cell.lines and (between.start >= between.end or _BAR not in text.slice(between)):
            return cell
    return None


def _in_code(content: Content, offset: int) -> bool:
    return any(piece.kind == "code" and piece.outer.start <= offset < piece.outer.end for piece in content.pieces)


def _touches(span: Span, other: Span) -> bool:
    return span.start <= other.end and other.start <= span.end


def _is_alone(text: Text, content: Span, written: Span) -> bool:
    """Whether no mark and no word but what is written stands between its commas, and no code mark anywhere else."""
    before = text.slice(Span(content.start, max(content.start, written.start)))
    behind = text.slice(Span(min(content.end, written.end), content.end))
    own = before[-1:] == "`"
    closed = own and behind[:1] == "`"
    before, behind = before[: len(before) - own], behind[closed:].lstrip(" \t")
    return "`" not in before + behind and (not behind or behind[0] in _COMMAS)
