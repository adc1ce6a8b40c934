"""The hook of each host, run as the host runs it: a message in, and a denial in the host's form or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

PAYLOADS = Path(__file__).parent.parent / "data" / "payloads"
CHECKOUT = Path(__file__).parents[2]
RULES = """
denied_tools:
  - WebFetch
  - stubfs/put_file
file_patterns:
  exclude:
    - secrets/**
    - "*.txt"
"""
CLAUDE = "hookSpecificOutput"
EXCLUDED = "`secrets/key.pem` is excluded by `secrets/**`"
SHELL = "`bash.txt` is excluded by `*.txt` (the redirection in the command line; a best-effort look)"
MCP = "`{}` is denied by `stubfs/put_file`"


class Answer:
    """What a hook printed and how it ended."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.stdout = done.stdout.decode()
        self.stderr = done.stderr.decode()

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.stdout)
        return said


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "proj"
    (root / "src").mkdir(parents=True)
    (root / "secrets").mkdir()
    (root / ".coding-agent-rules.yaml").write_text(RULES)
    return root


def run(host: str, message: object, root: Path, *options: str, **environment: str) -> Answer:
    kept = {key: value for key, value in os.environ.items() if not key.endswith("PROJECT_DIR")}
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    command = [sys.executable, "-m", "rules_lsp", "hook", host, *options]
    environment = {**kept, "PYTHONPATH": str(CHECKOUT), **environment}
    return Answer(subprocess.run(command, input=data, capture_output=True, cwd=root, env=environment, timeout=60))


def payload(name: str, root: Path) -> dict[str, Any]:
    text = (PAYLOADS / f"{name}.json").read_text()
    message: dict[str, Any] = json.loads(text.replace("@ROOT", str(root)).replace("@HOME", str(root.parent)))
    return message


def directories(root: Path) -> dict[str, str]:
    return {f"{name}_PROJECT_DIR": str(root) for name in ("CLAUDE", "GEMINI", "QWEN")}


REASONS: dict[str, str | None] = {
    "claude/Agent": None,
    "claude/Bash": SHELL,
    "claude/Edit": None,
    "claude/Read": None,
    "claude/WebFetch": "`WebFetch` is denied by `WebFetch`",
    "claude/Write": f"`Write` may be called, but not here: {EXCLUDED}",
    "cline/editor": None,
    "cline/read_files": None,
    "cline/run_commands": SHELL,
    "cline/stubfs__put_file": MCP.format("stubfs__put_file"),
    "codex/apply_patch-add": f"`apply_patch` may be called, but not here: {EXCLUDED}",
    "codex/codemode-exec_command": SHELL,
    "codex/codemode-mcp": MCP.format("mcp__stubfs__put_file"),
    "codex/exec_command": SHELL,
    "codex/mcp__stubfs__put_file": MCP.format("mcp__stubfs__put_file"),
    "copilot/PascalCase-Bash": SHELL,
    "copilot/PascalCase-stubfs-put_file": MCP.format("stubfs-put_file"),
    "copilot/bash": SHELL,
    "copilot/create": f"`create` may be called, but not here: {EXCLUDED}",
    "copilot/stubfs-put_file": MCP.format("stubfs-put_file"),
    "copilot/view": None,
    "copilot-reading-claude-settings/Bash": SHELL,
    "copilot-reading-claude-settings/Read": None,
    "copilot-reading-claude-settings/Write": f"`Write` may be called, but not here: {EXCLUDED}",
    "copilot-reading-claude-settings/stubfs-put_file": MCP.format("stubfs-put_file"),
    "gemini/read_file": None,
    "gemini/run_shell_command": SHELL,
    "gemini/write_file": f"`write_file` may be called, but not here: {EXCLUDED}",
    "opencode/bash": SHELL,
    "opencode/edit": None,
    "opencode/read": None,
    "opencode/stubfs_put_file": MCP.format("stubfs_put_file"),
    "opencode/write": f"`write` may be called, but not here: {EXCLUDED}",
    "qwen/mcp__stubfs__put_file": MCP.format("mcp__stubfs__put_file"),
    "qwen/read_file": None,
    "qwen/run_shell_command": SHELL,
    "qwen/write_file": f"`write_file` may be called, but not here: {EXCLUDED}",
}


def test_every_message_of_a_real_host_is_here() -> None:
    assert sorted(f"{path.parent.name}/{path.stem}" for path in PAYLOADS.glob("*/*.json")) == sorted(REASONS)


