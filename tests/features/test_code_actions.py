from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks.common.base import Diagnostic, Fix
from rules_lsp.features.code_actions import all_fixed, fixes_at, is_repairable, silences_at
from rules_lsp.features.view import View
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Span
from tests.features.support import CURSOR, opened

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


def view_of(text: str) -> View:
    view, _ = opened(Path("/nowhere"), text + CURSOR)
    return view


def test_a_guess_says_so_and_a_rename_is_offered_where_it_can_be_made() -> None:
    rename = Fix("rename it", (), rename=("a.yml", "a.yaml"))
    diagnostics = (Diagnostic("one", "error", "m", Span(0, 0), fixes=(GUESS, rename)),)
    assert [found.title for found in fixes_at(diagnostics, Span(0, 0))] == ["guess (a guess)"]
    assert [found.title for found in fixes_at(diagnostics, Span(0, 0), renames=True)] == [
        "guess (a guess)",
        "rename it",
    ]


def test_everything_safe_is_repaired_and_no_guess_is_made() -> None:
    text = "# 😀\r\ndeny_tools: # all\r\n  - 'a/b'\r\nfile_patterns:\r\n  exclude:\r\n    - *.pem # keys\r\n"
    view = view_of(text)
    assert is_repairable(view)
    repaired = apply_edits(text, all_fixed(view))
    assert repaired == text.replace("deny_tools", "denied_tools").replace("*.pem", "'*.pem'")
    assert not is_repairable(view_of(repaired))
    guess = "denied_tools: [github/creat_issue, 'a b']\n"
    assert all_fixed(view_of(guess)) == ()


def test_silence_about_a_finding() -> None:
    text = "file_patterns:\n  exclude:\n    - a\nallowed_tools: [] # none\n"
    view = view_of(text)
    at = text.index("allowed")
    found = list(silences_at(view, Span(at, at), placeholder=True))
    assert [(each.title, apply_edits(text, each.fix.edits)) for each in found] == [
        (
            "ignore `empty-list` here",
            "file_patterns:\n  exclude:\n    - a\n# rules-lsp: ignore[empty-list] reason\nallowed_tools: [] # none\n",
        )
    ]
    (bare,) = silences_at(view, Span(at, at))
    assert "# rules-lsp: ignore[empty-list] reason: …\n" in apply_edits(text, bare.fix.edits)
    assert list(silences_at(view, Span(0, 0))) == []
    broken = view_of("denied_tools: [a/b\n")
    assert list(silences_at(broken, Span(0, 20))) == []


def test_everything_is_repaired_however_many_findings_there_are() -> None:
    names = [f"tool{number}" for number in range(1_100)]
    doubled = "".join(f"  - {name}\n  - {name}\n" for name in names)
    view = view_of(f"denied_tools:\n{doubled}")
    repaired = apply_edits(view.subject.text.content, all_fixed(view))
    assert repaired == "denied_tools:\n" + "".join(f"  - {name}\n" for name in names)
