"""The allowing entries that denying ones always overrule, list by list."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.remembered import once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_cover import DenyingCover
from rules_lsp.checks.common.tool_names import ToolEntry, readable, tool_entries, tool_lists
from rules_lsp.policy.model import RuleList

Pair = tuple[ToolEntry, ToolEntry]
"""An allowing entry, and the denying one that overrules it."""


def overruled_entries(subject: Subject) -> Iterator[Pair]:
    """Every allowing entry that is always denied, but of the lists that `wholly_overruled` speaks of.

    There are none where a `*` denies every tool and says so itself.
    """
    cover = _cover(subject)
    for holder in tool_lists(subject) if cover is not None else ():
        if cover is not None and holder.name == "allowed_tools" and _all_overruled(holder, cover) is None:
            yield from ((entry, by) for entry in readable(holder) if (by := cover.of(entry)) is not None)


def wholly_overruled(subject: Subject) -> Iterator[tuple[RuleList, list[Pair]]]:
    """Each allowing list of several entries that are all denied; of a single entry its own finding says so."""
    cover = _cover(subject)
    for holder in tool_lists(subject) if cover is not None else ():
        pairs = _all_overruled(holder, cover) if cover is not None and holder.name == "allowed_tools" else None
        if pairs is not None:
            yield holder, pairs


def denies_everything(found: ToolEntry) -> bool:
    """Whether a denying entry is `*`, every tool there is."""
    return found.denying and not found.entry.text.strip("*")


@once_a_subject
def _cover(subject: Subject) -> DenyingCover | None:
    denying = [found for found in tool_entries(subject) if found.denying]
    useful = bool(denying) and bool(subject.shown.allowed_tools) and not any(map(denies_everything, denying))
    return DenyingCover(denying) if useful else None


def _all_overruled(holder: RuleList, cover: DenyingCover) -> list[Pair] | None:
    pairs: list[Pair] = []
    for entry in readable(holder):
        by = cover.of(entry)
        if by is None:
            return None
        pairs.append((entry, by))
    return pairs if len(pairs) > 1 else None
