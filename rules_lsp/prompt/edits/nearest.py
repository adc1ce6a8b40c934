"""The place that is most like a block which stands nowhere, and what differs there.

First the block is looked for with everything folded away in which copies of a text differ: line ends, white space, line
breaks, case, look-alike characters. Where that finds nothing, the lines that it shares with the text vote for a place;
where it shares none, the line with most in common with its longest line is the place. Each look costs time in
proportion to the text, and all looks of a batch share one budget.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate

from rules_lsp.policy.requests import shown
from rules_lsp.prompt.edits.foldings import differences, folded
from rules_lsp.prompt.edits.model import Nearest, Place
from rules_lsp.source.excerpt import bounded
from rules_lsp.source.text import Span, Text

MAX_CONTENT = 4 * 1024 * 1024
"""Characters of a text in which the nearest place is looked for: its first ones."""
BUDGET = 64 * 1024 * 1024
"""Characters that all looks of a batch may go over."""
_COMMON = 50
"""A line that stands more often says nothing about a place."""
_MOST_GRAMS_LINES = 20_000
_MOST_LINE = 400
_ENOUGH_ALIKE = 0.35
_DIFFERENT = "text"


class Budget:
    """What may still be spent on looking."""

    def __init__(self, characters: int = BUDGET) -> None:
        self._left = characters

    def spend(self, characters: int) -> bool:
        """Take some of it; False where that is more than is left."""
        if characters > self._left:
            return False
        self._left -= characters
        return True


class NearestFinder:
    """Looks for what is most like a block in one text. What is folded is folded once."""

    def __init__(self, path: str, text: Text) -> None:
        self._path = path
        self._text = text

    def nearest(self, block: str, budget: Budget) -> Nearest | None:
        """The nearest place, or None where nothing is like the block or the budget is spent."""
        if not budget.spend(min(len(self._text.content), MAX_CONTENT) + len(block)):
            return None
        lines = _lines(block)
        keys = [folded(line) for line in lines[: self._text.line_count + 1]]
        needle = "".join(keys)
        if not needle:
            return None
        at = self._joined.find(needle)
        if at >= 0:
            return self._folded_match(block, at, at + len(needle))
        start = self._voted(keys)
        if start is None:
            longest = max(range(len(keys)), key=lambda index: len(keys[index]))
            found = self._most_alike(keys[longest]) if len(keys[longest]) <= _MOST_LINE else None
            if found is None:
                return None
            start = found - longest
        return self._unlike(lines, keys, start)

    @cached_property
    def _keys(self) -> list[str]:
        return [folded(line) for line in _lines(self._text.content[:MAX_CONTENT])]

    @cached_property
    def _joined(self) -> str:
        return "".join(self._keys)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(map(len, self._keys))]

    @cached_property
    def _lines_of(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, key in enumerate(self._keys):
            if key:
                found.setdefault(key, []).append(number)
        return found

    def _folded_match(self, block: str, start: int, end: int) -> Nearest:
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        place = self._place(first, last)
        differs = differences(block, self._text.slice(place.span)) or (_DIFFERENT,)
        sentence = f"line {first + 1:,} is the same but for {_listed(differs)}"
        return Nearest(place, differs, sentence)

    def _voted(self, keys: list[str]) -> int | None:
        """The line at which the block would begin for most of the lines that it shares with the text."""
        votes: Counter[int] = Counter()
        for index, key in enumerate(keys):
            numbers = self._lines_of.get(key, ())
            if len(numbers) <= _COMMON:
                votes.update(number - index for number in numbers)
        return min(votes, key=lambda start: (-votes[start], start)) if votes else None

    def _most_alike(self, key: str) -> int | None:
        """The line that shares most of its runs of three characters with a folded line, if it shares many."""
        wanted = _grams(key)
        best, alike = None, _ENOUGH_ALIKE
        for number, other in enumerate(self._keys[:_MOST_GRAMS_LINES]):
            if not other or len(other) > _MOST_LINE:
                continue
            grams = _grams(other)
            score = 2 * len(wanted & grams) / (len(wanted) + len(grams))
            if score > alike:
                best, alike = number, score
        return best

    def _unlike(self, lines: list[str], keys: list[str], start: int) -> Nearest:
        """The answer for a place at which lines are others; it tells of the first of them."""
        first = max(0, start)
        last = max(first, min(start + len(keys) - 1, len(self._keys) - 1))
        place = self._place(first, last)
        for index, key in enumerate(keys):
            number = start + index
            if not 0 <= number < len(self._keys):
                sentence = f"line {first + 1:,} is alike, but the block goes on where the file does not"
                return Nearest(place, (_DIFFERENT,), sentence)
            if key != self._keys[number]:
                have = _quoted(self._text.slice(self._text.line_span(number)))
                want = _quoted(lines[index])
                sentence = f"line {number + 1:,} has {have} where the block has {want}"
                return Nearest(place, (_DIFFERENT,), sentence)
        # Only what is longer than a text can hold is left out of the keys.
        sentence = f"line {first + 1:,} is alike, but the block is longer than the file"
        return Nearest(place, (_DIFFERENT,), sentence)

    def _place(self, first: int, last: int) -> Place:
        start, end = self._text.line_span(first).start, self._text.line_span(last).end
        return Place(self._path, self._text, Span(start, end))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _grams(key: str) -> set[str]:
    return {key[at : at + 3] for at in range(max(1, len(key) - 2))}


def _quoted(line: str) -> str:
    visible = unicodedata.normalize("NFC", line.strip())
    return f"`{shown(bounded(visible, 60))}`" if visible else "an empty line"


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
