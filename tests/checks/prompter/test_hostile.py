"""Files of rules that are made to exhaust a machine, within limits of processor time and memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import Subject, run_checks
from tests.checks.test_hostile import MEBI, check

HEAD = "version: 1\nrules:\n"
GENERATED: dict[str, tuple[str, str]] = {
    "brackets": ("[" * (MEBI - 1), "1 alias-bomb"),
    "dashes": (HEAD + "- " * 500_000, "1 alias-bomb"),
    "deep conditions": (HEAD + "  - {id: a, condition: " + "{command: " * 200, "1 alias-bomb"),
    "many equal denials": (
        HEAD
        + "".join(
            f"  - {{id: d{number}, when: tool.before, target: {{categories: [ssh]}}, action: deny_current_tool}}\n"
            for number in range(11_000)
        ),
        "1000 too-many-findings unreachable-rule",
    ),
    "many different denials": (
        HEAD
        + "".join(
            f"  - {{id: d{number}, when: tool.before, target: {{tools: [t{number}/x]}}, action: deny_current_tool}}\n"
            for number in range(11_000)
        ),
        "0",
    ),
    "many globs": (
        HEAD
        + "".join(
            f"  - {{id: d{number}, when: tool.before, condition: {{files: ['a{number}/*{{b,c}}*/**', '**/x{number}']}},"
            " action: deny_current_tool}\n"
            for number in range(100)
        ),
        "0",
    ),
    "one id many times": (HEAD + "  - {id: a}\n" * 30_000, "1000 duplicate-id missing-key too-many-findings"),
    "many placeholders": (
        HEAD
        + "  - {when: always, instruction: <the official sites of what this project uses>}\n" * 12_000,
        "1000 missing-key too-many-findings unedited-template",
    ),
    "many misspelt pieces": (
        HEAD
        + "  - {id: a, when: tool.before, action: audit_only, condition: {pieces: ["
        + ", ".join(["deployment", "deployment", *(f"deployment{number}" for number in range(60_000))])
        + "]}}\n",
        "0",
    ),
    "one long expression": (
        HEAD + "  - {id: a, when: tool.before, action: audit_only, condition: {command: {matches: '"
        + "(a{0,200}){0,200}" * 50 + "'}}}\n",
        "1 invalid-expression",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GENERATED)
def test_generated_files(name: str, tmp_path: Path) -> None:
    content, expected = GENERATED[name]
    path = tmp_path / ".auto-prompter.yaml"
    path.write_text(content[:MEBI], encoding="utf-8")
    assert check(path) == expected


def test_a_file_that_is_no_text_says_what_the_gate_does(tmp_path: Path) -> None:
    path = tmp_path / ".auto-prompter.yaml"
    path.write_bytes(b"# \xff\nversion: 1\n")
    (found,) = run_checks(Subject.of_file(str(path)))
    assert found.code == "unreadable-file"
    assert found.message.endswith("until it is repaired every call that the gate is asked about is denied")
