from __future__ import annotations

import pytest

from rules_lsp.schemas import SchemaName, validate

RANGE = {"start": {"line": 7, "character": 6}, "end": {"line": 7, "character": 13}}
RULE = {"uri": "file:///w/a.yaml", "range": RANGE, "list": "file_patterns.exclude", "index": 0, "pattern": "*.pem"}
FAULT = {"code": "invalid-glob", "message": "`[ab` has no closing `]`", "uri": "file:///w/a.yaml", "range": RANGE}
POLICY = {"uri": None, "version": f"sha256:{'0' * 64}", "enabled": True, "degraded": False, "errors": [FAULT]}
REFUSAL = {
    "allowed": False,
    "code": "invalid-request",
    "reason": "the request is no JSON object",
    "path": None,
    "resolvedPath": None,
    "operation": "write",
    "rule": None,
    "overruled": [],
    "policy": POLICY,
}
PATH = {
    "allowed": False,
    "code": "excluded",
    "reason": "`k.pem` is excluded by `*.pem`",
    "path": "k.pem",
    "resolvedPath": "k.pem",
    "operation": "write",
    "rule": RULE,
    "overruled": [{**RULE, "list": "file_patterns.include", "index": 2, "pattern": "k.*"}],
}
TOOL = {
    "allowed": False,
    "code": "excluded",
    "reason": "`Write` would change `k.pem`",
    "rule": RULE,
    "overruled": [],
    "tool": "Write",
    "server": None,
    "name": "Write",
    "paths": [PATH],
    "pathsChecked": True,
}
COMPACT = [{"allowed": True, "code": "included"}, {"allowed": False, "code": "not-included"}]
WHOLE_LIST = {"uri": RULE["uri"], "range": RANGE, "list": "file_patterns.include"}


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("coding-agent-rules", {}),
        ("coding-agent-rules", {"allowed_tools": [], "file_patterns": {}}),
        ("coding-agent-rules", {"x-team": {"any": ["thing"]}, "x-unprotected": ["config.yaml"]}),
        ("coding-agent-rules", {"x-tool-paths": {"site/publish": ["pages[].file"]}}),
        ("config", {}),
        ("config", {"llm": {"enabled": "no"}, "project_agent_rules": {"default_rules": {"denied_tools": ["Bash"]}}}),
        ("config", {"project_agent_rules": {"path_map": [{"from": "/workspace", "to": "/home/me"}]}}),
        ("query", {"path": ""}),
        ("query", {"uri": "file:///a", "operation": "read", "unknown": [1]}),
        ("query", {"path": "a", "operation": "rename", "newPath": "b", "cwd": "/w", "root": "/w", "source": "buffer"}),
        ("query", {"tool": "Write", "arguments": {"file_path": "a"}}),
        ("query", {"paths": [], "detail": "full"}),
        ("query", {"tools": ["Bash"], "detail": "compact"}),
        ("decision", {**PATH, "policy": POLICY}),
        (
            "decision",
            {**PATH, "policy": {**POLICY, "uri": "file:///w/a.yaml", "errors": []}},
        ),
        ("decision", {**PATH, "code": "not-included", "rule": WHOLE_LIST, "policy": POLICY}),
        ("decision", {**TOOL, "policy": POLICY}),
        ("decision", REFUSAL),
        ("decision", {**REFUSAL, "path": "a", "operation": "chmod"}),
        ("decision", {**PATH, "operation": "rename", "newPath": "l.pem", "policy": POLICY}),
        ("decision", {"answers": [], "policy": POLICY}),
        ("decision", {"answers": COMPACT, "policy": POLICY}),
        ("decision", {"answers": [PATH, {**PATH, "policy": POLICY}], "policy": POLICY}),
        ("decision", {"answers": [TOOL], "policy": POLICY}),
    ],
)
def test_valid_documents(name: SchemaName, document: object) -> None:
    assert validate(name, document) == []


