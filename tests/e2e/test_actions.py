"""Code actions beyond the quick fixes, as clients of several abilities get them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

RULES = ".coding-agent-rules.yaml"
FULL: Any = {
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename"],
            "snippetEditSupport": True,
        }
    },
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    },
}
PLAIN: Any = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}
Start = Callable[[Any], Client]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[Client] = []

    def started(capabilities: Any) -> Client:
        client = Client()
        made.append(client)
        folder = {"uri": tmp_path.as_uri(), "name": "app"}
        client.initialize(capabilities=capabilities, workspaceFolders=[folder])
        return client

    yield started
    for client in made:
        client.close()


def opened(client: Client, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "yaml", "version": 3, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def actions(client: Client, path: Path, at: tuple[int, int] = (0, 0), **context: Any) -> list[Any]:
    place = {"line": at[0], "character": at[1]}
    asked = {
        "textDocument": {"uri": path.as_uri()},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], **context},
    }
    found: list[Any] = client.request("textDocument/codeAction", asked)
    return found


def replacement(line: int, character: int, end: tuple[int, int], text: str) -> dict[str, Any]:
    return {
        "range": {"start": {"line": line, "character": character}, "end": {"line": end[0], "character": end[1]}},
        "newText": text,
    }


def test_what_the_server_offers(start: Start) -> None:
    client = Client()
    result = client.initialize(capabilities=FULL)
    assert result["capabilities"]["codeActionProvider"] == {
        "codeActionKinds": ["quickfix", "refactor.rewrite", "source.fixAll", "source.organizeRules"],
        "resolveProvider": True,
    }
    client.close()


def test_all_safe_fixes_are_made_when_they_are_chosen(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "# 😀\r\ndeny_tools: [a/b]\r\nallow_tools: [Read, 'a b']\r\n")
    (action,) = actions(client, path, only=["source.fixAll"])
    assert (action["title"], action["kind"]) == ("repair everything that has a safe fix", "source.fixAll")
    assert "edit" not in action
    resolved = client.request("codeAction/resolve", action)
    (change,) = resolved["edit"]["documentChanges"]
    assert change == {
        "textDocument": {"uri": path.as_uri(), "version": 3},
        "edits": [
            replacement(1, 0, (3, 0), "denied_tools: [a/b]\r\nallowed_tools: [Read, 'a b']\r\n"),
        ],
    }


def test_a_client_that_cannot_ask_again_gets_the_edit_at_once(start: Start, tmp_path: Path) -> None:
    client, path = start(PLAIN), tmp_path / RULES
    opened(client, path, "denied_tools:\n  - b # of b\n  - a\n")
    (action,) = actions(client, path, only=["source"])
    assert action == {
        "title": "sort each list and remove repetitions",
        "kind": "source.organizeRules",
        "edit": {"changes": {path.as_uri(): [replacement(1, 0, (3, 0), "  - a\n  - b # of b\n")]}},
    }


def test_only_what_is_asked_for(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "deny_tools: [b/x, a/y]\n")

    def kinds(**context: Any) -> list[str]:
        return [action["kind"] for action in actions(client, path, **context)]

    assert kinds() == ["quickfix", "quickfix", "source.fixAll", "source.organizeRules"]
    assert kinds(triggerKind=2) == ["quickfix", "quickfix"]
    assert kinds(only=["quickfix"]) == ["quickfix", "quickfix"]
    assert kinds(only=["source"]) == ["source.fixAll", "source.organizeRules"]
    assert kinds(only=["source.fixAll"]) == ["source.fixAll"]
    assert kinds(only=["source.fix"]) == []
    assert kinds(only=["source.organizeImports", "refactor.inline"]) == []
    assert kinds(only=[""]) == ["quickfix", "quickfix", "source.fixAll", "source.organizeRules"]


def test_silence_with_a_place_for_the_reason(start: Start, tmp_path: Path) -> None:
    path = tmp_path / RULES
    text = "x: 1\nallowed_tools: []\n"
    client = start(FULL)
    opened(client, path, text)
    (action,) = [each for each in actions(client, path, (1, 2)) if each["title"] == "ignore `empty-list` here"]
    (change,) = action["edit"]["documentChanges"]
    place = {"line": 1, "character": 0}
    assert change["edits"] == [
        {
            "range": {"start": place, "end": place},
            "snippet": {"kind": "snippet", "value": "# rules-lsp: ignore[empty-list] ${1:reason}\n"},
        }
    ]
    plain = start(PLAIN)
    opened(plain, path, text)
    (action,) = [each for each in actions(plain, path, (1, 2)) if each["title"] == "ignore `empty-list` here"]
    written = "# rules-lsp: ignore[empty-list] reason: …\n"
    assert action["edit"]["changes"][path.as_uri()] == [replacement(1, 0, (1, 0), written)]


def test_a_tool_that_destroys_is_denied_where_its_server_is_allowed(start: Start, tmp_path: Path) -> None:
    server = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"files": server}}))
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "# 😀\r\nallowed_tools: ['files/*']\r\ndenied_tools: []\r\n")
    found = actions(client, path, (1, 18), only=["refactor"])
    assert [action["title"] for action in found][:3] == [
        "add `files/edit_file` to `denied_tools`",
        "add `files/move_file` to `denied_tools`",
        "add `files/write_file` to `denied_tools`",
    ]
    *denials, convert = (action["kind"] for action in found)
    assert (set(denials), convert) == ({"refactor.rewrite"}, "refactor.rewrite.convert")
    (change,) = found[0]["edit"]["documentChanges"]
    assert change["edits"] == [replacement(2, 15, (2, 15), "files/edit_file")]


def test_the_rules_in_the_other_format(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "denied_tools: [a/b]\r\n\r\n")
    (action,) = actions(client, path, only=["refactor.rewrite"])
    uri = (tmp_path / ".coding-agent-rules.md").as_uri()
    assert action == {
        "title": "write these rules into a new `.coding-agent-rules.md`, which is in force once this file is gone",
        "kind": "refactor.rewrite.convert",
        "edit": {
            "documentChanges": [
                {"kind": "create", "uri": uri, "options": {"overwrite": False, "ignoreIfExists": False}},
                {
                    "textDocument": {"uri": uri, "version": None},
                    "edits": [replacement(0, 0, (0, 0), "## Denied Tools\r\n\r\n- `a/b`\r\n")],
                },
            ]
        },
    }
    assert [each["title"] for each in actions(client, path)] == [action["title"]]
    assert actions(client, path, only=["refactor.rewrite.convert"]) == [action]
    assert actions(client, path, (1, 0)) == []
    assert actions(client, path, triggerKind=2) == []
    plain = start(PLAIN)
    opened(plain, path, "denied_tools: [a/b]\n")
    assert actions(plain, path, only=["refactor"]) == []


def test_an_action_that_is_none_of_ours_comes_back_as_it_was(start: Start) -> None:
    client = start(FULL)
    result = client.request("codeAction/resolve", {"title": "x", "kind": "source.fixAll", "data": {"uri": "file:///x"}})
    assert result == {"title": "x", "kind": "source.fixAll", "data": {"uri": "file:///x"}}
    for data in (None, 7, {"uri": 7, "kind": "whole-file"}, {"uri": "file:///x", "kind": "whole-file"}):
        asked = {"title": "x", "kind": "source.fixAll", "data": data}
        assert client.request("codeAction/resolve", asked)["title"] == "x"
