"""The keys of a rule file, and the known key that a slip of the pen means."""

from __future__ import annotations

from functools import lru_cache

TOP_LEVEL = ("system_prompt_extension", "allowed_tools", "denied_tools", "file_patterns")
PATTERNS = ("include", "exclude")
EXTENSIONS = ("x-unprotected", "x-tool-paths")
MAX_SLIP = 3

_OPPOSITE = {"allowed_tools": "denied_tools", "include": "exclude"}
_NEGATIONS = ("dis", "non", "not", "un", "no")


@lru_cache(maxsize=4096)
def meant_key(key: str, known: tuple[str, ...]) -> str | None:
    """The known key that `key` is read as: nearer than all others and at most `MAX_SLIP` edits away, or None.

    Case, `-` and `_` do not count. A word that negates an allowing key (`disallowed_tools`) means its opposite, however
    near it comes to the key itself.
    """
    plain = _plain(key)
    for name, opposite in _OPPOSITE.items():
        if opposite in known and any(_negates(plain, prefix, _plain(name)) for prefix in _NEGATIONS):
            return opposite
    ranked = sorted((edit_distance(plain, _plain(name), MAX_SLIP + 1), name) for name in known)
    if not plain or ranked[0][0] > MAX_SLIP or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def edit_distance(left: str, right: str, limit: int) -> int:
    """The number of letters to insert, delete or replace between two words, at most `limit`."""
    if abs(len(left) - len(right)) >= limit:
        return limit
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
        if min(row) >= limit:
            return limit
    return min(row[-1], limit)


def _negates(plain: str, prefix: str, name: str) -> bool:
    return plain.startswith(prefix) and edit_distance(plain[len(prefix) :], name, MAX_SLIP) < MAX_SLIP


def _plain(key: str) -> str:
    return key.casefold().replace("-", "").replace("_", "")
