"""The lines of a template as one text, and the way back from it to the document."""

from __future__ import annotations

import re
from bisect import bisect_right

from rules_lsp.source.expressions import expression
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules_lsp.source.yaml_nodes import Scalar

# A pair of surrogates is one character.
_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_CHARACTER = expression(rf"{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|.", re.DOTALL)


class JoinedItems:
    """The items of a list of texts, joined by line breaks; every line break is LF, as Jinja2 reads it."""

    def __init__(self, items: Sequence[Scalar], content: str) -> None:
        self._offsets: list[int] = []
        """For each character of `text` where it begins in the document, and where the last one ends."""
        self._starts: list[int] = []
        characters: list[str] = []
        for number, item in enumerate(items):
            if number:
                characters.append("\n")
                self._offsets.append(items[number - 1].span.end)
            self._starts.append(len(characters))
            self._add(item, content, characters)
        self._offsets.append(items[-1].span.end if items else 0)
        self.text = "".join(characters)

    def _add(self, item: Scalar, content: str, characters: list[str]) -> None:
        written = content[item.span.start : item.span.end]
        offset = item.span.start
        pieces = _CHARACTER.findall(written) if "\\" in written else written
        if len(pieces) != len(item.value):
            # Half a surrogate pair, or an escape that is none: the text counts, its places are near.
            pieces = [*item.value]
        for character, piece in zip(item.value, pieces, strict=True):
            if character == "\n" and characters and characters[-1] == "\r" and len(characters) > self._starts[-1]:
                characters[-1] = "\n"
            else:
                characters.append(character)
                self._offsets.append(min(offset, item.span.end))
            offset += len(piece)
        for index in range(self._starts[-1], len(characters)):
            if characters[index] == "\r":
                characters[index] = "\n"

    def span(self, start: int, end: int) -> Span:
        """The place in the document of a part of the text; of an empty part the character before or after it."""
        last = len(self._offsets) - 1
        first = self._offsets[max(0, min(start, last))]
        return Span(first, max(first, self._offsets[max(0, min(end, last))]))

    def item_of(self, offset: int) -> int:
        """The number, base 0, of the item that holds a place of the text."""
        return max(0, bisect_right(self._starts, offset) - 1)
