"""Blocks in a text: where one stands, and what the text is once others have taken their place.

Line ends are the file's own. In a block LF and CRLF mean the same, and what is written takes the line end of the place.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cached_property

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

MAX_PLACES = 20
_CRLF = expression(r"\r\n")


@dataclass(frozen=True, slots=True)
class Replacement:
    """A span of the text (code points) and what takes its place, with the line ends of that place."""

    span: Span
    text: str


class Matcher:
    """A text in which blocks are looked for."""

    def __init__(self, content: str) -> None:
        self.content = content
        self._plain = content.replace("\r\n", "\n")

    @cached_property
    def _ends(self) -> list[int]:
        """Where in the plain text each line end stands that is CRLF in the content."""
        found = []
        for count, match in enumerate(_CRLF.finditer(self.content)):
            found.append(match.start() - count)
        return found

    def places(self, block: str) -> list[Span]:
        """Where a block stands, overlapping places counted, up to one more than `MAX_PLACES`."""
        wanted = block.replace("\r\n", "\n")
        found: list[Span] = []
        at = self._plain.find(wanted)
        while at >= 0 and len(found) <= MAX_PLACES:
            found.append(Span(self._offset(at), self._offset(at + len(wanted))))
            at = self._plain.find(wanted, at + 1)
        return found

    def replacement(self, place: Span, block: str, by: str) -> Replacement:
        """What to write where a block stands at `place`. What both blocks begin and end with is left untouched."""
        old, new = block.replace("\r\n", "\n"), by.replace("\r\n", "\n")
        head = len(os.path.commonprefix([old, new]))
        tail = len(os.path.commonprefix([old[head:][::-1], new[head:][::-1]]))
        start = self._plain_offset(place.start)
        span = Span(self._offset(start + head), self._offset(start + len(old) - tail))
        text = new[head : len(new) - tail]
        return Replacement(span, text.replace("\n", "\r\n") if self._is_crlf_at(place) else text)

    def replaced(self, replacements: list[Replacement]) -> str:
        """The text after replacements of which none touches another. A final line end is kept."""
        pieces: list[str] = []
        at = 0
        for each in sorted(replacements, key=lambda one: one.span):
            pieces += (self.content[at : each.span.start], each.text)
            at = each.span.end
        made = "".join(pieces) + self.content[at:]
        final = next((end for end in ("\r\n", "\n", "\r") if self.content.endswith(end)), "")
        return made + final if made and final and not made.endswith(("\n", "\r")) else made

    def _offset(self, plain: int) -> int:
        """The offset in the content of an offset in the plain text; that of a line end is where it begins."""
        return plain + bisect_left(self._ends, plain) if len(self._plain) != len(self.content) else plain

    def _plain_offset(self, offset: int) -> int:
        if len(self._plain) == len(self.content):
            return offset
        low, high = 0, len(self._plain)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._offset(middle) < offset else (low, middle)
        return low

    def _is_crlf_at(self, place: Span) -> bool:
        """Whether the line end in the place is CRLF; without one the next, else the one before."""
        if len(self._plain) == len(self.content):
            return False
        at = self.content.find("\n", place.start)
        at = self.content.rfind("\n", 0, place.start) if at < 0 else at
        return at > 0 and self.content[at - 1] == "\r"
