"""Renaming slips of keys to what they mean, where no key of that name stands beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.checks.common.base import Diagnostic, Fix, diagnostic_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span


def meant_of(problem: Problem) -> str | None:
    """The name that what a problem speaks of was meant to be, or None."""
    return problem.data.get("rename") or problem.data.get("meant")


def with_renames(subject: Subject, problems: Iterable[Problem]) -> Iterator[Diagnostic]:
    """The problems of keys in the order of the text, each with the fix that renames it to what it means.

    A key that stands there already, or that an earlier slip becomes, is none to rename into: it would only trade this
    fault for a key that stands twice.
    """
    taken: dict[tuple[int, str], Span] = {}
    for problem in problems:
        found, rename = subject.nodes.pair(problem.span), meant_of(problem)
        if found is None or rename is None:
            yield diagnostic_of(problem)
            continue
        free = subject.nodes.key_of(found[0], rename) is None and (id(found[0]), rename) not in taken
        taken[id(found[0]), rename] = problem.span
        yield diagnostic_of(problem, [renaming(problem.span, rename)] if free else ())


def renaming(span: Span, name: str) -> Fix:
    """The fix that writes another name."""
    return Fix(f"rename it to `{name}`", (TextEdit(span, name),))
