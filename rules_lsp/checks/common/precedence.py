"""One fault, one code: which of several findings in one place is told.

Every check finds at a `Stage`. What a later stage says of a text with which an earlier one finds fault is a guess about
another text than the author meant: it is left out, and may be said once that is repaired. So is what is said by reason
of such a text, which is then a related place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar

_FIRST = -1


def unexplained(subject: Subject, found: list[Diagnostic], checks: Iterable[Check]) -> list[Diagnostic]:
    """The findings but those that one of an earlier stage explains, in their order.

    The fault for which the file is not in force comes before all others. A code that no check has is one of reading,
    which speaks of the document's shape.
    """
    known = {check.code: check for check in checks}
    ranks = [_rank(subject, each, known.get(each.code)) for each in found]
    covered = _Covered()
    hidden: set[int] = set()
    for rank in sorted(set(ranks)):
        of_rank = [number for number in range(len(found)) if ranks[number] == rank]
        places = [_spoken_of(subject, found[number], known.get(found[number].code)) for number in of_rank]
        for number, place in zip(of_rank, places, strict=True):
            related = (other.span for other in found[number].related if other.document is None)
            if rank != Stage.BESIDE and any(span in covered for span in (place, *related)):
                hidden.add(number)
        covered.add(places)
    return [diagnostic for number, diagnostic in enumerate(found) if number not in hidden]


def _rank(subject: Subject, diagnostic: Diagnostic, check: Check | None) -> int:
    if subject.is_error(diagnostic.code, diagnostic.span):
        return _FIRST
    return Stage.SHAPE if check is None else check.stage


def _spoken_of(subject: Subject, diagnostic: Diagnostic, check: Check | None) -> Span:
    """The text that a finding speaks of."""
    span, text = diagnostic.span, subject.text
    if check is None or check.reach == "range":
        return span
    if check.reach == "line":
        return Span(text.line_span(text.line_of(span.start)).start, text.line_span(text.line_of(span.end)).end)
    found = subject.nodes.pair(span)
    return Span(span.start, found[2].token.end) if found is not None and isinstance(found[2], Scalar) else span


class _Covered:
    """Spans, to ask of another one whether it is one of them or shares a character with one."""

    def __init__(self) -> None:
        self._spans: set[Span] = set()
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, spans: list[Span]) -> None:
        self._spans.update(spans)
        self._starts, self._ends = [], []
        for span in sorted(self._spans):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def __contains__(self, span: Span) -> bool:
        if span in self._spans:
            return True
        # The last run that begins in front of the span's end.
        index = bisect_left(self._starts, span.end) - 1
        return index >= 0 and self._ends[index] > span.start
