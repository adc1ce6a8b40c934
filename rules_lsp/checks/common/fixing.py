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
MAX_WORK = 6_000_000
"""Characters that all rounds together look at: what is left of a text of many thousand entries is for the next run."""
MAX_GUARDED = 64
"""How often a round asks whether a part of its fixes widens; the parts that it has not asked about are not made."""
Diagnose = Callable[[str], Iterable[Diagnostic]]
Widens = Callable[[str, str], bool]
"""Whether a content allows what one before it denied."""
Chosen = tuple[Diagnostic, Fix]


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
    content: str,
    diagnose: Diagnose,
    *,
    unsafe: bool = False,
    widens: Widens | None = None,
    tell: Callable[[int], object] | None = None,
    rounds: int = MAX_ROUNDS,
) -> tuple[str, list[Repair]]:
    """The content with the first fix of each diagnostic applied, again and again until none is left, and those fixes.

    `diagnose` checks a content; what a fix does beside editing it is not done here. Only safe fixes are applied, or
    with `unsafe` all but those that widen; and none after which the content `widens` the one before. `tell` hears
    after each round how many were made so far. It ends after `rounds` or `MAX_WORK`, and where a round would lead
    back to an earlier content.
    """
    seen = {hash(content)}
    repairs: list[Repair] = []
    work = 0
    for _ in range(rounds):
        work += len(content)
        if repairs and work > MAX_WORK:
            break
        chosen = list(_chosen(diagnose(content), unsafe))
        edits = _Taken()
        taken = [each for each in chosen if edits.add(each[1])]
        if widens is not None and taken:
            taken = _narrowing(content, taken, widens)
        changed = _changed(content, taken)
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
        self._answers: dict[int, tuple[tuple[TextEdit, ...], bool]] = {}

    def add(self, fix: Fix) -> bool:
        """Take the edits of a fix unless one of them touches another; whether they are all among the taken now."""
        # Thousands of diagnostics may share thousands of edits, kept here so that an id is of one.
        answer = self._answers.get(id(fix.edits))
        if answer is None:
            answer = self._answers[id(fix.edits)] = fix.edits, self._add(fix)
        return answer[1]

    def _add(self, fix: Fix) -> bool:
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


def _chosen(diagnostics: Iterable[Diagnostic], unsafe: bool) -> Iterator[Chosen]:
    for diagnostic in diagnostics:
        fixes = (fix for fix in diagnostic.fixes if fix.edits and not fix.widens and (fix.safe or unsafe))
        fix = next(fixes, None)
        if fix is not None:
            yield diagnostic, fix


def _changed(content: str, taken: Iterable[Chosen]) -> str:
    return apply_edits(content, compatible_edits(fix for _, fix in taken))


def _narrowing(content: str, taken: list[Chosen], widens: Widens) -> list[Chosen]:
    """The fixes without those that widen, which are found by halving."""
    kept: list[Chosen] = []
    pending, asked = [taken], 0
    while pending and asked < MAX_GUARDED:
        part = pending.pop()
        asked += 1
        if not widens(content, _changed(content, [*kept, *part])):
            kept += part
        elif len(part) > 1:
            pending += [part[len(part) // 2 :], part[: len(part) // 2]]
    return kept


def _touch(one: Span, other: Span) -> bool:
    return one == other or (one.start < other.end and other.start < one.end)
