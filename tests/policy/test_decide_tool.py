"""Decisions about tools: the lists, the paths of a call, and the rule that is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.decision import ToolDecision
from rules_lsp.policy.resolve import Resolver
from rules_lsp.workspace.project import Project
from tests.support.projects import RULES, code, project

PUSH = "github/push_files"


def verdicts(found: Project, *tools: str) -> dict[str, str]:
    return {tool: code(found, tool=tool) for tool in tools}


def decided(found: Project, tool: object, arguments: object = None) -> ToolDecision:
    policy = found.policy()
    return decide_tool(policy, tool, arguments, Resolver(policy.root))


def test_denied_before_allowed_before_free(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "denied_tools: [github/delete_*, Bash]\nallowed_tools: [github/*, Read]\n"})
    assert verdicts(found, "github/get_issue", "github/delete_file", "Bash", "Read", "gitlab/x", "Write") == {
        "github/get_issue": "allowed-tool",
        "github/delete_file": "denied-tool",
        "Bash": "denied-tool",
        "Read": "allowed-tool",
        "gitlab/x": "not-allowed-tool",
        "Write": "not-allowed-tool",
    }
    assert verdicts(project(tmp_path, {RULES: "denied_tools: [Bash]\n"}), "Read", "bash") == {
        "Read": "unrestricted",
        "bash": "denied-tool",
    }
    assert verdicts(project(tmp_path, {RULES: "allowed_tools: []\n"}), "Read", "a/b") == {
        "Read": "not-allowed-tool",
        "a/b": "not-allowed-tool",
    }


def test_every_allowing_list_must_allow(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "allowed_tools: [a/*]\nallowed_tools: ['*/x']\n"})
    assert verdicts(found, "a/x", "a/y", "b/x") == {
        "a/x": "allowed-tool",
        "a/y": "not-allowed-tool",
        "b/x": "not-allowed-tool",
    }
    # The list that misses is the one that decided.
    assert found.answer({"tool": "b/x"})["rule"]["range"]["start"]["line"] == 0
    assert found.answer({"tool": "a/y"})["rule"]["range"]["start"]["line"] == 1


def test_the_answer_names_what_decided(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "allowed_tools: [github/*]\ndenied_tools:\n  - x/y\n  - github/delete_file\n"})
    answer = found.answer({"tool": "mcp__github__delete_file"})
    uri = f"file://{found.root.real}/{RULES}"
    place = {"start": {"line": 3, "character": 4}, "end": {"line": 3, "character": 22}}
    assert answer == {
        "allowed": False,
        "code": "denied-tool",
        "reason": "`mcp__github__delete_file` is denied by `github/delete_file`",
        "tool": "mcp__github__delete_file",
        "server": "github",
        "name": "delete_file",
        "paths": [],
        "pathsChecked": False,
        "rule": {"uri": uri, "range": place, "list": "denied_tools", "index": 1, "pattern": "github/delete_file"},
        "overruled": [
            {
                "uri": uri,
                "range": {"start": {"line": 0, "character": 16}, "end": {"line": 0, "character": 24}},
                "list": "allowed_tools",
                "index": 0,
                "pattern": "github/*",
            }
        ],
        "policy": answer["policy"],
    }


@pytest.mark.parametrize(
    "tool", ["", " ", "a b", "/x", "a/", "a\0/b", "a/b\u200b", " a/b", "a/b ", "x" * 300, None, 3, ["a"], "a\ud800/b"]
)
def test_what_is_no_tool(tmp_path: Path, tool: object) -> None:
    for files in ({}, {"config.yaml": "project_agent_rules: {enabled: false}\n"}, {RULES: "denied_tools: [[a]]\n"}):
        found = project(tmp_path, files)
        answer = found.answer({"tool": tool})
        assert (answer["code"], answer["server"], answer["name"], answer["rule"]) == (
            "invalid-request",
            None,
            None,
            None,
        )
        assert answer["tool"] == (tool if isinstance(tool, str) else None)


@pytest.mark.parametrize(
    "rules",
    [
        "denied_tools: [[a]]\n",
        "denied_tools: {a: b}\n",
        "denied_tools: ['a b']\n",
        "x-tool-paths: [a]\n",
        "denied_tools: ['a/b c']\n",
    ],
)
def test_what_denies_and_cannot_be_read_denies_all(tmp_path: Path, rules: str) -> None:
    answer = project(tmp_path, {RULES: rules + "allowed_tools: ['*']\n"}).answer({"tool": "Read"})
    assert (answer["code"], answer["policy"]["degraded"]) == ("policy-error", False)
    assert answer["rule"]["list"] == "denied_tools"


def test_what_allows_and_cannot_be_read_allows_nothing(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "allowed_tools: ['a b', Bash(ls), Read]\n"})
    assert verdicts(found, "Bash", "Read") == {"Bash": "not-allowed-tool", "Read": "allowed-tool"}
    assert code(project(tmp_path, {RULES: "allowed_tools: {Read: yes}\n"}), tool="Read") == "not-allowed-tool"


def test_the_paths_of_a_call_are_checked(tmp_path: Path) -> None:
    rules = "allowed_tools: [github/*, Read]\nfile_patterns: {include: [src/**], exclude: ['*.pem']}\n"
    found = project(tmp_path, {RULES: rules})

    def push(*paths: str) -> dict[str, Any]:
        answer: dict[str, Any] = found.answer(
            {"tool": PUSH, "arguments": {"files": [{"path": path} for path in paths]}}
        )
        return answer

    fine = push("src/a", "src/b")
    assert (fine["code"], fine["pathsChecked"], [path["code"] for path in fine["paths"]]) == (
        "allowed-tool",
        True,
        ["included", "included"],
    )
    assert fine["rule"]["pattern"] == "github/*"
    bad = push("src/a", "b", "src/x.pem")
    assert (bad["allowed"], bad["code"]) == (False, "not-included")
    assert [path["code"] for path in bad["paths"]] == ["included", "not-included", "excluded"]
    assert (
        bad["reason"]
        == "`github/push_files` may be called, but not here: `b` matches no pattern of `file_patterns.include`"
    )
    assert bad["rule"]["list"] == "file_patterns.include"
    assert push("src/a", "../x")["code"] == "outside-root"
    assert push("src/x.pem", "b")["rule"]["pattern"] == "*.pem"
    read = found.answer({"tool": "Read", "arguments": {"file_path": "b"}})
    assert (read["code"], read["paths"][0]["operation"]) == ("allowed-tool", "read")


@pytest.mark.parametrize("arguments", [{}, {"files": "a"}, {"files": [{}]}, {"files": [{"path": 3}]}, [], "a", 3, True])
def test_arguments_that_cannot_be_read(tmp_path: Path, arguments: object) -> None:
    found = project(tmp_path, {RULES: "allowed_tools: [github/*]\n"})
    answer = found.answer({"tool": PUSH, "arguments": arguments})
    assert (answer["code"], answer["rule"], answer["paths"]) == ("invalid-request", None, [])
    # The last step is the one that decided.
    steps = decided(found, PUSH, arguments).weighed
    assert (steps[-1].effect, steps[-1].sentence) == ("denies", answer["reason"])


def test_a_denied_tool_is_denied_whatever_its_arguments(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "denied_tools: [github/*]\n"})
    assert code(found, tool=PUSH, arguments={}) == "denied-tool"
    assert code(found, tool=PUSH, arguments=3) == "denied-tool"


def test_a_tool_without_an_entry_has_unchecked_paths(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "file_patterns: {include: []}\n"})
    answer = found.answer({"tool": "mine/tool", "arguments": {"path": "a"}})
    assert (answer["code"], answer["pathsChecked"]) == ("unrestricted", False)
    listed = project(tmp_path, {RULES: "file_patterns: {include: []}\nx-tool-paths: {mine/tool: [path]}\n"})
    answer = listed.answer({"tool": "mine/tool", "arguments": {"path": "a"}})
    assert (answer["code"], answer["pathsChecked"]) == ("not-included", True)
    assert code(listed, tool="mine/tool", arguments={}) == "invalid-request"
    assert code(listed, tool="mine/tool") == "unrestricted"


def test_paths_of_a_call_start_from_the_working_directory(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "file_patterns: {exclude: [/sub/key]}\n"}, directories=["sub"])
    call = {"tool": "Write", "arguments": {"file_path": "key"}}
    sub = f"{found.root.real}/sub"
    assert code(found, **call) == "unrestricted"
    assert code(found, **call, cwd=sub) == "excluded"
    assert code(found, **call, cwd=str(tmp_path)) == "outside-root"
    assert code(found, **call, cwd="sub") == "invalid-request"
    assert code(found, tool="Write", arguments={"file_path": f"{sub}/key"}, cwd="/") == "excluded"
    answers = found.answer({"tools": ["Write", "Edit"], "arguments": {"file_path": "key"}, "cwd": sub})["answers"]
    assert [answer["code"] for answer in answers] == ["excluded", "excluded"]


def test_a_project_that_is_switched_off_still_refuses_the_outside(tmp_path: Path) -> None:
    found = project(tmp_path, {"config.yaml": "project_agent_rules: {enabled: false}\n", RULES: "allowed_tools: []\n"})
    assert code(found, tool="Write", arguments={"file_path": "a"}) == "disabled"
    assert code(found, tool="Write", arguments={"file_path": "../a"}) == "outside-root"
    assert code(found, tool="Write", arguments={}) == "invalid-request"


def test_steps_tell_the_order_of_weighing(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "denied_tools: [a/b, '*/b']\nallowed_tools: [a/*]\n"})
    assert [(step.effect, step.rule.pattern if step.rule else None) for step in decided(found, "a/b").weighed] == [
        ("denies", "a/b"),
        ("denies", "*/b"),
        ("passes", "a/*"),
    ]
    assert [(step.effect, step.sentence) for step in decided(found, "a/c").weighed] == [
        ("passes", "no denying entry matches"),
        ("allows", "`a/*` allows it"),
    ]
    assert [(step.effect, step.sentence) for step in decided(found, "c/d").weighed] == [
        ("passes", "no denying entry matches"),
        ("denies", "`c/d` is in no entry of `allowed_tools`"),
    ]
