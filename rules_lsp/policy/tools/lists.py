"""Which entry of a tool list decides about a tool: the matching half of the engine's tool rules.

Names must have passed `invalid_name`. Entries that are broken are passed over here: whoever asks answers for them
before (a broken entry of a denying list denies every tool).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rules_lsp.policy.model import Entry
from rules_lsp.policy.tools.entries import allowed_pattern, argument_form, denied_patterns, entry_problem, host_patterns
from rules_lsp.policy.tools.names import (
    Reading,
    canonical_name,
    folded_readings,
    invalid_name,
    readings_for_allowing,
    readings_for_denying,
    split_name,
)
from rules_lsp.policy.tools.patterns import ToolIndex, Wildcard, is_wild

__all__ = [
    "AllowingList",
    "DenyingList",
    "Reading",
    "argument_form",
    "canonical_name",
    "entry_problem",
    "invalid_name",
    "known_servers",
    "readings_for_allowing",
    "readings_for_denying",
    "split_name",
]


def known_servers(configured: Iterable[str], entries: Iterable[Entry] = ()) -> frozenset[str]:
    """The servers that are known, case-folded: those configured, and those that entries name without a wildcard."""
    servers = {server.casefold() for server in configured}
    for entry in entries:
        if entry.broken is None and (pattern := allowed_pattern(entry.text)) is not None:
            server = pattern[0]
            if server is not None and not is_wild(server):
                servers.add(server.casefold())
    return frozenset(servers)


class DenyingList:
    """The entries of every denying list of a document. An entry matches if any of its readings is any of the name's."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = tuple(entries)
        self._index: ToolIndex = ToolIndex()
        self._host_index: ToolIndex = ToolIndex()
        for position, entry in enumerate(self._entries):
            if entry.broken is None:
                for pattern in denied_patterns(entry.text):
                    self._index.add(pattern, position)
                for pattern in host_patterns(entry.text):
                    self._host_index.add(pattern, position)

    def first(self, name: str) -> Entry | None:
        """The first entry that denies a tool, or None."""
        position = min(self._matching(name), default=None)
        return None if position is None else self._entries[position]

    def all(self, name: str) -> tuple[Entry, ...]:
        """Every entry that denies a tool, in the order of the lists."""
        return tuple(self._entries[position] for position in sorted(set(self._matching(name))))

    def _matching(self, name: str) -> Iterator[int]:
        for reading in folded_readings(name):
            yield from self._index.find(reading)
            if "/" not in name:
                yield from self._host_index.find(reading)


class AllowingList:
    """The entries of one allowing list. Matching is exact; in doubt about a host's spelling nothing is allowed.

    `known` are the servers that are known, as `known_servers` tells them of all tool lists of the document.
    """

    def __init__(self, entries: Sequence[Entry], known: frozenset[str]) -> None:
        self._entries = tuple(entries)
        self._known = known
        self._index: ToolIndex = ToolIndex()
        self._wild_built_ins: list[tuple[Wildcard, int, int]] = []
        for position, entry in enumerate(self._entries):
            pattern = allowed_pattern(entry.text) if entry.broken is None else None
            if pattern == (None, "*"):
                self._index.add((None, "*"), position)
                self._index.add(("*", "*"), position)
            elif pattern is not None and pattern[0] is None and is_wild(pattern[1]):
                self._wild_built_ins.append((Wildcard(pattern[1]), _literal_prefix(pattern[1]), position))
            elif pattern is not None:
                self._index.add(pattern, position)

    def first(self, name: str) -> Entry | None:
        """The first entry that allows a tool, or None."""
        position = min(self._matching(name), default=None)
        return None if position is None else self._entries[position]

    def all(self, name: str) -> tuple[Entry, ...]:
        """Every entry that allows a tool, in the order of the list."""
        return tuple(self._entries[position] for position in sorted(set(self._matching(name))))

    def _matching(self, name: str) -> Iterator[int]:
        if "/" in name:
            yield from self._index.find(split_name(name))
            return
        yield from self._index.find((None, name))
        required = readings_for_allowing(name, self._known)
        found = [min(self._index.find(reading), default=None) for reading in required]
        if found and None not in found:
            yield from (position for position in found[:1] if position is not None)
        if self._wild_built_ins:
            yield from self._matching_built_ins(name, required)

    def _matching_built_ins(self, name: str, required: tuple[Reading, ...]) -> Iterator[int]:
        # A bare pattern means built-in tools: where the name may be a host's spelling of a server's tool, its
        # wildcards may stand in for the tool's part alone, never for the server's.
        if name.startswith("mcp__") and not required:
            return
        readings = [r for r in readings_for_denying(name) if r[0] is not None and r[0].casefold() in self._known]
        longest_server = max((len(name) - len(tool) for _, tool in (*readings, *required)), default=0)
        for pattern, prefix, position in self._wild_built_ins:
            if prefix >= longest_server and pattern.matches(name):
                yield position


def _literal_prefix(pattern: str) -> int:
    return min(place for wildcard in "*?" if (place := pattern.find(wildcard)) >= 0)
