"""Permission requests of the Agent Client Protocol: what is denied, with which option, and what the user is asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.agents.acp import Denial, decide
from tests.support.projects import RULES, build

PACKAGE = Path(__file__).parents[2]
ALLOW = {"optionId": "yes", "name": "Allow", "kind": "allow_once"}
ALWAYS = {"optionId": "ever", "name": "Always", "kind": "allow_always"}
REJECT = {"optionId": "no", "name": "Reject", "kind": "reject_once"}
NEVER = {"optionId": "never", "name": "Never", "kind": "reject_always"}
FILES = "file_patterns:\n  exclude:\n    - secrets/\n"
TOOLS = "denied_tools:\n  - Bash\n  - github/delete_file\n"


def request(options: Any = (ALLOW, NEVER, REJECT), **call: Any) -> dict[str, Any]:
    return {"sessionId": "s", "toolCall": {"toolCallId": "t", **call}, "options": list(options)}


def project(tmp_path: Path, rules: str = FILES) -> Path:
    return build(tmp_path, {RULES: rules, ".mcp.json": '{"mcpServers": {"github": {"command": "g"}}}'})


def reason(root: Path, **call: Any) -> str | None:
    denial = decide(request(**call), root)
    return None if denial is None else denial.reason


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ((ALLOW, NEVER, REJECT), {"outcome": "selected", "optionId": "no"}),
        ((ALLOW, NEVER), {"outcome": "selected", "optionId": "never"}),
        ((ALLOW, ALWAYS), {"outcome": "cancelled"}),
        ((), {"outcome": "cancelled"}),
        ((None, {"kind": "reject_once"}, NEVER), {"outcome": "selected", "optionId": "never"}),
    ],
)
def test_a_denial_chooses_the_mildest_rejection(tmp_path: Path, options: Any, outcome: dict[str, str]) -> None:
    denial = decide(request(options, kind="edit", rawInput={"file_path": "secrets/key.pem"}), project(tmp_path))
    assert denial == Denial({"outcome": outcome}, "`secrets/key.pem` is excluded by `secrets/`")


@pytest.mark.parametrize(
    "call",
    [
        {"kind": "edit", "rawInput": {"file_path": "secrets/a"}},
        {"kind": "edit", "rawInput": {"abs_path": "@ROOT/secrets/a"}},
        {"kind": "edit", "rawInput": {"uri": "file://@ROOT/secrets/a"}},
        {"kind": "edit", "rawInput": {"changes": {"src/a": {}, "secrets/a": {}}}},
        {"kind": "edit", "rawInput": {"input": "*** Begin Patch\n*** Add File: secrets/a\n+x\n*** End Patch"}},
        {
            "kind": "edit",
            "rawInput": {
                "patch": "*** Begin Patch\n*** Update File: src/a\n*** Move to: secrets/a\n@@\n+x\n*** End Patch"
            },
        },
        {"kind": "edit", "locations": [{"path": "@ROOT/src/a"}, {"path": "@ROOT/secrets/a", "line": 3}]},
        {"kind": "edit", "content": [{"type": "diff", "path": "@ROOT/secrets/a", "newText": "x"}]},
        {"kind": "read", "locations": [{"path": "secrets/a"}]},
        {"kind": "delete", "locations": [{"path": "secrets"}]},
        {"kind": "move", "rawInput": {"source": "src/a", "destination": "secrets/a"}},
        {"locations": [{"path": "secrets/a"}]},
        {"kind": "execute", "rawInput": {"command": "echo x > secrets/a"}},
        {"kind": "execute", "rawInput": {"command": ["bash", "-lc", "cat secrets/a"]}},
        {"kind": "execute", "rawInput": {"command": "cat a", "cwd": "secrets"}},
        {"kind": "edit", "title": "mcp__fs__write", "locations": [{"path": "secrets/a"}]},
        {"_meta": {"claudeCode": {"toolName": "Write"}}, "rawInput": {"file_path": "secrets/a", "content": ""}},
    ],
)
def test_an_excluded_file_is_denied_and_its_neighbour_is_asked_about(tmp_path: Path, call: dict[str, Any]) -> None:
    root = project(tmp_path)
    asked = _filled(call, "@ROOT", str(root))
    assert " is excluded by `secrets/`" in (reason(root, **asked) or "")
    assert reason(root, **_filled(asked, "secrets", "public")) is None


def _filled(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, list):
        return [_filled(each, old, new) for each in value]
    if isinstance(value, dict):
        return {_filled(key, old, new): _filled(each, old, new) for key, each in value.items()}
    return value


def test_an_include_limits_changes_and_no_reading(tmp_path: Path) -> None:
    root = project(tmp_path, "file_patterns:\n  include:\n    - src/\n")
    place = [{"path": "README.md"}]
    assert reason(root, kind="read", locations=place) is None
    assert reason(root, kind="search", locations=place) is None
    for kind in ("edit", "delete", "move", "other", "think", "fetch", 7, None):
        assert reason(root, kind=kind, locations=place) is not None, kind
        assert reason(root, kind=kind, locations=[{"path": "src/a"}]) is None, kind


@pytest.mark.parametrize("kind", ["edit", "read", "delete", "move", "execute", "search", "fetch", "other", None])
def test_what_says_nothing_of_files_is_denied_where_rules_are_about_files(tmp_path: Path, kind: str | None) -> None:
    root = project(tmp_path)
    words = "the request does not say which files it touches, and the project has rules about files"
    silent: list[dict[str, Any]] = [{}, *({"rawInput": each} for each in (None, {}, {"x": 1}, "text"))]
    for given in silent:
        assert reason(root, kind=kind, **given) == words
    (root / RULES).write_text("system_prompt_extension: hello\n", encoding="utf-8")
    assert reason(root, kind=kind) is None


@pytest.mark.parametrize("kind", ["think", "switch_mode"])
def test_thinking_touches_no_file(tmp_path: Path, kind: str) -> None:
    assert reason(project(tmp_path, FILES + TOOLS), kind=kind) is None


def test_a_named_tool_is_judged_by_its_name_and_arguments(tmp_path: Path) -> None:
    root = project(tmp_path, FILES + TOOLS)
    denied = "`github/delete_file` is denied by `github/delete_file`"
    delete = {"server": "github", "tool": "delete_file", "arguments": {"path": "a"}}
    assert reason(root, kind="other", rawInput=delete) == denied
    assert reason(root, kind="other", rawInput={**delete, "tool": "get_issue"}) is None
    assert (reason(root, title="mcp__github__delete_file", rawInput={}) or "").startswith("`mcp__github__delete_file`")
    assert reason(root, title="mcp__github__get_issue", rawInput={}) is None
    # Without its arguments even a tool that is allowed may touch any file.
    assert reason(root, title="mcp__github__get_issue") is not None
    push = {"server": "github", "tool": "push_files", "arguments": {"files": [{"path": "secrets/a", "content": ""}]}}
    assert "secrets/a" in (reason(root, rawInput=push) or "")


def test_an_unnamed_tool_is_judged_by_its_kind(tmp_path: Path) -> None:
    root = project(tmp_path, TOOLS)
    assert reason(root, kind="execute", rawInput={"command": "ls"}) == "`Bash` is denied by `Bash`"
    assert reason(root, kind="edit", rawInput={"path": "a"}) is None
    words = "the request does not name its tool, and the project has rules about tools"
    assert reason(root, kind="other", rawInput={"path": "a"}) == words
    (root / RULES).write_text("allowed_tools: [Write, Bash]\n", encoding="utf-8")
    assert reason(root, kind="execute", rawInput={"command": "ls"}) is None
    assert reason(root, kind="edit", rawInput={"path": "a"}) is None
    assert "Read" in (reason(root, kind="read", rawInput={"path": "a"}) or "")


def test_what_makes_no_sense_is_denied(tmp_path: Path) -> None:
    root = project(tmp_path)
    empty: list[dict[str, Any]] = [{}, {"toolCall": None}, {"toolCall": []}, {"toolCall": {}, "options": None}]
    for made in empty:
        denial = decide(made, root)
        assert denial == Denial({"outcome": {"outcome": "cancelled"}}, "the request names no tool call")
    others: list[Any] = [None, 7, "text", []]
    for wrong in others:
        denial = decide(wrong, root)
        assert denial is not None
        assert denial.reason.startswith("policy engine failed: AttributeError: ")
    nowhere = decide(request(kind="edit", rawInput={"path": "a"}), root / "gone")
    assert nowhere is not None
    assert nowhere.reason.startswith("policy engine failed: NotADirectoryError: the session's directory ")
    unread = decide(request(kind="edit", rawInput={"path": "a"}), root, root / "no-config.yaml")
    assert unread is not None
    assert unread.reason.startswith("policy engine failed: FileNotFoundError: the operator's configuration ")
    assert decide(request(kind="edit", rawInput={"path": "a"}), []) is not None


def test_a_broken_rule_file_under_deny_denies(tmp_path: Path) -> None:
    root = project(tmp_path, "file_patterns: [")
    (root / "config.yaml").write_text("project_agent_rules:\n  on_error: deny\n", encoding="utf-8")
    assert reason(root, kind="edit", rawInput={"path": "a"}) is not None
    assert reason(root, kind="edit") is not None


def test_several_roots_and_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    asked = request(kind="edit", locations=[{"path": str(root / "secrets/a")}])
    assert decide(asked, [str(other), root]) is not None
    assert decide(request(kind="edit", locations=[{"path": str(other / "secrets/a")}]), [other, root]) is None
    assert decide(request(kind="edit", locations=[{"path": str(tmp_path / "a")}]), [other, root]) is not None
    monkeypatch.chdir(root)
    assert decide(request(kind="edit", rawInput={"path": "secrets/a"})) is not None
    assert decide(request(kind="edit", rawInput={"path": "a"})) is None


def test_the_example_of_an_editor_obeys(tmp_path: Path) -> None:
    def run(root: Path) -> list[str]:
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        environment.pop("RULES_LSP_CONFIG", None)
        command = [sys.executable, str(PACKAGE / "tests" / "agents" / "acp_example.py"), str(root)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=True)
        assert done.stderr == ""
        return done.stdout.splitlines()

    (tmp_path / "free").mkdir()
    free, bound = build(tmp_path / "free"), project(tmp_path)
    both = ["the user is asked: Write app.py", "the user is asked: Write key.pem", "stopped: end_turn"]
    assert run(free) == both
    assert (free / "secrets" / "key.pem").read_text() == "written\n"
    assert run(bound) == [both[0], "denied: `secrets/key.pem` is excluded by `secrets/`", both[2]]
    assert (bound / "src" / "app.py").read_text() == "written\n"
    assert not (bound / "secrets").exists()


def test_a_session_below_the_top_has_the_rules_of_the_repository(tmp_path: Path) -> None:
    root = project(tmp_path, FILES + "denied_tools: [Bash]\n")
    below = root / "service"
    (below / "secrets").mkdir(parents=True)
    denied = "`service/secrets/a` is excluded by `secrets/`"
    assert reason(below, kind="edit", rawInput={"file_path": "secrets/a"}) == denied
    assert reason(below, kind="edit", rawInput={"file_path": "src/a"}) is None
    assert reason(below, kind="execute", rawInput={"command": "ls"}) == "`Bash` is denied by `Bash`"
    assert reason(below, kind="edit", title="Edit") == (
        "the request does not say which files it touches, and the project has rules about files"
    )
    beside = reason(below, kind="edit", rawInput={"file_path": str(root / "src" / "a")})
    assert beside == f"`{root}/src/a` lies outside the project"


def test_a_session_in_a_project_of_its_own_has_its_own_rules(tmp_path: Path) -> None:
    below = project(tmp_path) / "service"
    below.mkdir()
    (below / RULES).write_text("file_patterns:\n  exclude:\n    - build/\n")
    assert reason(below, kind="edit", rawInput={"file_path": "secrets/a"}) is None
    assert reason(below, kind="edit", rawInput={"file_path": "build/a"}) == "`build/a` is excluded by `build/`"
