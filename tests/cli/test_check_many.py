"""`rules-lsp check` on trees of projects: which files it looks at, in which order, in one process or in several."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp.cli import check
from rules_lsp.cli.main import main
from tests.support.projects import MARKDOWN, RULES, build

ROOT = Path(__file__).resolve().parent.parent.parent
WRONG = "deny_tools: []\n"
RIGHT = "denied_tools: [Bash]\n"


def places(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Where something is wrong: the beginnings of the findings."""
    main(["check", *arguments, "--select", "unknown-key"])
    return [line.partition(": error")[0] for line in capsys.readouterr().out.splitlines() if ": error[" in line]


def test_nested_projects_are_checked_parents_first(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: WRONG, f"b/{RULES}": WRONG, f"a/x/{RULES}": WRONG, f"a/{RULES}": RIGHT})
    assert places(capsys) == [f"{RULES}:1:1", f"a/x/{RULES}:1:1", f"b/{RULES}:1:1"]
    assert places(capsys, "a") == [f"a/x/{RULES}:1:1"]
    assert places(capsys, "b", "a", "b", f"a/x/{RULES}") == [f"b/{RULES}:1:1", f"a/x/{RULES}:1:1"]


def test_a_directory_can_be_skipped(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {f"a/{RULES}": WRONG, f"b/c/{RULES}": WRONG, f"b2/{RULES}": WRONG})
    assert places(capsys, "--skip", "b", "--skip", "a") == [f"b2/{RULES}:1:1"]


def test_each_project_has_the_rule_file_that_is_in_force_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {f"a/{RULES}": RIGHT, f"a/{MARKDOWN}": "## Tool Denied\n\n- `[`", f"b/{MARKDOWN}": "Text.\n"})
    assert main(["check", "--select", "unknown-key"]) == 0
    assert capsys.readouterr().out.endswith("nothing to report in 3 files\n")


def test_that_there_are_no_rules_is_said_once_where_nothing_is_found(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(here.parent, {f"a/{RULES}": RIGHT, "b/x": ""})
    assert main(["check", "a", "b"]) == 0
    note = "b: the project has no rule file, so nothing is restricted inside it"
    assert capsys.readouterr().out == f"{note}\nnothing to report in 1 file\n"
    assert main(["check"]) == 0
    note = ".: the project has no rule file, so nothing is restricted inside it"
    assert capsys.readouterr().out == f"{note}\nnothing to report in 1 file\n"
    (here / RULES).write_text(RIGHT)
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "nothing to report in 2 files\n"


def test_a_misnamed_rule_file_is_found_above_a_nested_project(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {".coding-agent-rules.yml": RIGHT, f"pkg/{RULES}": RIGHT, f"other/{RULES}": RIGHT})
    for path in ([], ["."], [str(here)]):
        assert main(["check", "--select", "unread-rule-file", *path]) == 1
        lines = capsys.readouterr().out.splitlines()
        (found,) = (line for line in lines if "[unread-rule-file]" in line)
        assert found.startswith(".coding-agent-rules.yml:1:1: ")
        assert ".: the project has no rule file, so nothing is restricted inside it" in lines
        assert lines[-1] == "found 1 warning in 3 files"
    assert main(["check", "--select", "unread-rule-file", "pkg"]) == 0
    assert capsys.readouterr().out == "nothing to report in 1 file\n"


def test_a_server_file_is_read_above_a_nested_project(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {".mcp.json": "{", f"pkg/{RULES}": RIGHT, "pkg/.mcp.json": "{}"})
    main(["check"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if "[" in line.partition("`")[0]] == [".mcp.json"]
    assert lines[-1].endswith(" in 2 files")


def test_a_named_rule_file_is_one_of_the_directory_that_it_governs(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = "denied_tools: [\n"
    build(
        here.parent,
        {f"a/{RULES}": broken, "a/config.yaml": "project_agent_rules: {on_error: deny}\n", f"b/{RULES}": broken},
        directories=[".git"],
    )
    main(["check", f"a/{RULES}", f"b/{RULES}"])
    lines = [line for line in capsys.readouterr().out.splitlines() if "error[" in line]
    assert lines[0].endswith("; until it is repaired everything is denied")
    assert lines[1].endswith("; the rules of this file, its deny list included, are not in force")


def test_an_operators_configuration_says_which_files_are_rule_files(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(
        here.parent,
        {
            "a/RULES.yaml": WRONG,
            f"b/{RULES}": WRONG,
            "mine.yaml": "project_agent_rules: {rule_files: [RULES.yaml]}\n",
        },
    )
    assert places(capsys, "--config", "mine.yaml") == ["a/RULES.yaml:1:1"]


def test_a_directory_that_cannot_be_read(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(here.parent, {f"a/{RULES}": RIGHT, f"b/{RULES}": WRONG})
    real = os.scandir

    def scandir(path: str) -> object:
        if path == str(here / "b"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert main(["check"]) == 0
    note = "b: it cannot be read (permission denied), so projects below it are not checked\n"
    note += ".: the project has no rule file, so nothing is restricted inside it\n"
    assert capsys.readouterr().out == f"{note}nothing to report in 1 file\n"
    assert main(["check", "b"]) == 2
    assert capsys.readouterr().err == "rules-lsp: b: it cannot be read (permission denied)\n"


def test_several_processes_find_the_same(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(here.parent, {f"p{number}/{RULES}": WRONG if number % 3 else RIGHT for number in range(40)})
    answers = []
    for threshold in (1000, 1):
        monkeypatch.setattr(check, "SPREAD_FROM_TARGETS", threshold)
        monkeypatch.setattr("rules_lsp.cli.parallel._processors", lambda: 3)
        answers.append((main(["check", "--format", "json"]), capsys.readouterr()))
    assert answers[0] == answers[1]
    assert answers[0][1].out.count('"unknown-key"') == 26


def test_an_interrupt_ends_it_without_a_traceback(here: Path) -> None:
    build(here.parent, {f"p{number}/{RULES}": WRONG for number in range(4)})
    program = (
        "import os, signal, sys\n"
        "from rules_lsp.cli import check, parallel\n"
        "from rules_lsp.cli.main import main\n"
        "check.SPREAD_FROM_TARGETS = 1\n"
        "parallel._processors = lambda: 2\n"
        "real = check.check_target\n"
        "def interrupted(target, selection):\n"
        "    os.killpg(os.getpgid(0), signal.SIGINT)\n"
        "    return real(target, selection)\n"
        "interrupted.__module__, interrupted.__qualname__ = '__main__', 'interrupted'\n"
        "check.check_target = interrupted\n"
        "sys.exit(main(['check']))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        timeout=60,
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (130, "", "")


def test_a_reader_that_goes_away_is_no_traceback(here: Path) -> None:
    build(here.parent, {f"p{number}/{RULES}": WRONG for number in range(300)})
    script = f"{sys.executable} -m rules_lsp check | head -n 1"
    answer = subprocess.run(
        ["sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert answer.stdout.startswith(f"p0/{RULES}:1:1: error[unknown-key]")
    assert answer.stderr == ""
