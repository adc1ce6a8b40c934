"""Tool patterns with `*` and `?`, and an index that finds the patterns of a reading without trying each of them."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.policy.tools.names import Reading


def is_wild(pattern: str) -> bool:
    """Whether a pattern holds a wildcard."""
    return "*" in pattern or "?" in pattern


class Wildcard:
    """A pattern in which `*` is any run of characters and `?` any one. Matching costs O(pattern x text)."""

    __slots__ = ("_first", "_last", "_middle")

    def __init__(self, pattern: str) -> None:
        first, *rest = pattern.split("*")
        self._first = first
        self._last = rest.pop() if rest else None
        self._middle = tuple(run for run in rest if run)

    def matches(self, text: str) -> bool:
        """Whether the pattern matches the whole text, letter for letter."""
        if self._last is None:
            return len(text) == len(self._first) and _fits(text, 0, self._first)
        place, end = len(self._first), len(text) - len(self._last)
        if place > end or not _fits(text, 0, self._first) or not _fits(text, end, self._last):
            return False
        for run in self._middle:
            # The leftmost place leaves the most room for what follows, so no other has to be tried.
            place = _find(text, run, place, end)
            if place < 0:
                return False
            place += len(run)
        return True


class ToolIndex:
    """Numbers under pairs of patterns `(server, tool)`; the server None is that of built-in tools and no wildcard is.

    Pairs without a wildcard, and those with one on one side, are found in a dictionary.
    """

    def __init__(self) -> None:
        self._exact: dict[Reading, list[int]] = {}
        self._by_server: dict[str | None, list[tuple[Wildcard, int]]] = {}
        self._by_tool: dict[str, list[tuple[Wildcard, int]]] = {}
        self._wild: list[tuple[Wildcard, Wildcard, int]] = []

    def add(self, pattern: Reading, number: int) -> None:
        """Put a number under a pair of patterns."""
        server, tool = pattern
        if server is None or not is_wild(server):
            if is_wild(tool):
                self._by_server.setdefault(server, []).append((Wildcard(tool), number))
            else:
                self._exact.setdefault(pattern, []).append(number)
        elif is_wild(tool):
            self._wild.append((Wildcard(server), Wildcard(tool), number))
        else:
            self._by_tool.setdefault(tool, []).append((Wildcard(server), number))

    def find(self, reading: Reading) -> Iterator[int]:
        """The numbers whose patterns match, in no particular order; one number may come more than once."""
        server, tool = reading
        yield from self._exact.get(reading, ())
        yield from (number for pattern, number in self._by_server.get(server, ()) if pattern.matches(tool))
        if server is None:
            return
        yield from (number for pattern, number in self._by_tool.get(tool, ()) if pattern.matches(server))
        yield from (number for one, other, number in self._wild if other.matches(tool) and one.matches(server))


def _fits(text: str, at: int, run: str) -> bool:
    if "?" not in run:
        return text.startswith(run, at)
    return all(letter in ("?", text[at + index]) for index, letter in enumerate(run))


def _find(text: str, run: str, start: int, end: int) -> int:
    if "?" not in run:
        return text.find(run, start, end)
    return next((place for place in range(start, end - len(run) + 1) if _fits(text, place, run)), -1)
