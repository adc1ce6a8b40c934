"""Positions: a document's text, half-open code-point spans, and the conversion to editor positions.

Inside the package every place is a `Span`: offsets into the text in Unicode code points, base 0, end excluded.
At the edges a place is a `Position`: line and character, both base 0, the character counted in the units of the
negotiated encoding (`utf-8` bytes, `utf-16` code units, `utf-32` code points). Lines end at LF, CRLF or a lone CR
and nowhere else: U+0085, U+2028 and U+2029 are ordinary characters, as the protocol says. This is the only module
that converts one into the other.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Encoding: TypeAlias = "Literal['utf-8', 'utf-16', 'utf-32']"
_LINE_BREAK = expression(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place as an editor counts it: both numbers base 0, the character in units of an `Encoding`."""

    line: int
    character: int


@dataclass(frozen=True, slots=True)
class Range:
    """Two positions, the end excluded."""

    start: Position
    end: Position

    def as_json(self) -> dict[str, dict[str, int]]:
        """The range in the shape of the language server protocol."""
        return {
            "start": {"line": self.start.line, "character": self.start.character},
            "end": {"line": self.end.line, "character": self.end.character},
        }


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open offsets into a text, in code points."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"no span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        """Whether a cursor at `offset` touches the span: its end counts."""
        return self.start <= offset <= self.end

    def shifted(self, by: int) -> Span:
        """The same span `by` code points further on."""
        return Span(self.start + by, self.end + by)


class Text:
    """An immutable document and the index of its lines."""

    def __init__(self, content: str) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"Text({len(self.content)} characters, {self.line_count} lines)"

    @cached_property
    def _starts(self) -> list[int]:
        if "\r" in self.content:
            return [0, *(match.end() for match in _LINE_BREAK.finditer(self.content))]
        return [0, *accumulate(len(line) + 1 for line in self.content.split("\n")[:-1])]

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one, and so has what follows a final line break."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The line, base 0, that holds `offset`."""
        return bisect_right(self._starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """The span of a line without its line break."""
        start = self._starts[line]
        if line + 1 == len(self._starts):
            return Span(start, len(self.content))
        end = self._starts[line + 1] - 1
        if end > start and self.content[end - 1 : end + 1] == "\r\n":
            end -= 1
        return Span(start, end)

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.content[span.start : span.end]

    def position(self, offset: int, encoding: Encoding = "utf-16") -> Position:
        """The position of an offset; one past the end of the text is its end."""
        offset = max(0, min(offset, len(self.content)))
        line = self.line_of(offset)
        return Position(line, _units(self.content[self._starts[line] : offset], encoding))

    def offset(self, position: Position, encoding: Encoding = "utf-16") -> int:
        """The offset of a position; a character past the end of its line is that end, a line past the last the end.

        A character in the middle of a surrogate pair or of a UTF-8 sequence is the start of that code point.
        """
        if position.line < 0:
            return 0
        if position.line >= self.line_count:
            return len(self.content)
        span = self.line_span(position.line)
        if encoding == "utf-32" or self._plain(span):
            return min(span.start + max(0, position.character), span.end)
        units = 0
        for index in range(span.start, span.end):
            units += _units(self.content[index], encoding)
            if units > position.character:
                return index
        return span.end

    def range(self, span: Span, encoding: Encoding = "utf-16") -> Range:
        """The range of a span."""
        return Range(self.position(span.start, encoding), self.position(span.end, encoding))

    def span(self, range_: Range, encoding: Encoding = "utf-16") -> Span:
        """The span of a range; a range whose end stands before its start is empty at its start."""
        start = self.offset(range_.start, encoding)
        return Span(start, max(start, self.offset(range_.end, encoding)))

    def _plain(self, span: Span) -> bool:
        return self.content.isascii() or self.content[span.start : span.end].isascii()


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    # A lone surrogate can stand in a buffer that an editor sends; it counts as the three bytes of its own encoding.
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