@pytest.mark.parametrize(
    ("name", "document", "faults"),
    [
        ("coding-agent-rules", [], ["must be a mapping"]),
        ("coding-agent-rules", {"deny_tools": []}, ["unknown key `deny_tools`"]),
        ("coding-agent-rules", {"a": 1, "x-b": 2, "c": 3}, ["unknown keys `a`, `c`"]),
        ("coding-agent-rules", {"allowed_tools": "Read"}, ["allowed_tools: must be a list"]),
        ("coding-agent-rules", {"denied_tools": ["a", True]}, ["denied_tools[1]: must be text"]),
        ("coding-agent-rules", {"file_patterns": ["*.md"]}, ["file_patterns: must be a mapping"]),
        ("coding-agent-rules", {"file_patterns": {"only": []}}, ["file_patterns: unknown key `only`"]),
        ("coding-agent-rules", {"x-unprotected": "config.yaml"}, ["x-unprotected: must be a list"]),
        ("coding-agent-rules", {"x-tool-paths": {"a/b": "c"}}, ["x-tool-paths.a/b: must be a list"]),
        ("config", {"project_agent_rules": {"enabled": "no"}}, ["project_agent_rules.enabled: must be true or false"]),
        (
            "config",
            {"project_agent_rules": {"on_error": "ignore"}},
            ["project_agent_rules.on_error: must be `default`, `deny` or `last-good`"],
        ),
        (
            "config",
            {"project_agent_rules": {"default_rules": {"deny": 1}, "path_map": [{"from": "/w"}]}},
            [
                "project_agent_rules.default_rules: unknown key `deny`",
                "project_agent_rules.path_map[0]: `to` is missing",
            ],
        ),
        ("query", {}, ["must have exactly one of the keys `path`, `uri`, `paths`, `tool`, `tools`"]),
        (
            "query",
            {"path": "a", "uri": "file:///a"},
            ["must have exactly one of the keys `path`, `uri`, `paths`, `tool`, `tools`"],
        ),
        ("query", {"path": None}, ["path: must be text"]),
        ("query", {"path": "a", "operation": "rename"}, ["`newPath` is missing"]),
        ("query", {"path": "a", "newPath": "b"}, ["`operation` is missing"]),
        (
            "query",
            {"path": "a", "operation": "Read"},
            ["operation: must be `read`, `write`, `create`, `delete` or `rename`"],
        ),
        ("query", {"tool": "a", "arguments": []}, ["arguments: must be a mapping"]),
        ("query", {"path": "a", "source": "disk"}, ["source: must be `saved` or `buffer`"]),
        ("decision", None, ["must be a mapping"]),
        ("decision", PATH, ["`policy` is missing"]),
        ("decision", {**PATH, "allowed": True, "policy": POLICY}, ["allowed: must be `false`"]),
        ("decision", {**REFUSAL, "allowed": True}, ["allowed: must be `false`"]),
        (
            "decision",
            {**PATH, "operation": "chmod", "policy": POLICY},
            ["operation: must be `read`, `write`, `create`, `delete` or `rename`"],
        ),
        ("decision", {**PATH, "rule": {**WHOLE_LIST, "index": 0}, "policy": POLICY}, ["rule: `pattern` is missing"]),
        ("decision", {**TOOL, "policy": POLICY, "path": "k.pem"}, ["unknown key `path`"]),
        ("decision", {**TOOL, "policy": POLICY, "paths": [5]}, ["paths[0]: must be a mapping"]),
        (
            "decision",
            {**PATH, "policy": {**POLICY, "errors": ["broken"]}},
            ["policy.errors[0]: must be a mapping"],
        ),
        (
            "decision",
            {**PATH, "policy": {**POLICY, "version": "1"}},
            ["policy.version: `1` is not in the form of version"],
        ),
        ("decision", {**PATH, "policy": POLICY, "rule": {**RULE, "range": {}}}, ["rule.range: `start` is missing"]),
        (
            "decision",
            {"answers": [{"allowed": True, "code": "excluded"}], "policy": POLICY},
            ["answers[0].allowed: must be `false`"],
        ),
        ("decision", {"answers": COMPACT}, ["`policy` is missing"]),
    ],
)
def test_invalid_documents(name: SchemaName, document: object, faults: list[str]) -> None:
    assert validate(name, document) == faults
