"""The fixes that are offered for a selection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules_lsp.checks.base import Diagnostic, Fix
from rules_lsp.source.text import Span


@dataclass(frozen=True, slots=True)
class OfferedFix:
    """A fix and the diagnostic that it removes. `preferred`: it is the first of that diagnostic's, and safe."""

    fix: Fix
    diagnostic: Diagnostic
    preferred: bool


def fixes_at(diagnostics: Iterable[Diagnostic], selection: Span) -> tuple[OfferedFix, ...]:
    """The fixes of the text for the diagnostics that a selection touches, in the order of the diagnostics."""
    return tuple(
        OfferedFix(fix, diagnostic, preferred=index == 0 and fix.safe)
        for diagnostic in diagnostics
        if diagnostic.span.start <= selection.end and selection.start <= diagnostic.span.end
        for index, fix in enumerate(diagnostic.fixes)
        if fix.edits
    )
