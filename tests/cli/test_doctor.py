"""`rules-lsp doctor`: what it prints, and its exit code."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from rules_lsp.cli.main import main

SETTINGS = ".claude/settings.json"
CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def machine(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home on a machine without any host."""
    monkeypatch.setenv("HOME", str(here.parent / "home"))
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: name if name.startswith("/") else None)


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["doctor", *arguments])
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, printed.out


def test_no_host(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(capsys) == (0, "no agent's host is found here\n")
    assert doctor(capsys, "--format", "json") == (0, '{"hosts": []}\n')


def test_a_host_with_a_hook_and_one_without(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".claude").mkdir()
    assert main(["hook", "install", "qwen"]) == 0
    capsys.readouterr()
    assert doctor(capsys) == (
        1,
        """\
claude: 1 problem (found by .claude)
  problem[no-hook] it has no hook: claude does not ask before it acts
    do: rules-lsp hook install claude
qwen: ok (found by .qwen)
  hook: .qwen/settings.json
  open[flags] `--bare` and `--safe-mode` run no hooks
    do: do not start it so where the rules must hold
  open[last-wins] of several hooks the last one is obeyed
    do: keep this one the last
""",
    )


def test_what_is_open_is_no_problem(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules_lsp.agents.hook_command.is_program", lambda path: path == sys.executable)
    assert main(["hook", "install", "opencode"]) == 0
    capsys.readouterr()
    code, said = doctor(capsys, "--format", "json")
    assert code == 0
    assert json.loads(said) == {
        "hosts": [
            {
                "host": "opencode",
                "foundBy": ".opencode",
                "ok": True,
                "hooks": [
                    {
                        "path": ".opencode/plugins/rules-lsp.js",
                        "command": [sys.executable, "-P", "-m", "rules_lsp", "hook", "opencode"],
                    }
                ],
                "findings": [
                    {
                        "level": "open",
                        "code": "flags",
                        "message": "`--pure` loads no plugins",
                        "advice": "do not start it so where the rules must hold",
                        "path": None,
                    }
                ],
            }
        ]
    }


def test_a_file_that_does_not_parse(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".claude").mkdir()
    (here / SETTINGS).write_text("{\x1b")
    code, said = doctor(capsys)
    assert code == 1
    assert said.splitlines()[:3] == [
        "claude: 2 problems (found by .claude)",
        "  problem[invalid-file] .claude/settings.json: a key in double quotes must stand here: claude runs no hooks of"
        " it, without a word",
        "    do: repair it",
    ]


def test_nothing_is_run_unless_asked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".claude").mkdir()
    handler = {"type": "command", "command": f"touch {here}/ran; exit 7; rules-lsp hook claude", "timeout": 30}
    (here / SETTINGS).write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}))
    doctor(capsys)
    assert not (here / "ran").exists()
    code, said = doctor(capsys, "--run")
    assert (code, (here / "ran").exists()) == (1, True)
    assert said.splitlines()[1] == "  hook: .claude/settings.json: run once, it ended with code 7 and no answer"
    ran = json.loads(doctor(capsys, "--run", "--format", "json")[1])["hosts"][0]["hooks"][0]["run"]
    assert ran["failure"] == "it ended with code 7 and no answer"


def test_a_hook_that_answers(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hook", "install", "claude"]) == 0
    capsys.readouterr()
    code, said = doctor(capsys, "--run")
    assert code == 0
    assert said.splitlines()[1].startswith("  hook: .claude/settings.json: run once, it answers in ")


def test_a_rule_that_denies_all_is_an_answer_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".coding-agent-rules.yaml").write_text("allowed_tools: []\n")
    assert main(["hook", "install", "claude"]) == 0
    capsys.readouterr()
    assert doctor(capsys, "--run")[0] == 0
