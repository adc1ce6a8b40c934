"""The one fix of all slips of a text: what should be YAML and is read as plain text.

They are repaired together. Where several lines were read as one text, the repair of one of them alone leaves a text
that does not parse.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Diagnostic, Find, Fix, diagnostic_of
from rules_lsp.checks.common.quoting import quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.problem import Problem
from rules_lsp.source.yaml_slips import SLIP_CODES, SlipCode

LONGEST_TRIED = 100_000


def found_with_all_slips(code: SlipCode, title: str) -> Find:
    """The `find` of a check whose fault is a slip of a kind: its problems, each with the fix of all slips."""

    def find(subject: Subject) -> Iterator[Diagnostic]:
        problems = [problem for problem in subject.problems if problem.code == code]
        fix = _fix(subject, title) if problems else None
        for problem in problems:
            yield diagnostic_of(problem, () if fix is None else (fix,))

    return find


def _fix(subject: Subject, title: str) -> Fix | None:
    slips = [problem for problem in subject.problems if problem.code in SLIP_CODES][:MAX_DIAGNOSTICS]
    edits = tuple(TextEdit(slip.span, slip.data["replacement"]) for slip in slips)
    if len(subject.text.content) > LONGEST_TRIED:
        return None
    after = Subject.of_text(subject.name, apply_edits(subject.text.content, edits), kind=subject.kind)
    quotes = _quotes(subject, edits, after)
    if quotes:
        edits = tuple(sorted((*edits, *quotes)))
        after = Subject.of_text(subject.name, apply_edits(subject.text.content, edits), kind=subject.kind)
    return Fix(title, edits) if _helps(subject, slips, edits, after) else None


def _quotes(before: Subject, edits: tuple[TextEdit, ...], after: Subject) -> list[TextEdit]:
    """The quotes around patterns that need them as entries and did not as a part of a plain text."""
    known = {problem.span for problem in before.problems if problem.code == "unquoted-glob"}
    found: list[TextEdit] = []
    moved, following = 0, list(edits)
    for problem in after.problems:
        value = problem.data.get("value", "")
        if problem.code != "unquoted-glob" or not value or "\n" in value or "\r" in value:
            continue
        while following and following[0].span.start + moved < problem.span.start:
            moved += len(following[0].replacement) - len(following[0].span)
            following.pop(0)
        span = problem.span.shifted(-moved)
        if before.text.slice(span) == after.text.slice(problem.span) and span not in known:
            found.append(TextEdit(span, quoted(value, after.nodes.preferred_quote)))
    return found


def _helps(before: Subject, slips: list[Problem], edits: tuple[TextEdit, ...], after: Subject) -> bool:
    """Whether the slips are gone and the text parses at least as far as it did."""
    moved = 0
    slipped = {slip.span: slip.code for slip in slips}
    left = {(problem.code, problem.span.start) for problem in after.problems}
    for edit in edits:
        if (slipped.get(edit.span), edit.span.start + moved) in left:
            return False
        moved += len(edit.replacement) - len(edit.span)
    if before.error is None and after.error is not None:
        return False
    return _syntax_errors(after) <= _syntax_errors(before)


def _syntax_errors(subject: Subject) -> int:
    return sum(problem.code in ("syntax-error", "tab-indentation", "unquoted-glob") for problem in subject.problems)
