"""`rules-lsp check` on a project with an `.auto-prompter.yaml`: found beside the rule files, told, repaired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_lsp.cli.main import main

FILE = ".auto-prompter.yaml"
FAULTY = """\
version: 1
rules:
  - id: no-ssh # ours
    wehn: tool.before
    target: {categories: [ssh]}
    action: deny_current_tool
    limit: {fires: 1}
  - id: ask
    when: tool.before
    target: {categories: [file_write]}
    action: request_approval
"""
REPAIRED = """\
version: 1
rules:
  - id: no-ssh # ours
    when: tool.before
    target: {categories: [ssh]}
    action: deny_current_tool
  - id: ask
    when: tool.before
    target: {categories: [file_write]}
    action: request_approval
"""
SAID = """\
.auto-prompter.yaml:4:5: error[unknown-key] unknown key `wehn`: did you mean `when`?
        wehn: tool.before
        ^^^^
    fix: rename it to `when`
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(["check", *arguments])
    return status, capsys.readouterr().out


def test_as_text(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / FILE).write_text(FAULTY)
    status, told = run(capsys, "--select", "unknown-key")
    nothing = ".: the project has no rule file, so nothing is restricted inside it"
    assert (status, told) == (1, f"{SAID}\n{nothing}\nfound 1 error in 1 file\n")


def test_as_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / FILE).write_text(FAULTY)
    status, told = run(capsys, "--format", "json")
    found = [(each["code"], each["severity"]) for each in json.loads(told)]
    assert status == 1
    assert ("unknown-key", "error") in found
    assert ("missing-companions", "warning") in found


def test_as_sarif(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / FILE).write_text(FAULTY)
    _, told = run(capsys, "--format", "sarif")
    results = json.loads(told)["runs"][0]["results"]
    place = {"startLine": 10, "startColumn": 27, "endLine": 10, "endColumn": 37, "snippet": {"text": "file_write"}}
    (found,) = [each for each in results if each["ruleId"] == "missing-companions"]
    assert found["locations"][0]["physicalLocation"]["region"] == place
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == FILE


def test_it_is_repaired(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / FILE).write_text(FAULTY)
    run(capsys, "--fix")
    assert (here / FILE).read_text() == REPAIRED
    run(capsys, "--fix")
    assert (here / FILE).read_text() == REPAIRED


def test_guesses_are_made_only_where_that_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / FILE).write_text(FAULTY)
    run(capsys, "--fix", "--unsafe")
    assert (here / FILE).read_text() == REPAIRED.replace(
        "[file_write]", "[file_write, command_execution, external_communication]"
    )


def test_one_without_a_fault(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / FILE).write_text("version: 1\n")
    assert run(capsys, "--select", "unknown-key,missing-key")[0] == 0
