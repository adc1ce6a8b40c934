"""Where a cursor stands in JSON with comments, however broken what stands around it is.

The tokens in front of the cursor say it, in one walk: what stands behind is looked at for the next sign only.
"""

from __future__ import annotations

import json
import re

from rules_lsp.features.completion_place import Place, Written, in_snippet
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

# What is never closed is taken to the end of its line, a comment to the end of the text.
_TOKEN = expression(
    r'(?P<text>"(?:[^"\\\r\n]|\\[^\r\n])*+(?P<end>"?))|(?P<remark>//[^\r\n]*+)|(?P<block>/\*(?:.*?\*/|.*))'
    r"|(?P<sign>[{}\[\]:,])|(?P<word>(?:[^\s{}\[\]:,\"/]|/(?![/*]))++)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class JsonPlace:
    """A place in a tree.

    `path` are the keys above it; `item`: it is an item of a list, `is_key`: a key belongs there.
    `span` is what is being written, inside of its quotes; `quoted`: it has some, `closed`: they end.
    `colon`: it is a key with its colon. `comma_at` is where a comma is missing in front of it, or None; `goes_on` tells
    whether another follows without one.
    """

    path: tuple[str, ...]
    item: bool
    is_key: bool
    span: Span
    quoted: bool
    closed: bool
    colon: bool
    comma_at: int | None
    goes_on: bool


@dataclass(slots=True)
class _Open:
    """A bracket that is open: its last key, whether a colon stands behind that, and where its last value ends."""

    is_mapping: bool
    key: str | None = None
    colon: bool = False
    value_end: int | None = None


def json_place(text: Text, offset: int) -> JsonPlace | None:
    """The place of a cursor; None in comments, behind a key without its colon, and outside of all brackets."""
    content = text.content
    opened: list[_Open] = []
    span, quoted, closed, behind = Span(offset, offset), False, False, offset
    for match in _TOKEN.finditer(content):
        if match.start() >= offset:
            break
        ends = match.end()
        if match["remark"] is not None or match["block"] is not None:
            ended = match["block"] is not None and match[0].endswith("*/") and len(match[0]) > 3
            if offset < ends or (offset == ends and not ended):
                return None
        elif match["text"] is not None:
            closed = bool(match["end"])
            if offset < ends or (offset == ends and not closed):
                span, quoted, behind = Span(match.start() + 1, ends - closed), True, ends
                break
            closed = False
            _take(opened, content[match.start() + 1 : ends - bool(match["end"])], ends)
        elif match["word"] is not None:
            if offset <= ends:
                span, behind = Span(match.start(), ends), ends
                break
            _take(opened, match[0], ends)
        else:
            _sign(opened, match[0], ends)
    if not opened:
        return None
    inner = opened[-1]
    if inner.is_mapping and inner.key is not None and not inner.colon:
        return None
    is_key = inner.is_mapping and (not inner.colon or inner.value_end is not None)
    path = tuple(each.key or "" for each in opened[:-1] if each.is_mapping)
    if inner.is_mapping and not is_key:
        path = (*path, inner.key or "")
    following = _following(content, behind)
    goes_on = following not in ("", ",", "}", "]", ":")
    return JsonPlace(
        path, not inner.is_mapping, is_key, span, quoted, closed, following == ":", inner.value_end, goes_on
    )


def decoded(written: str) -> str:
    """The text that the inside of a JSON text stands for; itself where it is none."""
    if "\\" not in written:
        return written
    try:
        return str(json.loads(f'"{written}"'))
    except ValueError:
        return written


@dataclass(frozen=True, slots=True)
class JsonStyle:
    """A key or a value of JSON, with the commas that it needs.

    `values` has what belongs behind each key, and the same with a tab stop; a value has none. `plain` values take no
    quotes.
    """

    place: JsonPlace
    values: dict[str, tuple[str, str]]
    plain: bool = False
    lead: str = ""

    def write(self, text: str, *, partial: bool) -> Written:
        """The key or value in the quotes that stand there, or in new ones."""
        place = self.place
        touched = not place.quoted and place.comma_at == place.span.start
        also: tuple[TextEdit, ...] = ()
        if place.comma_at is not None and not touched:
            also = (TextEdit(Span(place.comma_at, place.comma_at), ","),)
        opening = (", " if touched else "") + ("" if place.quoted or self.plain else '"')
        closing = "" if place.closed or self.plain else '"'
        value, stop = self.values.get(text, ("", ""))
        if place.colon or not value:
            return Written(f"{opening}{text}{closing}{self._comma}", None, also)
        if place.closed:
            # What stands behind the quotes is written there, where no tab stop can be.
            end = place.span.end + 1
            return Written(text, None, (*also, TextEdit(Span(end, end), f": {value}{self._comma}")))
        head = f"{opening}{text}{closing}: "
        snippet = f"{in_snippet(head)}{stop}{self._comma}"
        return Written(f"{head}{value}{self._comma}", snippet, also)

    @property
    def _comma(self) -> str:
        return "," if self.place.goes_on else ""


def as_place(text: Text, offset: int, found: JsonPlace, style: JsonStyle) -> Place:
    """The place as completion takes it."""
    before = decoded(text.content[found.span.start : offset])
    after = decoded(text.content[offset : found.span.end])
    return Place(found.path, None, found.span, before, after, style)


def _take(opened: list[_Open], written: str, end: int) -> None:
    """A text or a word that is a key or a value."""
    if not opened:
        return
    inner = opened[-1]
    if inner.is_mapping and not inner.colon:
        inner.key = decoded(written)
    else:
        inner.value_end = end


def _sign(opened: list[_Open], sign: str, end: int) -> None:
    if sign in "{[":
        opened.append(_Open(sign == "{"))
    elif sign in "}]":
        if opened:
            opened.pop()
        if opened:
            opened[-1].value_end = end
    elif opened and sign == ":":
        opened[-1].colon = opened[-1].is_mapping
    elif opened:
        inner = opened[-1]
        inner.key, inner.colon, inner.value_end = None, False, None


def _following(content: str, offset: int) -> str:
    """The first character of the next token that is no comment; empty at the end."""
    for match in _TOKEN.finditer(content, offset):
        if match["remark"] is None and match["block"] is None:
            return content[match.start()]
    return ""
