"""`rules-lsp explain`: what is printed, word for word, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from rules_lsp.schemas import violations
from tests.support.projects import RULES, build

TEXT = """\
allowed_tools:
  - github/*
denied_tools: [github/delete_*, '*/delete_file']
file_patterns:
  include: ["src/**", "*.md"]
  exclude:
    - '*.pem'
    - secrets/
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = build(tmp_path, {RULES: TEXT, "src/a": ""}, links={"src/l": "../secrets/k.pem"}, directories=["secrets"])
    monkeypatch.chdir(root)
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    return root


def explain(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["explain", *arguments])
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, printed.out


def test_an_allowed_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(capsys, "file", "src/a") == (
        0,
        """\
allowed: write src/a
  `src/a` is included by `src/**` (included)
weighed:
  passes                                 no exclude matches
  allows  .coding-agent-rules.yaml:5:14  `src/**` includes it
rules: .coding-agent-rules.yaml
""",
    )


def test_a_denied_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(capsys, "file", "src/l", "--operation", "read") == (
        1,
        """\
denied: read src/l
  `src/l` leads to or can be read as `secrets/k.pem`, which is excluded by `*.pem` (excluded)
weighed:
  passes                                `src/l` leads to `secrets/k.pem`
  denies  .coding-agent-rules.yaml:7:8  `*.pem` excludes `secrets/k.pem`
  denies  .coding-agent-rules.yaml:8:7  `secrets/` excludes `secrets/k.pem`
rules: .coding-agent-rules.yaml
""",
    )


