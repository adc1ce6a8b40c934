from __future__ import annotations

import pytest

from rules_lsp.checks.base import Diagnostic, Fix
from rules_lsp.features.code_actions import fixes_at
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span

SAFE = Fix("safe", (TextEdit(Span(0, 1), "x"),))
GUESS = Fix("guess", (TextEdit(Span(0, 1), "y"),), safe=False)
DIAGNOSTICS = (
    Diagnostic("one", "error", "m", Span(2, 5), fixes=(SAFE, GUESS)),
    Diagnostic("two", "error", "m", Span(5, 9), fixes=(GUESS, SAFE)),
    Diagnostic("three", "error", "m", Span(5, 9)),
)


@pytest.mark.parametrize(
    ("selection", "offered"),
    [
        (Span(0, 1), []),
        (Span(2, 2), [("one", "safe", True), ("one", "guess", False)]),
        (Span(0, 2), [("one", "safe", True), ("one", "guess", False)]),
        (Span(9, 9), [("two", "guess", False), ("two", "safe", False)]),
        (Span(10, 12), []),
        (
            Span(5, 5),
            [("one", "safe", True), ("one", "guess", False), ("two", "guess", False), ("two", "safe", False)],
        ),
    ],
)
def test_what_a_selection_touches_is_offered(selection: Span, offered: list[tuple[str, str, bool]]) -> None:
    found = fixes_at(DIAGNOSTICS, selection)
    assert [(fix.diagnostic.code, fix.fix.title, fix.preferred) for fix in found] == offered
