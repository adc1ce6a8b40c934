"""No fix that is made unasked allows what was denied before, one by one or one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Fix, Subject, run_checks
from rules_lsp.checks.common.fixing import repaired
from rules_lsp.checks.common.widening import Versions, widens
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span
from tests.checks.surroundings import surrounded_subject

NAME = ".coding-agent-rules.yaml"
SERVERS = {
    ".mcp.json": '{"mcpServers": {"github": {"command": "github-mcp-server"}}}',
    "src/app.py": "",
}


def subject_of(content: str) -> Subject:
    return Subject.of_text(NAME, content, kind="yaml")


def made(content: str, directory: Path, *, unsafe: bool) -> str:
    versions = Versions(surrounded_subject(NAME, content, SERVERS, directory))

    def diagnose(changed: str) -> list[Diagnostic]:
        return run_checks(versions.of(changed), most=None)

    return repaired(content, diagnose, unsafe=unsafe, widens=versions.widens)[0]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "allowed_tools:\n  - Bash\nfile_patterns:\n  include:\n    - src/**\n",
            "allowed_tools: []\ndenied_tools:\n  - Bash\nfile_patterns:\n  include:\n    - src/**\n",
        ),
        ("allowed_tools: [Bash]\ndenied_tools: [Bash]\n", "allowed_tools: []\ndenied_tools: [Bash]\n"),
        (
            "allowed_tools: [Read, Bash]\ndenied_tools: [Read]\nfile_patterns: {exclude: [secrets/]}\n",
            "allowed_tools: []\ndenied_tools: [Read, Bash]\nfile_patterns: {exclude: [secrets/]}\n",
        ),
        (
            "allowed_tools: [Read, Grep]\nallowed_tools: [Bash]\ndenied_tools: [Bash]\n",
            "allowed_tools: [Read, Grep]\nallowed_tools: []\ndenied_tools: [Bash]\n",
        ),
    ],
)
def test_a_list_that_loses_its_last_entry_goes_on_to_deny_the_others(
    content: str, expected: str, tmp_path: Path
) -> None:
    assert made(content, tmp_path, unsafe=True) == expected
    assert made(expected, tmp_path, unsafe=True) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("allowed_tools: [a]\n", "denied_tools: [a]\n", True),
        ("allowed_tools: []\n", "", True),
        ("allowed_tools: [a]\n", "allowed_tools: []\n", False),
        ("allowed_tools: [a, b]\n", "allowed_tools: [a]\n", False),
        ("allowed_tools: [mcp__a__b]\n", "allowed_tools: [a/b]\n", False),
        ("allowed_tools: [a]\nallowed_tools: [b]\n", "allowed_tools: [a]\n", True),
        ("allowed_tools: [a]\nallowed_tools: [b]\n", "allowed_tools: [a, b]\n", True),
        ("allowed_tools: [a]\nallowed_tools: [a, b]\n", "allowed_tools: [a]\n", False),
        ("file_patterns: {include: [a]}\n", "file_patterns: {exclude: [a]}\n", True),
        ("file_patterns: {include: [a]}\n", "file_patterns: {exclude: [a], include: [a]}\n", False),
        ("denied_tools: [a]\n", "allowed_tools: [a]\n", False),
        ("allowed_tools: [a\n", "", False),
    ],
)
def test_what_is_left_of_the_allowing_lists_is_held_against_each_of_before(
    before: str, after: str, expected: bool
) -> None:
    assert widens(subject_of(before), subject_of(after)) is expected


def test_of_many_fixes_those_that_widen_are_left_out() -> None:
    def diagnose(content: str) -> list[Diagnostic]:
        places = [at for at, letter in enumerate(content) if letter in "xy"]
        fixes = [Fix("a", (TextEdit(Span(at, at + 1), ""),)) for at in places]
        return [Diagnostic("x", "error", "x", Span(0, 1), (), (fix,)) for fix in fixes]

    def no_y_is_lost(before: str, after: str) -> bool:
        return after.count("y") < before.count("y")

    content, repairs = repaired("axaxaxayaxayaxa", diagnose, widens=no_y_is_lost)
    assert content == "aaaayaayaa"
    assert len(repairs) == 5


def test_a_fix_that_widens_is_only_made_where_it_is_chosen() -> None:
    fix = Fix("a", (TextEdit(Span(0, 1), ""),), widens=True)
    found = [Diagnostic("x", "error", "x", Span(0, 1), (), (fix,))]
    assert repaired("a", lambda content: found, unsafe=True) == ("a", [])
