"""Which tools of hosts are known to run a command line, and where it stands."""

from __future__ import annotations

import pytest

from rules_lsp.agents.hosts import Call
from rules_lsp.agents.shell_tools import commands_of, directories_of


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Bash", {"command": "ls a"}),
        ("Monitor", {"command": "ls a", "timeout_ms": 3000}),
        ("launch-process", {"command": "ls a"}),
        ("run_command", {"command": "ls a"}),
        ("run_terminal_command", {"command": "ls a"}),
        ("executeBash", {"command": "ls a"}),
        ("local_shell", {"command": ["ls", "a"]}),
        ("exec_command", {"cmd": "ls a"}),
        ("exec_command", {"command": "ls a"}),
        ("run_commands", {"commands": ["ls a"]}),
    ],
)
def test_a_tool_that_runs_a_command_line(tool: str, arguments: dict[str, object]) -> None:
    assert commands_of(Call(tool, arguments, None, ())) == ["ls a"]


@pytest.mark.parametrize("tool", ["Write", "Monitors", "mcp__server__run", "TodoWrite"])
def test_a_tool_that_runs_none(tool: str) -> None:
    assert commands_of(Call(tool, {"command": "ls a"}, None, ())) == []


@pytest.mark.parametrize("key", ["cd", "cwd", "dir_path", "directory", "workdir", "working_directory"])
def test_an_argument_names_the_directory(key: str) -> None:
    assert directories_of(Call("bash", {key: "inner"}, "/w/app", ("/w/app",)), ("/w/app",)) == [
        "/w/app",
        "/w/app/inner",
    ]
    assert directories_of(Call("bash", {key: "inner"}, None, ("/w/app",)), ("/w/app",)) == [None, "/w/app/inner"]
    assert directories_of(Call("bash", {key: "/other"}, None, ()), ()) == [None, "/other"]
    assert directories_of(Call("bash", {key: "inner"}, None, ()), ()) == [None]
