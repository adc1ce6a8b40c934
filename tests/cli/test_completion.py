"""The completion scripts, in the shells that they are for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rules_lsp.cli.main import VERBS, main
from tests.support.zsh import completions

VERB_NAMES = set(VERBS)
CASES = [
    ("", VERB_NAMES),
    ("com", {"completion"}),
    ("check --f", {"--format", "--fix"}),
    ("check --format ", {"text", "json", "sarif", "github"}),
    ("check --select unknown-k", {"unknown-key"}),
    ("check s", {"secrets", "src", "s p.yaml"}),
    ("check --root s", {"secrets", "src"}),
    ("check --fix s", {"secrets", "src", "s p.yaml"}),
    ("explain ", {"file", "tool"}),
    ("explain --root src f", {"file"}),
    ("explain file s", {"secrets", "src", "s p.yaml"}),
    ("rule duplicate-k", {"duplicate-key"}),
    ("completion ", {"bash", "zsh", "fish"}),
    ("nothing s", set()),
]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    directory = tmp_path / "work"
    for name in ("src", "secrets"):
        (directory / name).mkdir(parents=True)
    (directory / "s p.yaml").touch()
    return directory


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def in_bash(text: str, words: list[str], directory: Path) -> list[str]:
    """What bash offers for the last of the words. Only the option of `compopt` needs a line that is being typed."""
    program = f"""{text}
compopt() {{ :; }}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rules_lsp
[ "${{#COMPREPLY[@]}}" = 0 ] || printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    command = ["bash", "--norc", "-c", program, "bash", *words]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=directory)
    assert answer.stderr == ""
    return answer.stdout.splitlines()


@pytest.mark.parametrize(("line", "offered"), CASES)
def test_bash(capsys: pytest.CaptureFixture[str], directory: Path, line: str, offered: set[str]) -> None:
    found = set(in_bash(script(capsys, "bash"), ["rules-lsp", *line.split(" ")], directory))
    assert found - {"--version", "--help", "-h"} == offered


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["--format", "=", "s"], ["sarif"]),
        (["--format", "="], ["text", "json", "sarif", "github"]),
        (["--select", "wrong-type,unknown-k"], ["wrong-type,unknown-key"]),
        (["--severity", "unknown-k"], ["unknown-key="]),
        (["--severity", "unknown-key", "="], ["off", "information", "warning", "error"]),
        (["--severity", "unknown-key", "=", "w"], ["warning"]),
        (["--select", "unknown-key", "--form"], ["--format"]),
    ],
)
def test_bash_at_its_word_breaks(
    capsys: pytest.CaptureFixture[str], directory: Path, words: list[str], offered: list[str]
) -> None:
    assert in_bash(script(capsys, "bash"), ["rules-lsp", "check", *words], directory) == offered


@pytest.mark.zsh
@pytest.mark.parametrize(
    ("line", "offered"), [*CASES[:-1], ("check --severity unknown-key=w", {"warning"}), ("check --format=s", {"sarif"})]
)
def test_zsh(capsys: pytest.CaptureFixture[str], directory: Path, tmp_path: Path, line: str, offered: set[str]) -> None:
    found = completions("zsh", script(capsys, "zsh"), f"rules-lsp {line}", directory, tmp_path)
    assert {name.replace("\\", "") for name in found} - {"--version", "--help", "-h"} == offered


@pytest.mark.fish
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        *CASES[:-1],
        ("check --select wrong-type,unknown-k", {"wrong-type,unknown-key"}),
        ("check --severity unknown-key=w", {"unknown-key=warning"}),
        ("check --format=s", {"--format=sarif"}),
    ],
)
def test_fish(
    capsys: pytest.CaptureFixture[str], directory: Path, tmp_path: Path, line: str, offered: set[str]
) -> None:
    (tmp_path / "script").write_text(script(capsys, "fish"), encoding="utf-8")
    command = ["fish", "--no-config", "-c", f"source {tmp_path}/script; complete -C {'rules-lsp ' + line!r}"]
    environment = {"PATH": Path(shutil.which("fish") or "").parent.as_posix() + ":/usr/bin:/bin", "HOME": str(tmp_path)}
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd=directory, env=environment)
    found = {each.partition("\t")[0].rstrip("/").replace("\\", "") for each in answer.stdout.splitlines()}
    assert (found, answer.stderr) == (offered, "")
