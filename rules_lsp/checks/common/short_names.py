"""Slips of short names, among which nearly every one is near to every other.

A slip is two letters that changed places, or one behind the first that was left out, added or, in a name of three
letters or more, changed. A name that projects ordinarily have is none: it means itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import cache

from rules_lsp.source.records import dataclass

_LONGEST = 10
"""Letters of a short name with its extension; of longer ones fewer slips leave a doubt, and others look for them."""
_LONGEST_PART = 4
_SHORTEST = 2
_SHORTEST_CHANGED = 3
_TABLE = os.path.join(os.path.dirname(__file__), "data", "ordinary_names.json")


@dataclass(frozen=True, slots=True)
class ShortSlip:
    """The name that was meant; it is `certain` where all letters are there."""

    name: str
    certain: bool


class ShortNames:
    """Known names, and the one that a slip of a short name means. Asking costs the length of the name."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_key: dict[str, list[str]] = {}
        for name in names:
            if len(name) <= _LONGEST:
                for key in _keys(name):
                    self._by_key.setdefault(key, []).append(name)

    def to(self, word: str) -> ShortSlip | None:
        """The one name that a word means, or None where it means itself or it is not certain which.

        The slip is in the name or in its extension.
        """
        if len(word) > _LONGEST:
            return None
        near = sorted({name for key in _keys(word) for name in self._by_key.get(key, ()) if name != word})
        parts = [(name, part) for name in near if (part := _differing_part(word, name)) is not None]
        for slip, certain in ((_is_swapped, True), (_is_changed, False)):
            found = [name for name, part in parts if slip(*part)]
            if found:
                return ShortSlip(found[0], certain) if len(found) == 1 else None
        return None


def _differing_part(word: str, name: str) -> tuple[str, str] | None:
    """The stems or the extensions of two names where the others are the same, and the first means nothing by itself."""
    (stem, extension), (other_stem, other_extension) = _parts(word), _parts(name)
    if extension == other_extension:
        ordinary, part = ordinary_names(), (stem, other_stem)
    elif stem == other_stem:
        ordinary, part = ordinary_extensions(), (extension, other_extension)
    else:
        return None
    return None if part[0].casefold() in ordinary or max(map(len, part)) > _LONGEST_PART else part


def _parts(name: str) -> tuple[str, str]:
    stem, _, extension = name.rpartition(".")
    return (stem, extension) if stem else (name, "")


def ordinary_names() -> frozenset[str]:
    """Short names that directories ordinarily have, folded."""
    return _table()["names"]


def ordinary_extensions() -> frozenset[str]:
    """Extensions that files ordinarily have, without a dot, folded."""
    return _table()["extensions"]


@cache
def _table() -> dict[str, frozenset[str]]:
    with open(_TABLE, encoding="utf-8") as file:
        return {key: frozenset(names) for key, names in json.load(file).items()}


def _keys(name: str) -> Iterator[str]:
    """What a name has in common with those from which a slip makes it: all letters, or all but one."""
    letters = name.casefold()
    yield "".join(sorted(letters))
    yield from {letters[:at] + letters[at + 1 :] + "\0" for at in range(1, len(letters))}
    yield letters + "\0"


def _is_swapped(word: str, name: str) -> bool:
    at = _first_difference(word, name)
    swapped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    return word != name and swapped == name and word[at : at + 2].isalpha()


def _is_changed(word: str, name: str) -> bool:
    """Whether one letter behind the first was left out, added or changed; digits and signs are no slips."""
    at = _first_difference(word, name)
    if at == 0 or min(len(word), len(name)) < _SHORTEST or word == name:
        return False
    if len(word) == len(name):
        same = word[at + 1 :] == name[at + 1 :] and len(word) >= _SHORTEST_CHANGED
        return same and (word[at] + name[at]).isalpha()
    shorter, longer = sorted((word, name), key=len)
    return longer[:at] + longer[at + 1 :] == shorter and longer[at].isalpha()


def _first_difference(word: str, name: str) -> int:
    together = zip(word, name, strict=False)
    return next((at for at, (one, other) in enumerate(together) if one != other), min(len(word), len(name)))
