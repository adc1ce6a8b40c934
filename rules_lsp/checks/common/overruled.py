"""The allowing entries that denying ones always overrule, list by list."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.remembered import once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_cover import overruling
from rules_lsp.checks.common.tool_names import ToolEntry, entries_in, tool_entries
from rules_lsp.policy.model import RuleList

Pair = tuple[ToolEntry, ToolEntry]
"""An allowing entry, and the denying one that overrules it."""


def overruled_entries(subject: Subject) -> Iterator[Pair]:
    """Every allowing entry that is always denied, but of the lists that `wholly_overruled` speaks of.

    There are none where a `*` denies every tool and says so itself.
    """
    for _, whole, pairs in _overruled(subject):
        if not whole:
            yield from pairs


def wholly_overruled(subject: Subject) -> Iterator[tuple[RuleList, list[Pair]]]:
    """Each allowing list of several entries that are all denied; of a single entry its own finding says so."""
    for holder, whole, pairs in _overruled(subject):
        if whole:
            yield holder, pairs


def denies_everything(found: ToolEntry) -> bool:
    """Whether a denying entry is `*`, every tool there is."""
    return found.denying and not found.entry.text.strip("*")


@once_a_subject
def _overruled(subject: Subject) -> list[tuple[RuleList, bool, list[Pair]]]:
    """The allowing lists, whether all of several entries are denied, and those that are."""
    denying = [found for found in tool_entries(subject) if found.denying]
    if not denying or any(map(denies_everything, denying)):
        return []
    texts = tuple(found.entry.text for found in denying)
    found: list[tuple[RuleList, bool, list[Pair]]] = []
    for holder in subject.shown.allowed_tools:
        entries = entries_in(subject, holder)
        places = overruling(tuple((entry.server, entry.tool) for entry in entries), texts)
        pairs = [(entry, denying[place]) for entry, place in zip(entries, places, strict=True) if place is not None]
        found.append((holder, len(pairs) == len(entries) > 1, pairs))
    return found
