"""`rules-lsp check`: what it prints and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic
from rules_lsp.cli.main import main
from rules_lsp.source.text import Span

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = ".coding-agent-rules.yaml"
FAULTY = "# 日本\ndeny_tools:\n  - Bash\ndeny_tools: []\n"
EFFECT = "; the rules of this file, its deny list included, are not in force"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULES_LSP_STRICT", "1")
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    directory = tmp_path / "project"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory


def write(directory: Path, content: str, name: str = NAME) -> Path:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["check", *arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_the_rule_file_in_force_is_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, FAULTY)
    write(project, "## Allowed Tools\n", ".coding-agent-rules.md")
    text = f"""\
{NAME}:2:1: error[unknown-key] unknown key `deny_tools`; it is read as `denied_tools` meanwhile: rename it
    deny_tools:
    ^^^^^^^^^^
    fix: rename it to `denied_tools`

{NAME}:4:1: error[duplicate-key] the key `deny_tools` stands twice: put its entries in one place
    deny_tools: []
    ^^^^^^^^^^
    {NAME}:2:1: `deny_tools` stands here first

.coding-agent-rules.md:1:1: warning[superseded-rule-file] `{NAME}` is in force and switches this file off: \
move the rules there and remove this file
    ## Allowed Tools
    ^^^^^^^^^^^^^^^^
    {NAME}:1:1: this file is in force

