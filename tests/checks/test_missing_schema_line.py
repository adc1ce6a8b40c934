"""The line that names the schema: where it is missed, and what adding it leaves as it is."""

from __future__ import annotations

import pytest

from rules_lsp.checks import Diagnostic, Subject, run_checks
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.text import Span

CODE = "missing-schema-line"
LINE = "# yaml-language-server: $schema=https://rules-lsp.dev/schemas/coding-agent-rules.schema.json"


def found_in(content: str, name: str = ".coding-agent-rules.yaml") -> list[Diagnostic]:
    return [each for each in run_checks(Subject.of_text(name, content), also=frozenset({CODE})) if each.code == CODE]


@pytest.mark.parametrize(
    ("content", "fixed"),
    [
        ("denied_tools: [Bash]\n", f"{LINE}\ndenied_tools: [Bash]\n"),
        ("# mine\r\ndenied_tools: [Bash]\r\n", f"{LINE}\r\n# mine\r\ndenied_tools: [Bash]\r\n"),
        ("\ufeffdenied_tools: [Bash]", f"\ufeff{LINE}\ndenied_tools: [Bash]"),
        ("%YAML 1.1\n---\ndenied_tools: [Bash]\n", f"{LINE}\n%YAML 1.1\n---\ndenied_tools: [Bash]\n"),
        ("x: '$schema=y'\n", f"{LINE}\nx: '$schema=y'\n"),
    ],
)
def test_it_is_missed_and_added(content: str, fixed: str) -> None:
    (found,) = found_in(content)
    assert (found.severity, found.span) == ("information", Span(0, len(content.splitlines()[0])))
    (fix,) = found.fixes
    assert fix.safe
    assert apply_edits(content, fix.edits) == fixed
    assert found_in(fixed) == []


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("", ".coding-agent-rules.yaml"),
        ("\n", ".coding-agent-rules.yaml"),
        ("# yaml-language-server: $schema=./mine.json\ndenied_tools: [Bash]\n", ".coding-agent-rules.yaml"),
        ("denied_tools: [Bash]\n#yaml-language-server:$schema=x\n", ".coding-agent-rules.yaml"),
        ("# Rules\n", ".coding-agent-rules.md"),
        ("project_agent_rules: {}\n", "config.yaml"),
    ],
)
def test_it_is_not_missed(content: str, name: str) -> None:
    assert found_in(content, name) == []


def test_it_is_not_missed_where_nobody_asks() -> None:
    assert run_checks(Subject.of_text(".coding-agent-rules.yaml", "denied_tools: [Bash]\n")) == []
