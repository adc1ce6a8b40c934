"""The allowing entries that denying ones always overrule, list by list."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.remembered import once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_cover import overruling
from rules_lsp.checks.common.tool_names import ToolEntry, denies_everything, entries_in, readings_of, tool_lists
from rules_lsp.policy.entries import DENYING_LISTS
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


@once_a_subject
def _overruled(subject: Subject) -> list[tuple[RuleList, bool, list[Pair]]]:
    """The allowing lists that hold denied entries, whether all of several are, and those that are."""
    denying_lists = [holder for holder in tool_lists(subject) if holder.name in DENYING_LISTS]
    texts = tuple(text for holder in denying_lists for _, text in readings_of(holder))
    if not texts or any(map(denies_everything, denying_lists)):
        return []
    found: list[tuple[RuleList, bool, list[Pair]]] = []
    for holder in subject.shown.allowed_tools:
        places = overruling(tuple(reading for reading, _ in readings_of(holder)), texts)
        if not any(place is not None for place in places):
            continue
        entries = entries_in(subject, holder)
        denying = [found for each in denying_lists for found in entries_in(subject, each)]
        pairs = [(entry, denying[place]) for entry, place in zip(entries, places, strict=True) if place is not None]
        found.append((holder, len(pairs) == len(entries) > 1, pairs))
    return found
