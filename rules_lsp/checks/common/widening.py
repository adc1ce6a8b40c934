"""Whether a changed rule file allows what it denied before: what no fix that is made unasked may do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.surroundings import with_content
from rules_lsp.policy.model import RuleList
from rules_lsp.source.records import replace


class Versions:
    """A subject and what fixes make of its text; the last two versions are kept, so that each is read once."""

    def __init__(self, subject: Subject) -> None:
        self._first = subject
        self._kept = [subject]

    def of(self, content: str) -> Subject:
        """The subject with a content."""
        for kept in self._kept:
            if kept.text.content == content:
                return kept
        changed = replace(with_content(self._first, content), governs=self._first.governs)
        self._kept = [*self._kept[-1:], changed]
        return changed

    def widens(self, before: str, after: str) -> bool:
        """Whether a content allows what one before it denied; see `widens`."""
        return widens(self.of(before), self.of(after))


def widens(before: Subject, after: Subject) -> bool:
    """Whether an allowing list is gone, or stands no longer for less than it did, entries written anew set aside.

    Each list of allowed tools and each of includes must allow: what is left of them narrows what was there where every
    list of before holds all the old entries of one of after. An entry that stood in none of them corrects one, and
    its own fix answers for it. Of a file that was not in force nothing is said, since it narrowed nothing.
    """
    if before.error is not None:
        return False
    old, new = before.shown, after.shown
    return _is_wider(old.allowed_tools, new.allowed_tools) or _is_wider(old.include, new.include)


def _is_wider(before: Sequence[RuleList], after: Sequence[RuleList]) -> bool:
    known = {text for rules in before for text in _texts(rules)}
    kept = [known.intersection(_texts(rules)) for rules in after]
    return not all(any(each <= held for each in kept) for held in map(_texts, before))


def _texts(rules: RuleList) -> frozenset[str]:
    return frozenset(_allowing(rules))


def _allowing(rules: RuleList) -> Iterable[str]:
    return (entry.text for entry in rules.entries if entry.broken is None)
