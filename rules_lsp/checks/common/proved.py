"""What is proved of the pattern lists of a subject, entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from rules_lsp.checks.common.glob_entries import all_can_match, can_match, roots_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.patterns.proofs import covered_entries, dead_excludes, nothing_in_common, shadowed_includes

_EVERY_FILE = "**"
Shadowed = tuple[Entry, tuple[Entry, ...]]
"""An include of which nothing is left, and the excludes that together take all of it."""


def shadowed_in(subject: Subject, holder: RuleList) -> list[Shadowed]:
    """The includes of a list of which the excludes leave no file."""
    texts = tuple(text for rules in subject.shown.exclude for text in rules.texts)
    if subject.error is not None or not texts:
        return []
    found = shadowed_includes(holder.texts, texts, roots_of(subject))
    excluding = [entry for rules in subject.shown.exclude for entry in rules.entries] if found else []
    return [
        (holder.entries[position], tuple(excluding[place] for place in by))
        for position, by in found
        if can_match(holder.entries[position], roots_of(subject))
    ]


def wholly_shadowed(subject: Subject, holder: RuleList) -> list[Shadowed] | None:
    """The entries of a list of includes, if nothing is left of any and each is one that could allow something."""
    shadowed = shadowed_in(subject, holder)
    return shadowed if shadowed and len(shadowed) == len(holder.entries) else None


def excluding_everything(subject: Subject) -> tuple[Entry, ...]:
    """The excludes that together take every file of a project, whatever is included; empty where some are left."""
    texts = tuple(text for rules in subject.shown.exclude for text in rules.texts)
    if subject.error is not None or not texts:
        return ()
    entries = [entry for rules in subject.shown.exclude for entry in rules.entries]
    found = shadowed_includes((_EVERY_FILE,), texts, roots_of(subject))
    return tuple(entries[place] for _, by in found for place in by)


def covered_in(subject: Subject, holder: RuleList) -> Iterator[tuple[Entry, Entry]]:
    """The entries of a list that another one of it covers, and that one."""
    if subject.error is None:
        alone = stands_once(holder)
        for position, by in covered_entries(holder.texts, holder.name, roots_of(subject)):
            if alone(holder.entries[position]) and can_match(holder.entries[position], roots_of(subject)):
                yield holder.entries[position], holder.entries[by]


def dead_in(subject: Subject, holder: RuleList) -> Iterator[tuple[Entry, RuleList]]:
    """The excludes of a list that take nothing from a list of includes, and that one.

    There are none where an include is one that allows nothing as it is written: its author means another.
    """
    includes = subject.shown.include
    if subject.error is not None or not all(all_can_match(subject, each) for each in includes):
        return
    seen: set[int] = set()
    alone = stands_once(holder)
    for each in includes:
        for position in dead_excludes(holder.texts, each.texts, roots_of(subject)):
            entry = holder.entries[position]
            if position not in seen and alone(entry) and can_match(entry, roots_of(subject)):
                seen.add(position)
                yield entry, each


def apart(subject: Subject) -> tuple[RuleList, RuleList] | None:
    """Two lists of includes that have no file in common, or None."""
    lists = subject.shown.include if subject.error is None else ()
    if not all(all_can_match(subject, holder) for holder in lists):
        return None
    pairs = zip(lists, lists[1:], strict=False)
    return next((pair for pair in pairs if nothing_in_common(*(each.texts for each in pair))), None)


def stands_once(holder: RuleList) -> Callable[[Entry], bool]:
    """Whether an entry is the only one of its text in a list: of one that stands twice that is what is wrong."""
    count: Counter[str] = Counter()

    def alone(entry: Entry) -> bool:
        # Of most lists nobody asks.
        if not count:
            count.update(each.text for each in holder.entries)
        return count[entry.text] == 1

    return alone
