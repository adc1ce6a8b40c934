from __future__ import annotations

import json

import pytest

from rules_lsp.checks import CHECKS
from rules_lsp.cli.main import main
from rules_lsp.cli.rule_page import summary_of

DUPLICATE_ENTRY = """\
duplicate-entry (warning)

An entry that stands twice in its list.

What it finds
A tool or a pattern that is written a second time, letter for letter, in the same list.

Why it matters
The second one has no effect; whoever removes one of them believes to have removed the rule.

Example
  .coding-agent-rules.yaml:
    denied_tools:
      - Bash
      - github/delete_file
      - Bash

Instead
  .coding-agent-rules.yaml:
    denied_tools:
      - Bash
      - github/delete_file
"""


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["rule", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "duplicate-entry") == (0, DUPLICATE_ENTRY, "")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_every_check_has_a_page_that_a_terminal_shows(check: object, capsys: pytest.CaptureFixture[str]) -> None:
    code = getattr(check, "code", "")
    status, printed, errors = output(capsys, code)
    lines = printed.splitlines()
    assert (status, errors, lines[0].startswith(f"{code} (")) == (0, "", True)
    assert [line for line in lines if line in ("What it finds", "Why it matters", "Example", "Instead")] == [
        "What it finds",
        "Why it matters",
        "Example",
        "Instead",
    ]
    assert max(map(len, lines)) <= 124
    assert "```" not in printed


def test_a_page_in_markdown_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    page = output(capsys, "unknown-key", "--format", "markdown")[1]
    assert page.startswith("# `unknown-key`\n\nA key that the file does not have.\n\n## What it finds\n\nA key that")
    assert page.endswith(
        "## Instead\n\n`.coding-agent-rules.yaml`:\n\n```yaml\ndenied_tools:\n  - github/delete_file\n```\n"
    )
    found = json.loads(output(capsys, "unknown-key", "--format", "json")[1])
    assert (found["code"], found["severity"], found["on"], found["fix"]) == ("unknown-key", "error", True, "either")
    assert found["instead"] == [
        {
            "name": ".coding-agent-rules.yaml",
            "language": "yaml",
            "content": "denied_tools:\n  - github/delete_file\n",
        }
    ]


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys)[1].splitlines()
    assert len(lines) == len(CHECKS)
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in lines}
    assert rows["unknown-key"] == ["error", "a key that the file does not have"]
    assert rows["empty-list"] == ["warning", "a list without entries that allows nothing"]
    assert rows["missing-schema-line"] == ["off", "a rule file that does not name its schema"]
    assert len({line.index(rows[line.split()[0]][1]) for line in lines}) == 1
    assert [found["code"] for found in json.loads(output(capsys, "--format", "json")[1])] == [
        line.split()[0] for line in lines
    ]


def test_the_table_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "--format", "markdown")[1].splitlines()
    assert lines[:2] == ["| code | severity | finds | fix |", "| --- | --- | --- | --- |"]
    assert "| `unknown-key` | error | a key that the file does not have | yes, or with `--unsafe` |" in lines
    assert "| `invalid-glob` | error | a pattern that cannot be read | with `--unsafe` |" in lines
    assert "| `duplicate-key` | error | the same key twice |  |" in lines
    ignore = "a comment that asks for silence where there is nothing to say"
    assert f"| `unused-ignore` | warning | {ignore} | yes, or with `--unsafe` |" in lines
    assert "| `missing-schema-line` | information, off | a rule file that does not name its schema | yes |" in lines


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("unknown_key", "did you mean `unknown-key`?"),
        ("Unkown-Key", "did you mean `unknown-key`?"),
        ("zzzz", "`rules-lsp rule` lists all"),
    ],
)
def test_an_unknown_code(capsys: pytest.CaptureFixture[str], code: str, hint: str) -> None:
    assert output(capsys, code) == (2, "", f"rules-lsp: there is no check `{code}`: {hint}\n")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_summaries_fit_in_a_row(check: object) -> None:
    (found,) = (each for each in CHECKS if each is check)
    summary = summary_of(found)
    assert len(summary) <= 80
    assert not summary.endswith(".")
