"""Applying the fixes of diagnostics: the one fixer behind the terminal and the editor."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator

from rules_lsp.checks.common.base import Diagnostic, Fix
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Position, Span, Text

MAX_ROUNDS = 100
"""Reading tells of some faults of a long file at a time, so that a round makes some of the fixes."""
Diagnose = Callable[[str], Iterable[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix that was made, and where its diagnostic stood then: base 0, in code points."""

    code: str
    fix: Fix
    place: Position


def fixed(content: str, diagnose: Diagnose, *, unsafe: bool = False) -> str:
    """The content with the first fix of each diagnostic applied, again and again until none is left; see `repaired`."""
    return repaired(content, diagnose, unsafe=unsafe)[0]


def repaired(
    content: str, diagnose: Diagnose, *, unsafe: bool = False, tell: Callable[[int], object] | None = None
) -> tuple[str, list[Repair]]:
    """The content with the first fix of each diagnostic applied, again and again until none is left, and those fixes.

    `diagnose` checks a content; what a fix does beside editing it is not done here. Only safe fixes are applied, or
    with `unsafe` all. `tell` hears after each round how many were made so far. It ends after `MAX_ROUNDS`, and where a
    round would lead back to an earlier content.
    """
    seen = {hash(content)}
    repairs: list[Repair] = []
    for _ in range(MAX_ROUNDS):
        chosen = list(_chosen(diagnose(content), unsafe))
        edits = _Taken()
        taken = [each for each in chosen if edits.add(each[1])]
        changed = apply_edits(content, edits.edits)
        if hash(changed) in seen:
            break
        seen.add(hash(changed))
        text = Text(content)
        repairs += [Repair(found.code, fix, text.position(found.span.start, "utf-32")) for found, fix in taken]
        content = changed
        if tell is not None:
            tell(len(repairs))
    return content, repairs


def compatible_edits(fixes: Iterable[Fix]) -> list[TextEdit]:
    """The edits of the fixes that do not touch one another, in order; of two that do, those of the first.

    A fix is taken whole or not at all; one that only repeats edits that are taken already adds nothing.
    """
    taken = _Taken()
    for fix in fixes:
        taken.add(fix)
    return taken.edits


class _Taken:
    """Edits that do not touch one another; whether another touches one of them is found by halving."""

    def __init__(self) -> None:
        self.edits: list[TextEdit] = []
        self._known: set[TextEdit] = set()
        self._spans: list[Span] = []

    def add(self, fix: Fix) -> bool:
        """Take the edits of a fix unless one of them touches another; whether they are all among the taken now."""
        new = [edit for edit in fix.edits if edit not in self._known]
        if any(self._touched(edit.span) for edit in new):
            return False
        self.edits += new
        self._known.update(new)
        for edit in new:
            insort(self._spans, edit.span)
        return True

    def _touched(self, span: Span) -> bool:
        # No taken span reaches over another: only the neighbours of the new one in their order can touch it.
        at = bisect_left(self._spans, span)
        return any(_touch(span, other) for other in self._spans[max(0, at - 1) : at + 1])


def _chosen(diagnostics: Iterable[Diagnostic], unsafe: bool) -> Iterator[tuple[Diagnostic, Fix]]:
    for diagnostic in diagnostics:
        fix = next((fix for fix in diagnostic.fixes if fix.edits and (fix.safe or unsafe)), None)
        if fix is not None:
            yield diagnostic, fix


def _touch(one: Span, other: Span) -> bool:
    return one == other or (one.start < other.end and other.start < one.end)
