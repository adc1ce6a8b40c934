"""The one known name that a slip of the pen means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cached_property

SHORTEST = 4
LONGEST = 128
"""Characters of a name in which a slip is looked for: of shorter ones every other is near."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
# Words that servers bear or not: `github-mcp-server` is `github`.
_IDLE = frozenset({"mcp", "server"})


class Nearest:
    """Known names, and the nearest of them to a word. Asking costs the length of the word, not the number of names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(dict.fromkeys(names))

    def to(self, word: str) -> str | None:
        """The name that a word means, or None where none is really near or two are equally so.

        Near are names of the same words in another order, case or separation, and those from which one letter was
        left out, added, changed, or moved. Numbers must be the same.
        """
        found = {name for key in _keys(word) for name in self._by_key.get(key, ())} - {word}
        numbers = _numbers(word)
        ranked = sorted((-_ratio(word, name), name) for name in found if _numbers(name) == numbers)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return ranked[0][1]

    @cached_property
    def _by_key(self) -> dict[tuple[str, ...], list[str]]:
        by_key: dict[tuple[str, ...], list[str]] = {}
        for name in self._names:
            for key in _keys(name):
                by_key.setdefault(key, []).append(name)
        return by_key


def _keys(name: str) -> Iterator[tuple[str, ...]]:
    """What two names that are near have in common: their words, or their letters but for one of each."""
    words = [word.casefold() for word in _WORD.findall(name)]
    letters = "".join(words)
    yield ("", letters)
    telling = sorted(set(words) - _IDLE)
    if telling:
        yield tuple(telling)
    if SHORTEST <= len(letters) <= LONGEST:
        yield from {("", letters[:at] + letters[at + 1 :]): None for at in range(len(letters))}


def _numbers(name: str) -> str:
    return re.sub(r"\D+", " ", name)


def _ratio(word: str, name: str) -> float:
    return SequenceMatcher(None, word.casefold(), name.casefold(), autojunk=False).ratio()
