"""What a list contributes: its entries, the known tools that they match, the files that they take."""

from __future__ import annotations

from collections.abc import Iterable

from rules_lsp.features.numbers import out_of
from rules_lsp.features.view import View
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.model import RuleList
from rules_lsp.source.text import Span

_SIDES = ("file_patterns.include", "file_patterns.exclude")


def contribution(view: View, name: str, place: Span) -> str | None:
    """What the list whose key or heading stands at a place contributes, in words, or None where there is none.

    `name` is that of the list; `file_patterns` stands for both of its lists.
    """
    if name == "file_patterns":
        return _both(view)
    rules = next((each for each in view.subject.shown.lists() if each.name == name and each.span == place), None)
    if rules is None or rules.broken is not None:
        return None
    return f"**{amount_of_entries((rules,))}**" + matched_by(view, rules)


def amount_of_entries(lists: Iterable[RuleList]) -> str:
    """The number of entries of lists; those of a list that is specified and empty are `no entries`."""
    number = sum(len(rules.entries) for rules in lists)
    return f"{number:,} {'entry' if number == 1 else 'entries'}" if number else "no entries"


def matched_by(view: View, rules: RuleList) -> str:
    """What a list matches now, as a continuation of a sentence; empty where that is not known."""
    if rules.name in TOOL_LISTS:
        tools = view.tool_counts
        if tools is None:
            return ""
        found = tools.of_list(rules)
        return f", matching {out_of(found.tools, found.total, 'known tool')}"
    files = view.file_counts
    if files is None:
        return ""
    taken = files.of_list(rules)
    return f", taking {out_of(taken.files, taken.total, 'file', complete=taken.complete)}"


def _both(view: View) -> str | None:
    shown = view.subject.shown
    parts = []
    for name, lists in zip(_SIDES, (shown.include, shown.exclude), strict=True):
        if lists:
            parts.append(f"{name.partition('.')[2]}: {amount_of_entries(lists)}")
    files = view.file_counts
    if files is not None and parts:
        total = files.writable
        parts.append(f"**{out_of(total.files, total.total, 'file', complete=total.complete)}** may be changed")
    return "; ".join(parts) or None
