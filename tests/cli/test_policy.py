from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from tests.support.projects import MARKDOWN, RULES, build

SERVERS = '{"mcpServers": {"github": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"]}}}'
RULES_TEXT = """\
system_prompt_extension: Be kind.
allowed_tools: [Read, github/*, "github/get_me"]
denied_tools: [github/*_issue]
file_patterns:
  include: [src/**, "docs/[a", nothing/]
  exclude: ["*.pem"]
"""
FILES = {
    RULES: RULES_TEXT,
    ".mcp.json": SERVERS,
    "src/a.py": "",
    "src/b/key.pem": "",
    "key.pem": "",
    "README.md": "",
}


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["policy", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_every_entry_with_its_place_and_what_it_takes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, FILES)
    status, printed, errors = output(capsys)
    all_tools = next(line for line in printed.splitlines() if "github/*  " in line)
    count = int(all_tools.split()[2])
    assert count > 20
    first = "github/add_issue_comment, github/create_branch, github/create_issue"
    text = f"""\
rules: {RULES}
system prompt extension: 8 characters
protected: .auto-prompter.yaml, {MARKDOWN}, {RULES}, .github/AGENTS.md, config.yaml

allowed_tools ({RULES}:2:1)
  {RULES}:2:17  Read
  {RULES}:2:23  github/*       {count} known tools: {first}, …
  {RULES}:2:34  github/get_me

denied_tools ({RULES}:3:1)
  {RULES}:3:16  github/*_issue  3 known tools: github/create_issue, github/get_issue, github/update_issue

file_patterns.include ({RULES}:5:3)
  {RULES}:5:13  src/**    2 files
  {RULES}:5:22  docs/[a   cannot be read (`docs/[a` has a `[` that is never closed): it allows nothing meanwhile
  {RULES}:5:32  nothing/  no file

file_patterns.exclude ({RULES}:6:3)
  {RULES}:6:14  *.pem  2 files
"""
    assert (status, printed, errors) == (0, text, "")


def test_as_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, FILES)
    status, printed, _ = output(capsys, "--format", "json")
    found = json.loads(printed)
    assert (status, found["root"], found["policy"]["uri"]) == (0, str(here), f"file://{here}/{RULES}")
    assert (found["knownServers"], found["files"]) == (["github"], {"count": 6, "complete": True})
    assert [each["list"] for each in found["lists"]] == [
        "allowed_tools",
        "denied_tools",
        "file_patterns.include",
        "file_patterns.exclude",
    ]
    assert found["lists"][1]["entries"] == [
        {
            "index": 0,
            "pattern": "github/*_issue",
            "range": {"start": {"line": 2, "character": 15}, "end": {"line": 2, "character": 29}},
            "broken": None,
            "tools": ["github/create_issue", "github/get_issue", "github/update_issue"],
        }
    ]
    assert [entry["files"] for entry in found["lists"][2]["entries"]] == [2, 0, 0]
    assert found["lists"][2]["entries"][1]["broken"] == "`docs/[a` has a `[` that is never closed"


@pytest.mark.parametrize(
    ("files", "status", "first"),
    [
        ({}, 0, ["rules: none, so nothing is restricted inside the project"]),
        (
            {RULES: "denied_tools: [x]\n", "config.yaml": "project_agent_rules: {enabled: false}\n"},
            0,
            [
                f"rules: {RULES}, switched off: nothing is restricted inside the project",
                "configuration: config.yaml",
                "",
                f"denied_tools ({RULES}:1:1)",
            ],
        ),
        (
            {"config.yaml": "project_agent_rules: {default_rules: {denied_tools: [x]}}\n"},
            0,
            ["rules: `default_rules` of config.yaml, since there is no rule file", "configuration: config.yaml"],
        ),
        (
            {RULES: "denied_tools: [\n", "config.yaml": "project_agent_rules: {default_rules: {denied_tools: [x]}}\n"},
            1,
            [f"rules: `default_rules` of config.yaml, in place of {RULES}", "configuration: config.yaml"],
        ),
        (
            {RULES: "denied_tools: [\n", "config.yaml": "project_agent_rules: {on_error: deny}\n"},
            1,
            [
                f"rules: {RULES}, which cannot be read",
                "configuration: config.yaml",
                f"everything is denied: the rule file `{RULES}` cannot be read and `on_error` is `deny`",
            ],
        ),
        (
            {RULES: "allowed_tools: []\nfile_patterns: {exclude: {a: b}}\n"},
            0,
            [
                f"rules: {RULES}",
                f"protected: .auto-prompter.yaml, {MARKDOWN}, {RULES}, .github/AGENTS.md, config.yaml",
                "",
                f"allowed_tools ({RULES}:1:1): it is empty, so it allows nothing",
            ],
        ),
    ],
)
def test_where_the_rules_come_from(
    here: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], status: int, first: list[str]
) -> None:
    build(here.parent, files)
    found, printed, _ = output(capsys)
    assert (found, printed.splitlines()[: len(first)]) == (status, first)


def test_a_rule_file_that_cannot_be_read_is_told_with_its_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "denied_tools: [\n"})
    status, printed, _ = output(capsys)
    assert status == 1
    assert printed.splitlines()[0] == f"rules: {RULES}, which cannot be read"
    assert printed.splitlines()[1].startswith(f"{RULES}:1:15: error[syntax-error] ")


def test_a_list_that_cannot_be_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "denied_tools: {a: b}\n"})
    lines = output(capsys)[1].splitlines()
    assert lines[-1].startswith(f"denied_tools ({RULES}:1:1): cannot be read (")
    assert lines[-1].endswith("): every tool is denied meanwhile")


def test_many_entries_and_files_take_linear_time(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = "".join(f"    - src/module{number}/**\n" for number in range(5000))
    build(here.parent, {RULES: f"file_patterns:\n  include:\n{entries}", "src/module7/a": "", "src/module4999/a": ""})
    lines = output(capsys)[1].splitlines()
    assert len(lines) == 5004
    assert lines[11].split()[1:] == ["src/module7/**", "1", "file"]
    assert lines[12].split()[1:] == ["src/module8/**", "no", "file"]
