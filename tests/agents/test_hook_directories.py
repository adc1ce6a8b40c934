"""From where a hook takes the relative paths of a call: where the host's shell stands, and where the call will run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_lsp.agents.hook import Settings, reason_to_deny

RULES = """
file_patterns:
  exclude:
    - /secrets/**
x-tool-paths:
  stubfs/put_file: [path]
"""
EXCLUDED = "`secrets/key.pem` is excluded by `/secrets/**`"
REDIRECTED = f"{EXCLUDED} (the redirection in the command line; a best-effort look)"
PUT = "mcp__stubfs__put_file"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("src", "secrets"):
        (tmp_path / name).mkdir()
    (tmp_path / ".coding-agent-rules.yaml").write_text(RULES)
    for name in ("CLAUDE", "GEMINI", "QWEN"):
        monkeypatch.setenv(f"{name}_PROJECT_DIR", str(tmp_path))
    return tmp_path


def claude(tool: str, arguments: dict[str, Any], cwd: Path) -> str | None:
    message = {"hook_event_name": "PreToolUse", "transcript_path": "t", "cwd": str(cwd)}
    return reason_to_deny(Settings("claude"), {**message, "tool_name": tool, "tool_input": arguments})


def gemini(arguments: dict[str, Any], root: Path) -> str | None:
    message = {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "cwd": str(root)}
    return reason_to_deny(Settings("gemini"), {**message, "tool_input": arguments})


def opencode(arguments: dict[str, Any], root: Path) -> str | None:
    return reason_to_deny(Settings("opencode"), {"tool": "bash", "args": arguments, "directory": str(root)})


def test_a_server_of_mcp_stays_in_the_root_when_the_shell_goes_elsewhere(root: Path) -> None:
    denied = f"`{PUT}` may be called, but not here: {EXCLUDED}"
    assert claude(PUT, {"path": "secrets/key.pem"}, root / "src") == denied
    assert claude(PUT, {"path": "key.pem"}, root / "secrets") == denied
    assert claude(PUT, {"path": "app.py"}, root / "src") is None
    assert claude(PUT, {"path": "src/app.py"}, root / "src") is None


def test_a_tool_of_the_host_goes_with_its_shell(root: Path) -> None:
    denied = f"`Write` may be called, but not here: {EXCLUDED}"
    assert claude("Write", {"file_path": "../secrets/key.pem"}, root / "src") == denied
    assert claude("Write", {"file_path": "secrets/key.pem"}, root / "src") is None


@pytest.mark.parametrize("key", ["dir_path", "directory"])
def test_gemini_runs_a_command_where_an_argument_says(key: str, root: Path) -> None:
    command = {"command": "echo k > key.pem"}
    assert gemini({**command, key: "secrets"}, root) == REDIRECTED
    assert gemini({**command, key: str(root / "secrets")}, root) == REDIRECTED
    assert gemini({**command, key: "src/../secrets"}, root) == REDIRECTED
    assert gemini({**command, key: "src"}, root) is None
    assert gemini({**command, key: 7}, root) is None
    assert gemini(command, root) is None


def test_opencode_runs_a_command_where_an_argument_says(root: Path) -> None:
    assert opencode({"command": "echo k > key.pem", "workdir": "secrets"}, root) == REDIRECTED
    assert opencode({"command": "echo k > key.pem", "workdir": "src"}, root) is None


def test_a_directory_does_not_hide_what_the_command_names_from_the_root(root: Path) -> None:
    assert gemini({"command": "echo k > secrets/key.pem", "directory": "src"}, root) == REDIRECTED
    assert gemini({"command": "echo k > src/key.pem", "directory": "src"}, root) is None


def started_in(directory: Path, tool: str, arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> str | None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(directory))
    return claude(tool, arguments, directory)


@pytest.fixture
def below(root: Path) -> Path:
    (root / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: ['*.pem', /src/inner/**]}")
    (root / "src" / "inner").mkdir()
    return root / "src"


@pytest.mark.parametrize("with_git", [True, False])
def test_the_rules_of_the_repository_hold_where_a_host_is_started_below(
    with_git: bool, root: Path, below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if with_git:
        (root / ".git").mkdir()
    pem = started_in(below, "Write", {"file_path": str(below / "key.pem")}, monkeypatch)
    inner = started_in(below, "Bash", {"command": "echo > inner/a"}, monkeypatch)
    assert pem == "`Write` may be called, but not here: `src/key.pem` is excluded by `*.pem`"
    assert inner is not None
    assert inner.startswith("`src/inner/a` is excluded by `/src/inner/**`")
    assert started_in(below, "Write", {"file_path": str(below / "app.py")}, monkeypatch) is None
    assert started_in(below, "Bash", {"command": "echo > outer"}, monkeypatch) is None


def test_a_path_without_a_directory_starts_where_the_host_was_started(
    below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(below))
    message = {"hook_event_name": "PreToolUse", "transcript_path": "t", "tool_name": "Write"}
    denied = reason_to_deny(Settings("claude"), {**message, "tool_input": {"file_path": "inner/a"}})
    assert denied == "`Write` may be called, but not here: `src/inner/a` is excluded by `/src/inner/**`"
    assert reason_to_deny(Settings("claude"), {**message, "tool_input": {"file_path": "a"}}) is None


def test_each_of_several_directories_has_the_rules_around_it(
    root: Path, below: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    message = {"hookName": "tool_call", "workspaceRoots": [str(other), str(below)]}

    def editing(path: Path) -> str | None:
        call = {"name": "editor", "input": {"path": str(path)}}
        return reason_to_deny(Settings("cline"), {**message, "tool_call": call})

    assert editing(below / "a.pem") == "`editor` may be called, but not here: `src/a.pem` is excluded by `*.pem`"
    assert editing(below / "a.py") is None
    assert editing(other / "a.pem") is None
    outside = f"`editor` may be called, but not here: `{root}/docs/a` lies outside the project"
    assert editing(root / "docs" / "a") == outside


def test_what_lies_beside_stays_outside(root: Path, below: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = started_in(below, "Write", {"file_path": str(root / "docs" / "a")}, monkeypatch)
    assert beside == f"`Write` may be called, but not here: `{root}/docs/a` lies outside the project"


def test_a_directory_with_rules_of_its_own_is_a_project(
    root: Path, below: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".git").mkdir()
    (below / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: ['*.key']}")
    key = started_in(below, "Write", {"file_path": str(below / "a.key")}, monkeypatch)
    assert key == "`Write` may be called, but not here: `a.key` is excluded by `*.key`"
    assert started_in(below, "Write", {"file_path": str(below / "a.pem")}, monkeypatch) is None


def test_what_the_operator_calls_the_root_is_the_root(below: Path) -> None:
    message = {"hook_event_name": "PreToolUse", "transcript_path": "t", "cwd": str(below), "tool_name": "Write"}
    settings = Settings("claude", root=str(below))
    assert reason_to_deny(settings, {**message, "tool_input": {"file_path": "a.pem"}}) is None
