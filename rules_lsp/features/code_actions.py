"""What is offered for a selection: the fixes of its findings, silence about them, and work on the whole file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from rules_lsp.checks import run_checks
from rules_lsp.checks.common.base import Diagnostic, Fix
from rules_lsp.checks.common.fixing import repaired
from rules_lsp.checks.common.suppressing import suppression_fix
from rules_lsp.checks.common.widening import Versions
from rules_lsp.features.organizing import organized
from rules_lsp.features.text_changes import changes
from rules_lsp.features.view import View
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

Kind = Literal["quickfix", "refactor.rewrite", "source.fixAll", "source.organizeRules"]
QUICK_FIX: Kind = "quickfix"
REWRITE: Kind = "refactor.rewrite"
FIX_ALL: Kind = "source.fixAll"
ORGANIZE: Kind = "source.organizeRules"
CONVERT = "refactor.rewrite.convert"
"""Below `REWRITE`, which is announced."""
KINDS: tuple[Kind, ...] = (QUICK_FIX, REWRITE, FIX_ALL, ORGANIZE)
FIX_ALL_TITLE = "repair everything that has a safe fix"
ORGANIZE_TITLE = "sort each list and remove repetitions"

REASON = "reason"
"""What stands in a comment where its author says why; an editor lets it be typed over."""
UNWRITTEN_REASON = f"{REASON}: …"
"""What stands there where the editor cannot let it be typed over."""
MOST_SILENCED = 8


@dataclass(frozen=True, slots=True)
class OfferedFix:
    """A fix and the diagnostic that it removes. `preferred`: it is the first of that diagnostic's, and safe."""

    fix: Fix
    diagnostic: Diagnostic
    preferred: bool

    @property
    def title(self) -> str:
        """The title of the fix; one that is not safe says that it is a guess."""
        return self.fix.title if self.fix.safe else f"{self.fix.title} (a guess)"


def fixes_at(diagnostics: Iterable[Diagnostic], selection: Span, *, renames: bool = False) -> tuple[OfferedFix, ...]:
    """The fixes for the diagnostics that a selection touches, in their order; with `renames` also those of the file."""
    return tuple(
        OfferedFix(fix, diagnostic, preferred=index == 0 and fix.safe)
        for diagnostic in touched(diagnostics, selection)
        for index, fix in enumerate(diagnostic.fixes)
        if fix.edits or (renames and fix.rename is not None)
    )


def silences_at(view: View, selection: Span, *, placeholder: bool = False) -> Iterator[OfferedFix]:
    """Comments that ask for silence about the diagnostics that a selection touches, each once, the first few.

    A comment holds `UNWRITTEN_REASON` where the reason belongs, with `placeholder` the word `REASON`.
    """
    done: set[tuple[str, int]] = set()
    for diagnostic in touched(view.diagnostics, selection):
        key = diagnostic.code, view.subject.text.line_of(diagnostic.span.start)
        if key in done or len(done) == MOST_SILENCED:
            continue
        done.add(key)
        fix = suppression_fix(view.subject, diagnostic, REASON if placeholder else UNWRITTEN_REASON)
        if fix is not None:
            yield OfferedFix(fix, diagnostic, preferred=False)


def touched(diagnostics: Iterable[Diagnostic], selection: Span) -> Iterator[Diagnostic]:
    """The diagnostics whose place a selection touches."""
    for diagnostic in diagnostics:
        if diagnostic.span.start <= selection.end and selection.start <= diagnostic.span.end:
            yield diagnostic


def is_repairable(view: View) -> bool:
    """Whether a finding of the file has a safe fix that comes first."""
    return any(any(fix.safe and fix.edits for fix in diagnostic.fixes) for diagnostic in view.diagnostics)


def all_fixed(view: View) -> tuple[TextEdit, ...]:
    """The edits that make every safe fix, and those of what is found then, until none is left."""
    subject = view.subject

    versions = Versions(subject)

    def diagnose(content: str) -> list[Diagnostic]:
        return run_checks(versions.of(content), settings=view.settings, most=None)

    content, _ = repaired(subject.text.content, diagnose, widens=versions.widens)
    return changes(subject.text.content, content)


def in_order(view: View) -> tuple[TextEdit, ...]:
    """The edits that bring the lists of the file in order."""
    return organized(view.subject)
