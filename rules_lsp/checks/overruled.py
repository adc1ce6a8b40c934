"""The allowing entries that denying ones always overrule, list by list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules_lsp.checks.subject import Subject
from rules_lsp.checks.tool_cover import DenyingCover
from rules_lsp.checks.tool_names import ToolEntry, readable, tool_entries, tool_lists
from rules_lsp.policy.model import RuleList


@dataclass(frozen=True, slots=True)
class Overruled:
    """An allowing list: its entries that are always denied, each with the entry that denies it."""

    holder: RuleList
    pairs: tuple[tuple[ToolEntry, ToolEntry], ...]
    whole: bool

    @property
    def leaves_nothing(self) -> bool:
        """Whether several entries allow something and all are denied; of a single one its own finding says so."""
        return self.whole and len(self.pairs) > 1


def overruled_entries(subject: Subject) -> Iterator[Overruled]:
    """Each allowing list of which an entry is always denied; none where a `*` denies every tool and says so itself."""
    denying = [found for found in tool_entries(subject) if found.denying]
    if not denying or any(denies_everything(found) for found in denying):
        return
    cover = DenyingCover(denying)
    for holder in tool_lists(subject):
        if holder.name != "allowed_tools":
            continue
        entries = list(readable(holder))
        pairs = tuple((entry, by) for entry in entries if (by := cover.of(entry)) is not None)
        if pairs:
            yield Overruled(holder, pairs, len(pairs) == len(entries))


def denies_everything(found: ToolEntry) -> bool:
    """Whether a denying entry is `*`, every tool there is."""
    return found.denying and not found.entry.text.strip("*")
