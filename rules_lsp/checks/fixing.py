"""Applying the fixes of diagnostics: the one fixer behind the terminal and the editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rules_lsp.checks.base import Diagnostic, Fix
from rules_lsp.source.edits import TextEdit, apply_edits

MAX_ROUNDS = 20
Diagnose = Callable[[str], Iterable[Diagnostic]]


def fixed(content: str, diagnose: Diagnose, *, unsafe: bool = False) -> str:
    """The content with the first fix of each diagnostic applied, again and again until none is left.

    `diagnose` checks a content. Only safe fixes are applied, or with `unsafe` all. It ends after `MAX_ROUNDS`, and
    where a round would lead back to an earlier content.
    """
    seen = {content}
    for _ in range(MAX_ROUNDS):
        edits = compatible_edits(_chosen(diagnose(content), unsafe))
        changed = apply_edits(content, edits)
        if changed in seen:
            break
        seen.add(changed)
        content = changed
    return content


def compatible_edits(fixes: Iterable[Fix]) -> list[TextEdit]:
    """The edits of the fixes that do not touch one another, in order; of two that do, those of the first.

    A fix is taken whole or not at all; one that only repeats edits that are taken already adds nothing.
    """
    taken: list[TextEdit] = []
    for fix in fixes:
        new = [edit for edit in fix.edits if edit not in taken]
        if not any(_touch(edit, other) for edit in new for other in taken):
            taken += new
    return taken


def _chosen(diagnostics: Iterable[Diagnostic], unsafe: bool) -> Iterable[Fix]:
    for diagnostic in diagnostics:
        fix = next((fix for fix in diagnostic.fixes if fix.safe or unsafe), None)
        if fix is not None:
            yield fix


def _touch(one: TextEdit, other: TextEdit) -> bool:
    if one.span == other.span:
        return True
    return one.span.start < other.span.end and other.span.start < one.span.end