def test_an_include_that_is_overruled(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(capsys, "file", "src/key.pem") == (
        1,
        """\
denied: write src/key.pem
  `src/key.pem` is excluded by `*.pem` (excluded)
weighed:
  denies  .coding-agent-rules.yaml:7:8   `*.pem` excludes `src/key.pem`
  passes  .coding-agent-rules.yaml:5:14  `src/**` includes it and is overruled
rules: .coding-agent-rules.yaml
""",
    )


def test_a_denied_tool(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(capsys, "tool", "mcp__github__delete_file") == (
        1,
        """\
denied: call mcp__github__delete_file
  `mcp__github__delete_file` is denied by `github/delete_*` (denied-tool)
weighed:
  denies  .coding-agent-rules.yaml:3:16  `github/delete_*` denies it
  denies  .coding-agent-rules.yaml:3:34  `*/delete_file` denies it
  passes  .coding-agent-rules.yaml:2:5   `github/*` allows it and is overruled
rules: .coding-agent-rules.yaml
""",
    )


def test_a_path_of_a_call(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = json.dumps({"files": [{"path": "src/a"}, {"path": "b"}]})
    assert explain(capsys, "tool", "github/push_files", "--arguments", call) == (
        1,
        """\
denied: call github/push_files
  `github/push_files` may be called, but not here: `b` matches no pattern of `file_patterns.include` (not-included)
weighed:
  passes                                no denying entry matches
  allows  .coding-agent-rules.yaml:2:5  `github/*` allows it
  passes                                no exclude matches
  denies  .coding-agent-rules.yaml:5:3  `b` matches no pattern of `file_patterns.include`
rules: .coding-agent-rules.yaml
""",
    )


def test_no_rules(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / RULES).unlink()
    expected = """\
allowed: write b
  `b` is restricted by no rule (unrestricted)
weighed:
  allows  `b` is restricted by no rule
rules: none: the project has no rule file
"""
    assert explain(capsys, "file", "b") == (0, expected)


def test_rules_that_cannot_be_read(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / RULES).write_text("denied_tools: [Bash\n")
    expected = f"""\
allowed: call Bash
  `Bash` is restricted by no rule (unrestricted)
weighed:
  allows  `Bash` is restricted by no rule
rules: {RULES}
warning: this `[` is never closed, or a comma is missing behind an entry: add `]`; \
the rules of this file, its deny list included, are not in force
"""
    assert explain(capsys, "tool", "Bash") == (0, expected)


def test_rules_that_are_switched_off(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "config.yaml").write_text("project_agent_rules: {enabled: false}\n")
    expected = f"""\
allowed: write src/x.pem
  the rules of this project are switched off (disabled)
weighed:
  allows  the rules of this project are switched off
rules: {RULES} (switched off)
"""
    assert explain(capsys, "file", "src/x.pem") == (0, expected)


def test_what_is_no_path_is_told_on_one_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = f"""\
denied: write a�b
  the path holds a control character (invalid-request)
weighed:
  denies  the path holds a control character
rules: {RULES}
"""
    assert explain(capsys, "file", "a\nb") == (1, expected)


def test_nothing_printed_commands_the_terminal(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "config.yaml").write_text('project_agent_rules: {"a\\e[31m\\u202e": 1}\n')
    code, out = explain(capsys, "file", "src/\u202egpj.exe")
    assert code == 0
    assert "src/\ufffdgpj.exe" in out
    assert "unknown key `a\ufffd[31m\ufffd`" in out
    assert [char for char in out if not char.isprintable() and char not in "\n\ufffd"] == []


def test_a_path_starts_where_the_terminal_is(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root / "src")
    assert explain(capsys, "file", "a")[1].splitlines()[0] == "allowed: write src/a"
    assert explain(capsys, "file", "../b")[1].splitlines()[0] == "denied: write b"
    assert explain(capsys, "file", "../../b")[1].splitlines()[:2] == [
        "denied: write ../../b",
        "  `../../b` lies outside the project (outside-root)",
    ]
    monkeypatch.chdir("/")
    assert explain(capsys, "file", "src/a", "--root", str(root))[1].splitlines()[0] == "denied: write src/a"


def test_a_rename(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explain(capsys, "file", "src/a", "--operation", "rename", "--new-path", "src/b")[0] == 0
    code, out = explain(capsys, "file", "src/a", "--operation", "rename", "--new-path", "b")
    assert (code, out.splitlines()[1]) == (1, "  `b` matches no pattern of `file_patterns.include` (not-included)")


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_rename_without_its_new_path(root: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["explain", "file", "src/a", "--operation", "rename", "--format", form]) == 2
    assert capsys.readouterr() == ("", "rules-lsp: a rename needs --new-path\n")
    assert explain(capsys, "tool", "github/a", "--operation", "rename")[0] == 0


def test_as_json(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = explain(capsys, "tool", "github/delete_file", "--format", "json")
    answer = json.loads(out)
    weighed = answer.pop("weighed")
    assert code == 1
    assert violations("decision", answer) == []
    assert (answer["code"], answer["rule"]["pattern"]) == ("denied-tool", "github/delete_*")
    assert [(step["effect"], step["rule"]["pattern"]) for step in weighed] == [
        ("denies", "github/delete_*"),
        ("denies", "*/delete_file"),
        ("passes", "github/*"),
    ]
    assert weighed[0]["rule"]["range"]["start"] == {"line": 2, "character": 15}
    assert json.loads(explain(capsys, "file", "b", "--format", "json")[1])["code"] == "not-included"


def test_as_markdown(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = explain(capsys, "file", "b", "--format", "markdown")
    place = f"[.coding-agent-rules.yaml:5:3]({(root / RULES).as_uri()}#L5)"
    assert (code, out) == (
        1,
        "**denied**: write `b`\n\n`b` matches no pattern of `file_patterns.include` (not-included)\n\n"
        "1. passes: no exclude matches\n"
        f"2. denies: `b` matches no pattern of `file_patterns.include` ({place})\n\n"
        "rules: .coding-agent-rules.yaml\n",
    )


@pytest.mark.parametrize("text", ["{", "", "{'a': 1}", "[" * 100_000])
def test_arguments_that_are_no_json(root: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["explain", "tool", "Write", "--arguments", text]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("rules-lsp: --arguments is n")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["file"], ["other", "a"], ["file", "a", "--operation", "x"], ["file", "a", "b"]]
)
def test_usage(root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["explain", *arguments])
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["file", "a", "--new-path", "b"], "--new-path goes with --operation rename, and not with write"),
        (
            ["file", "a", "--operation", "read", "--new-path", ""],
            "--new-path goes with --operation rename, and not with read",
        ),
        (["file", "a", "--operation", "rename"], "a rename needs --new-path"),
        (["tool", "a", "--new-path", "b"], "--new-path is for a file: leave it out"),
        (["file", "a", "--arguments", "{}"], "--arguments are those of a tool: leave them out"),
        (
            ["tool", "a", "--arguments", "[]"],
            '--arguments is no JSON object: write one, such as {"path": "src/app.py"}',
        ),
        (["file", ""], "an empty name names nothing: give a path, or the name of a tool"),
        (["tool", ""], "an empty name names nothing: give a path, or the name of a tool"),
    ],
)
def test_options_that_do_not_go_together_are_told_as_they_are_written(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["explain", *arguments]) == 2
    assert capsys.readouterr() == ("", f"rules-lsp: {message}\n")


def test_a_refused_name_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = explain(capsys, "file", "~/x")
    assert (status, output.splitlines()[0]) == (1, "denied: write ~/x")
    status, output = explain(capsys, "file", "C:\\x", "--format", "markdown")
    assert (status, output.splitlines()[0]) == (1, "**denied**: write `C:\\x`")
