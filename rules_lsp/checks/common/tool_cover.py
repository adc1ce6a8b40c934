"""Which denying entry certainly covers every tool that another entry stands for.

A pattern covers another where its wildcards take in the other's: `github/*` covers `github/delete_*`. That is certain
but not complete; what is not found here may be covered all the same. Asking costs the length of the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from rules_lsp.policy.tools.entries import denied_patterns
from rules_lsp.policy.tools.lists import argument_form
from rules_lsp.policy.tools.names import Reading, fold, folded_readings
from rules_lsp.policy.tools.patterns import Wildcard, is_wild

MAX_FREE = 64
"""Patterns of one place whose wildcard stands neither at the beginning nor at the end alone; others are not asked."""
MAX_POSITIONS = 4
"""Entries of one pattern that are told; the first one is always among them."""

_STARS = re.compile(r"\*+")


class DenyingCover:
    """The denying entries by what they cover. One with arguments is passed over: its author meant less than it does."""

    def __init__(
        self, denying: Sequence[str], patterns_of: Callable[[str], Iterable[Reading]] = denied_patterns
    ) -> None:
        """`denying` are the entries' texts, `patterns_of` tells the patterns that one stands for, folded."""
        self._texts = tuple(denying)
        self._by_server: dict[str | None, _Patterns] = {}
        self._wild_servers: list[tuple[str, _Patterns]] = []
        for place, text in enumerate(self._texts):
            if argument_form(text) is None:
                for server, tool in patterns_of(text):
                    self._add(server, tool, place)

    def of(self, server: str | None, tool: str) -> int | None:
        """The place of the first denying entry that covers an allowing one without arguments, or None."""
        if server is None and tool == "*":
            return next((place for place, text in enumerate(self._texts) if not text.strip("*")), None)
        if server is not None or is_wild(tool):
            readings: Iterable[Reading] = ((None if server is None else fold(server), fold(tool)),)
        else:
            readings = folded_readings(tool)
        return min((place for reading in readings for place in self._covering(reading)), default=None)

    def of_all(self, patterns: Iterable[Reading]) -> set[int]:
        """The places of the denying entries that cover each of some patterns."""
        found: set[int] | None = None
        for pattern in patterns:
            covering = set(self._covering(pattern))
            found = covering if found is None else found & covering
            if not found:
                break
        return found or set()

    def _add(self, server: str | None, tool: str, place: int) -> None:
        server = server if server is None else _STARS.sub("*", server)
        patterns = self._by_server.get(server)
        if patterns is None:
            if server is not None and server != "*" and is_wild(server):
                if len(self._wild_servers) >= MAX_FREE:
                    return
                self._wild_servers.append((server, _Patterns()))
                patterns = self._wild_servers[-1][1]
            else:
                patterns = _Patterns()
            self._by_server[server] = patterns
        patterns.add(_STARS.sub("*", tool), place)

    def _covering(self, reading: Reading) -> Iterator[int]:
        server, tool = reading
        if server in self._by_server:
            yield from self._by_server[server].covering(tool)
        if server is None:
            return
        if "*" in self._by_server:
            yield from self._by_server["*"].covering(tool)
        for pattern, patterns in self._wild_servers:
            if _covers(pattern, server):
                yield from patterns.covering(tool)


@lru_cache(maxsize=64)
def overruling(allowing: tuple[Reading, ...], denying: tuple[str, ...]) -> tuple[int | None, ...]:
    """For each of some allowing entries without arguments the place of the first denying one that covers it, or None.

    From one version of a document to the next most lists stay as they are.
    """
    cover = DenyingCover(denying)
    return tuple(cover.of(server, tool) for server, tool in allowing)


class _Patterns:
    """Patterns of tools with the positions of the first entries that have each."""

    def __init__(self) -> None:
        self._whole: dict[str, list[int]] = {}
        self._beginnings: dict[str, list[int]] = {}
        self._ends: dict[str, list[int]] = {}
        self._lengths: set[int] = set()
        self._free: dict[str, list[int]] = {}

    def add(self, pattern: str, position: int) -> None:
        _put(self._whole, pattern, position)
        for rest, known in ((pattern[:-1], self._beginnings), (pattern[1:], self._ends)):
            star = pattern[-1:] if known is self._beginnings else pattern[:1]
            if star == "*" and not is_wild(rest):
                _put(known, rest, position)
                self._lengths.add(len(rest))
                return
        if is_wild(pattern) and (pattern in self._free or len(self._free) < MAX_FREE):
            _put(self._free, pattern, position)

    def covering(self, text: str) -> Iterator[int]:
        yield from self._whole.get(text, ())
        for length in self._lengths:
            if length <= len(text):
                for part, known in ((text[:length], self._beginnings), (text[len(text) - length :], self._ends)):
                    yield from known.get(part, ())
        for pattern, positions in self._free.items():
            if _covers(pattern, text):
                yield from positions


def _put(known: dict[str, list[int]], pattern: str, position: int) -> None:
    positions = known.setdefault(pattern, [])
    if len(positions) < MAX_POSITIONS:
        positions.append(position)


def _covers(pattern: str, other: str) -> bool:
    # A `*` of the other may be any run, so no `?` may take it; only a `*` can take a wildcard of the other.
    return not ("?" in pattern and "*" in other) and Wildcard(pattern).matches(other)
