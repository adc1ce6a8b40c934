"""One fault has one code; two faults have two."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import CHECKS, Diagnostic, Subject, run_checks
from rules_lsp.checks.common.base import Stage
from rules_lsp.checks.common.precedence import unexplained
from rules_lsp.source.text import Span
from tests.checks.surroundings import surrounded_subject

NAME = ".coding-agent-rules.yaml"
PROJECT = {
    ".mcp.json": '{"mcpServers": {"github": {"command": "github-mcp-server"}}}',
    "src/a.py": "",
    "src/b.py": "",
}


def codes(content: str, directory: Path, name: str = NAME) -> list[str]:
    return [found.code for found in run_checks(surrounded_subject(name, content, PROJECT, directory))]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("file_patterns:\n  include:\n    -src/**/*.pyx\n", "missing-space"),
        ("file_patterns:\n  include:\n    －src/**/*.pyx\n", "fullwidth-punctuation"),
        ("denied_tools:\n  - %x\n", "unquoted-glob"),
        ("denied_tools:\n  - `a b\n", "unquoted-glob"),
        ("denied_tools: *\n", "unquoted-glob"),
        ("file_patterns: *\n", "unquoted-glob"),
        ("file_patterns:\n  exclude: [!src/]\n", "unquoted-glob"),
        ("x-unprotected: 5\n", "scalar-for-list"),
        ("denied_tools: a b\n", "scalar-for-list"),
        ("denied_tools:\n\t- Bash\n", "tab-indentation"),
        ("denied_tools:\n  - Read\n\t- Bash\n", "tab-indentation"),
        ("system_prompt_extension: a\n\tdenied_tools: [Shell]\n", "tab-indentation"),
        ("denied_tools:\n  - Ba\x1bsh\n", "syntax-error"),
        ('denied_tools:\n  - "a\x1bb"\n', "syntax-error"),
        ("file_patterns:\x1b\n  exclude: [src/]\n", "syntax-error"),
        ("file_patterns\x1b:\n  exclude: [src/]\n", "syntax-error"),
        ('file_patterns:\n  include: ["src\x1b"]\n', "syntax-error"),
        ("file_patterns:\n  include: [2024-01-01]\n", "ambiguous-scalar"),
        ("include: [src/a.py]\nfile_patterns:\n  include: [src/b.py]\n", "unknown-key"),
    ],
)
def test_one_fault_has_one_code(content: str, code: str, tmp_path: Path) -> None:
    assert codes(content, tmp_path) == [code]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        # The second entry goes with its repetition; the first has a fault of its own.
        ("denied_tools:\n  - githb/x\n  - githb/x\n", ["unknown-server", "duplicate-entry"]),
        ("denied_tools:\n  - Bash(a:*)\n  - Bash(a:*)\n", ["argument-pattern", "duplicate-entry"]),
        ("denied_tools:\n  - github/update_issue\n  - github/update_issue\n", ["renamed-tool", "duplicate-entry"]),
        ("deny_tools: [Bash]\ndeny_tools: [Shell]\n", ["unknown-key", "duplicate-key"]),
        ("nonsense: 1\nnonsense: 2\n", ["unknown-key", "duplicate-key"]),
        # A key and its value are two texts, and so are two entries on one line.
        ("deny_tools: Bash\n", ["unknown-key", "scalar-for-list"]),
        ("deny_tools: [*x, Bash]\n", ["unknown-key", "unquoted-glob"]),
        ("deny_tools: []\n", ["unknown-key"]),
        ("denied_tools: [githb/x, a b]\n", ["unknown-server", "malformed-tool-name"]),
        ("denied_tools:\n  - *x\n  - a b\n", ["unquoted-glob", "malformed-tool-name"]),
    ],
)
def test_two_faults_have_two(content: str, wanted: list[str], tmp_path: Path) -> None:
    assert codes(content, tmp_path) == wanted


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("## Allowed Tools\n- `Read`\n\n**Denied Tools**\n\n- `Bash`\n- `Edit`\n", ["near-miss-heading"]),
        ("## Allowed Tools\n- `Read`\n\nNever:\n\n- `Bash`\n", ["negated-entry"]),
        (
            "## Allowed Tools\n- `Read`\n- ~~`Grep`~~\n\n**Denied Tools**\n\n- `Bash`\n",
            ["negated-entry", "near-miss-heading"],
        ),
        ("## File Patterns\n- `src**`\n", ["unplaced-pattern"]),
    ],
)
def test_in_markdown_too(content: str, wanted: list[str], tmp_path: Path) -> None:
    assert codes(content, tmp_path, ".coding-agent-rules.md") == wanted


def finding(code: str, start: int, end: int) -> Diagnostic:
    return Diagnostic(code, "error", "", Span(start, end))


def test_what_a_place_has_in_common_decides_and_not_the_order() -> None:
    subject = Subject.of_text(NAME, "0123456789\n0123456789\n")
    late, early = finding("matches-nothing", 2, 6), finding("missing-space", 5, 7)
    beside, behind = finding("secret-exposed", 2, 6), finding("matches-nothing", 7, 9)
    below, wrong = finding("wrong-type", 12, 14), finding("tab-indentation", 11, 11)
    found = [late, early, beside, behind, below, wrong]
    assert unexplained(subject, found, CHECKS) == [early, beside, behind, wrong]
    assert unexplained(subject, found[::-1], CHECKS) == [wrong, behind, beside, early]


def test_every_stage_has_a_check() -> None:
    assert {check.stage for check in CHECKS} == set(Stage)