found 2 errors and 1 warning in 2 files
"""
    assert printed(capsys) == (1, text, "")


def test_a_project_without_a_rule_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = ".: the project has no rule file, so nothing is restricted inside it\n"
    assert printed(capsys) == (0, note, "")
    assert printed(capsys, "--format", "json") == (0, "[]\n", note)


def test_default_rules_are_said_where_there_is_no_rule_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "project_agent_rules:\n  default_rules:\n    denied_tools: [Bash]\n", "config.yaml")
    note = ".: the project has no rule file, so `default_rules` apply\n"
    assert printed(capsys) == (0, f"{note}nothing to report in 1 file\n", "")


def test_a_file_that_is_right(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "denied_tools: [Bash]\n")
    assert printed(capsys) == (0, "nothing to report in 1 file\n", "")
    assert printed(capsys, "--format", "json") == (0, "[]\n", "")


def test_the_configuration_is_checked_where_it_has_our_section(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "denied_tools: [Bash]\n")
    write(project, "project_agent_rules:\n  enabled: perhaps\n", "config.yaml")
    status, output, _ = printed(capsys)
    assert status == 1
    assert output.startswith("config.yaml:2:3: error[config-value] `enabled` must be `true` or `false`")
    assert output.endswith("    enabled: perhaps\n      ^^^^^^^\n\nfound 1 error in 2 files\n")


def test_warnings_are_findings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "denied_tools:\n")
    status, output, _ = printed(capsys)
    assert (status, output.splitlines()[-1]) == (1, "found 1 warning in 1 file")


def test_information_alone_is_fine(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, "denied_tools: [Bash]\n")
    note = Diagnostic("covered-entry", "information", "worth knowing", Span(15, 19))
    monkeypatch.setattr("rules_lsp.cli.selection.run_checks", lambda subject, also, settings: [note])
    text = f"{NAME}:1:16: information[covered-entry] worth knowing\n    denied_tools: [Bash]\n"
    assert printed(capsys) == (0, f"{text}                   ^^^^\n\nfound 1 note in 1 file\n", "")


def test_a_file_that_cannot_be_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / NAME).write_bytes(b"denied_tools: [\xff]\n")
    message = f"`{NAME}` cannot be read: it is not UTF-8 (byte 15): save it as UTF-8{EFFECT}"
    text = f"{NAME}:1:1: error[unreadable-file] {message}\n\nfound 1 error in 1 file\n"
    assert printed(capsys) == (1, text, "")
    assert printed(capsys, NAME) == (1, text, "")


def test_a_directory_that_bears_the_name_of_a_rule_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / NAME).mkdir()
    advice = "rename it, and write the rules in a file of this name"
    message = f"`{NAME}` cannot be read: it is a directory: {advice}{EFFECT}"
    assert printed(capsys, NAME)[:2] == (
        1,
        f"{NAME}:1:1: error[unreadable-file] {message}\n\nfound 1 error in 1 file\n",
    )


def test_the_effect_is_that_of_the_configuration(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "denied_tools: [\n")
    write(project, "project_agent_rules: {on_error: deny}\n", "config.yaml")
    assert printed(capsys)[1].splitlines()[0].endswith("add `]`; until it is repaired everything is denied")


def test_json_has_ranges_in_utf_16(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(project, "file_patterns: {include: ['😀/*.a', '😀[a']}\ndenied_tools: []\ndenied_tools: []\n")
    status, output, errors = printed(capsys, "--format", "json")

    def place(line: int, start: int, end: int) -> dict[str, dict[str, int]]:
        return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}

    uri = f"file://{path}"
    assert (status, errors) == (1, "")
    assert json.loads(output) == [
        {
            "path": NAME,
            "uri": uri,
            "code": "invalid-glob",
            "severity": "error",
            "message": "`😀[a` has a `[` that is never closed: add the `]`, or write `\\[` for a plain one",
            "range": place(0, 39, 40),
            "related": [],
            "fixes": [
                {
                    "title": "read `[` as a plain character",
                    "safe": False,
                    "edits": [{"range": place(0, 39, 39), "newText": "\\"}],
                }
            ],
        },
        {
            "path": NAME,
            "uri": uri,
            "code": "duplicate-key",
            "severity": "error",
            "message": "the key `denied_tools` stands twice: put its entries in one place",
            "range": place(2, 0, 12),
            "related": [{"uri": uri, "range": place(1, 0, 12), "message": "`denied_tools` stands here first"}],
            "fixes": [],
        },
    ]


def test_a_path_is_a_project(tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    write(other, "denied_tools: {}\n")
    write(project, "denied_tools: []\n")
    status, output, _ = printed(capsys, "../other")
    assert (status, output.splitlines()[0].split(" ")[0]) == (1, f"../other/{NAME}:1:1:")
    assert printed(capsys, "--root", "../other")[:2] == (status, output)
    assert printed(capsys, ".")[0] == 0


def test_a_path_is_a_rule_file_in_force_or_not(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "denied_tools: [Bash]\n")
    write(project, "# X\n\n## File Patterns\n### Include\n- `a[b`\n", "docs/rules.md")
    status, output, _ = printed(capsys, "docs/rules.md", NAME, f"./{NAME}")
    assert status == 1
    assert output == (
        "docs/rules.md:5:5: error[invalid-glob] `a[b` has a `[` that is never closed: "
        "add the `]`, or write `\\[` for a plain one\n"
        "    - `a[b`\n        ^\n"
        "    fix: read `[` as a plain character (a guess)\n\nfound 1 error in 2 files\n"
    )


def test_the_operators_configuration_is_read_as_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(project, "project_agent_rules: {path_map: [{from: /a, to: /b}]}\n", "mine.yaml")
    assert printed(capsys, "mine.yaml", "--config", str(config))[:2] == (0, "nothing to report in 1 file\n")
    assert printed(capsys, "mine.yaml")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.yaml"], "rules-lsp: nothing.yaml: there is no such file or directory\n"),
        (["--root", "nowhere"], "rules-lsp: --root nowhere: there is no such directory\n"),
        (["--config", "no.yaml"], "no.yaml: there is no such file\n"),
    ],
)
def test_what_does_not_exist_is_a_failure(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, output, errors = printed(capsys, *arguments)
    assert (status, output) == (2, "")
    assert errors.startswith("rules-lsp: ")
    assert errors.endswith(message)


def test_every_encoding_of_the_output_will_do(project: Path) -> None:
    write(project, '"日本\U0001f600": x\n')
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "rules_lsp", "check", "--root", "."]
    answer = subprocess.run(command, capture_output=True, check=False, cwd=project, env=environment)
    assert (answer.returncode, answer.stderr) == (1, b"")
    assert answer.stdout.splitlines()[1] == b'    "\\u65e5\\u672c\\U0001f600": x'


def test_the_example_project_shows_what_is_wrong_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, _ = printed(capsys, str(ROOT / "tests" / "example"), "--format", "json")
    found = [(each["code"], each["range"]["start"]) for each in json.loads(output)]
    assert status == 1
    assert ("unknown-key", {"line": 13, "character": 0}) in found
    assert ("invalid-glob", {"line": 21, "character": 11}) in found