def form(host: str, message: Mapping[str, Any], reason: str) -> dict[str, Any]:
    if host == "cline":
        return {"cancel": True, "errorMessage": reason}
    if host in ("gemini", "opencode"):
        return {"decision": "deny", "reason": reason}
    if "toolName" in message:
        return {"permissionDecision": "deny", "permissionDecisionReason": reason}
    inner = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    return {CLAUDE: inner}


@pytest.mark.parametrize("name", REASONS)
def test_a_real_message(name: str, root: Path) -> None:
    directory = name.split("/")[0]
    host = "claude" if directory == "copilot-reading-claude-settings" else directory
    message, reason = payload(name, root), REASONS[name]
    variables = {} if directory == "copilot-reading-claude-settings" else directories(root)
    answer = run(host, message, root, **variables)
    if reason is None:
        assert (answer.code, answer.stdout, answer.stderr) == (0, "", "")
        return
    assert answer.said == form(directory, message, reason)
    assert (answer.code, answer.stderr, answer.stdout.count("\n")) == (2, reason + "\n", 1)


def claude(root: Path, tool: str = "Write", **arguments: object) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "transcript_path": "t",
        "cwd": str(root),
        "tool_name": tool,
        "tool_input": arguments,
    }


def reason_of(answer: Answer) -> str:
    reason: str = answer.said[CLAUDE]["permissionDecisionReason"]
    assert (answer.code, answer.stderr) == (2, reason + "\n")
    return reason


FAULTY: list[tuple[object, str]] = [
    (b"", "the host's message is no JSON: Expecting value: line 1 column 1 (char 0)"),
    (b"{", "the host's message is no JSON: Expecting property name enclosed in double quotes: line 1 column 2"
     " (char 1)"),
    (b"[1]", "the host's message is no JSON object"),
    (b"[" * 100_000, "the host's message is no JSON: maximum recursion depth exceeded while decoding a JSON array from"
     " a unicode string"),
    ({"tool_name": "Write"}, "the event None is not known: this hook answers PreToolUse"),
    ({"hook_event_name": "PostToolUse", "tool_name": "Write"}, "the event 'PostToolUse' is not known: this hook answers"
     " PreToolUse"),
    ({"hook_event_name": "PreToolUse"}, "the message names no tool in `tool_name`"),
    ({"hook_event_name": "PreToolUse", "tool_name": 5}, "the message names no tool in `tool_name`"),
    ({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": [1]}, "`tool_input` of the message is no"
     " object"),
    ({"hook_event_name": "PreToolUse", "tool_name": "Write", "cwd": 7}, "`cwd` of the message is no absolute path"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "why"), FAULTY)
def test_a_message_that_is_none_denies(message: object, why: str, root: Path) -> None:
    assert reason_of(run("claude", message, root, **directories(root))) == f"policy engine failed: {why}"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--root", "/no/such/place"], "the project's directory `/no/such/place` is no directory"),
        (["--root", "relative"], "the project's directory `relative` is no directory"),
        (["--root"], "the option --root needs a value"),
        (["--config", "/no/such/file"], "the operator's configuration `/no/such/file` is no file"),
        (["--bogus"], "there is no option `--bogus`: use --root, --config, --deadline or --no-shell-look"),
        (["--deadline", "soon"], "--deadline soon: write a number of seconds"),
        (["--deadline=0"], "--deadline 0: write a number of seconds up to 3600"),
    ],
)
def test_an_option_that_makes_no_sense_denies(options: list[str], why: str, root: Path) -> None:
    answer = run("claude", claude(root, file_path="src/a"), root, *options, **directories(root))
    assert reason_of(answer) == f"policy engine failed: {why}"


