"""How files are called in the output, from wherever the command runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from rules_lsp.cli.names import below, shortened
from tests.support.projects import RULES, build


def test_a_path_is_told_from_the_working_directory(here: Path) -> None:
    assert shortened(str(here / "a" / "b")) == "a/b"
    assert shortened(str(here)) == "."
    assert shortened(str(here.parent / "x")) == "../x"
    assert shortened(str(here / "..a")) == "..a"


def test_the_top_of_the_file_system_is_no_place_to_meet(here: Path) -> None:
    assert shortened("/nowhere/x") == "/nowhere/x"
    os.chdir("/usr")
    assert shortened("/nowhere/x") == "/nowhere/x"
    assert shortened("/usr/x") == "x"
    os.chdir("/")
    assert shortened("/nowhere/x") == "nowhere/x"


def test_programs_are_told_relative_paths_below_the_working_directory_alone(here: Path) -> None:
    assert below(str(here / "a")) == "a"
    assert below(str(here / "..a")) == "..a"
    assert below(str(here.parent / "x")) == str(here.parent / "x")


def test_from_a_directory_of_the_project_findings_have_relative_names(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(here.parent, {RULES: "deny_tools: []\n"}, directories=[".git", "sub/deep"])
    os.chdir(here / "sub" / "deep")
    assert main(["check"]) == 1
    assert capsys.readouterr().out.startswith(f"../../{RULES}:1:1: error[unknown-key] ")
    assert main(["check", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith(f"::error file={RULES},line=1,")
    assert main(["check", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["path"] == str(here / RULES)
    assert main(["check", "--fix", "--select", "unknown-key"]) == 0
    assert capsys.readouterr().out.startswith(f"../../{RULES}:1:1: fixed[unknown-key] ")


def test_what_is_missing_is_told_from_there_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {}, directories=[".git", "sub"])
    os.chdir(here / "sub")
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "..: the project has no rule file, so nothing is restricted inside it\n"
    assert main(["init"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"wrote ../{RULES}"