def test_a_host_that_nobody_knows_is_told_by_its_exit_code(root: Path) -> None:
    answer = run("clod", claude(root), root)
    assert (answer.code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("policy engine failed: there is no host `clod`: use one of claude, codex, ")


def test_without_a_project_the_host_is_asked_for_one(root: Path) -> None:
    answer = run("claude", claude(root, file_path="src/a"), root)
    assert reason_of(answer) == "policy engine failed: the host does not say where the project is: pass --root"
    assert run("claude", claude(root, file_path="src/a"), root, "--root", str(root)).code == 0


def test_a_directory_that_the_model_chose_moves_no_root(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    message = claude(root, file_path="key.pem")
    inside = {**message, "cwd": str(root / "secrets")}
    elsewhere = {**message, "cwd": str(other)}
    assert EXCLUDED in reason_of(run("claude", inside, root, **directories(root)))
    assert "lies outside" in reason_of(run("claude", elsewhere, root, **directories(root)))
    assert run("claude", message, root, **directories(root)).code == 0


def test_a_broken_rule_file_denies(root: Path) -> None:
    (root / ".coding-agent-rules.yaml").write_text("denied_tools: [Bash\n")
    (root / "config.yaml").write_text("project_agent_rules:\n  on_error: deny\n")
    reason = reason_of(run("claude", claude(root, file_path="src/a"), root, **directories(root)))
    assert reason == "the rule file `.coding-agent-rules.yaml` cannot be read and `on_error` is `deny`"


def test_the_deadline_denies(root: Path) -> None:
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "rules_lsp", "hook", "claude", "--deadline", "0.2"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    try:
        # The pipe stays open: the message never ends.
        done = subprocess.run(command, stdin=reading, capture_output=True, cwd=root, env=environment, timeout=60)
    finally:
        os.close(writing)
        os.close(reading)
    assert reason_of(Answer(done)) == "policy engine failed: no answer within 0.2 seconds"


def test_command_lines_are_looked_at_unless_switched_off(root: Path) -> None:
    message = claude(root, "Bash", command="cat secrets/key.pem")
    assert run("claude", message, root, "--no-shell-look", **directories(root)).code == 0
    found = reason_of(run("claude", message, root, **directories(root)))
    assert found == f"{EXCLUDED} (`cat` in the command line; a best-effort look)"


def test_several_folders_are_all_asked(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / ".coding-agent-rules.yaml").write_text("denied_tools: [editor]\n")
    message = payload("cline/editor", root)
    assert run("cline", message, root).code == 0
    answer = run("cline", {**message, "workspaceRoots": [str(root), str(other)]}, root)
    assert answer.said == {"cancel": True, "errorMessage": "`editor` is denied by `editor`"}


CURSOR: list[tuple[dict[str, Any], str | None]] = [
    ({"hook_event_name": "beforeReadFile", "file_path": "secrets/key.pem", "content": ""},
     f"`Read` may be called, but not here: {EXCLUDED}"),
    ({"hook_event_name": "beforeReadFile", "file_path": "src/a", "content": ""}, None),
    ({"hook_event_name": "beforeShellExecution", "command": "rm secrets/key.pem", "cwd": ""},
     f"{EXCLUDED} (`rm` in the command line; a best-effort look)"),
    ({"hook_event_name": "beforeMCPExecution", "tool_name": "stubfs/put_file", "tool_input": "{}"},
     "`stubfs/put_file` is denied by `stubfs/put_file`"),
    ({"hook_event_name": "beforeMCPExecution", "tool_name": "put_file", "tool_input": "{}"},
     "`stubfs/put_file` is denied by `stubfs/put_file`"),
    ({"hook_event_name": "preToolUse", "tool_name": "MCP:put_file", "tool_input": {}},
     "`stubfs/put_file` is denied by `stubfs/put_file`"),
    ({"hook_event_name": "preToolUse", "tool_name": "MCP:get_file", "tool_input": {}}, None),
    ({"hook_event_name": "preToolUse", "tool_name": "MCP:move_file",
      "tool_input": {"source": "src/a", "destination": "secrets/key.pem"}},
     f"`filesystem/move_file` may be called, but not here: {EXCLUDED}"),
    ({"hook_event_name": "beforeMCPExecution", "tool_name": "write_file", "tool_input": '{"path": "secrets/key.pem"}'},
     f"`write_file` may be called, but not here: {EXCLUDED}"),
    ({"hook_event_name": "beforeMCPExecution", "tool_name": "write_file", "tool_input": '{"path": "src/a"}'}, None),
    ({"hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": {"file_path": "secrets/key.pem"}},
     f"`Write` may be called, but not here: {EXCLUDED}"),
    ({"hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": {"file_path": "src/a"}}, None),
]  # fmt: skip


@pytest.mark.parametrize(("message", "reason"), CURSOR)
def test_cursor(message: dict[str, Any], reason: str | None, root: Path) -> None:
    answer = run("cursor", {**message, "workspace_roots": [str(root)]}, root)
    if reason is None:
        assert (answer.code, answer.stdout) == (0, "")
        return
    assert answer.said == {"permission": "deny", "user_message": reason, "agent_message": reason}
    assert (answer.code, answer.stderr) == (2, reason + "\n")


def test_vscode(root: Path) -> None:
    message = {"hookEventName": "PreToolUse", "cwd": str(root), "tool_name": "create_file"}
    denied = run("vscode", {**message, "tool_input": {"filePath": str(root / "secrets/key.pem")}}, root)
    assert reason_of(denied) == f"`create_file` may be called, but not here: {EXCLUDED}"
    assert run("vscode", {**message, "tool_input": {"filePath": str(root / "src/a")}}, root).code == 0


@pytest.mark.parametrize("host", ["vscode", "copilot", "claude"])
@pytest.mark.parametrize("key", ["hookEventName", "hook_event_name"])
def test_vscode_runs_the_hooks_of_others(host: str, key: str, root: Path) -> None:
    message = {key: "PreToolUse", "timestamp": "2026-11-29T21:37:20.312Z", "transcript_path": "t", "cwd": str(root)}
    denied = run(host, {**message, "tool_name": "create_file", "tool_input": {"filePath": "secrets/key.pem"}}, root)
    assert reason_of(denied) == f"`create_file` may be called, but not here: {EXCLUDED}"
    assert run(host, {**message, "tool_name": "create_file", "tool_input": {"filePath": "src/a"}}, root).code == 0


@pytest.mark.parametrize("host", ["vscode", "copilot"])
def test_copilot_runs_the_hook_of_vscode(host: str, root: Path) -> None:
    message = payload("copilot/PascalCase-stubfs-put_file", root)
    assert reason_of(run(host, message, root)) == MCP.format("stubfs-put_file")


def test_what_costs_time_stays_out(root: Path) -> None:
    code = (
        "import sys\n"
        "from rules_lsp.agents.hook import Settings, reason_to_deny\n"
        f"message = {claude(root, file_path='secrets/key.pem')!r}\n"
        f"assert reason_to_deny(Settings('claude', {str(root)!r}), message) is not None\n"
        "heavy = 'argparse asyncio dataclasses hashlib inspect jsonschema markdown_it'\n"
        "heavy += ' pathspec pygls threading typing'\n"
        "print(sorted(set(heavy.split()) & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=paths())
    assert (done.stdout, done.stderr) == ("[]\n", "")


def paths() -> dict[str, str]:
    """The environment in which Python finds the package and its libraries without `site`, which imports for itself."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path[1:]])}
