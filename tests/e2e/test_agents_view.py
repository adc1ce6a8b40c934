"""What a person sees of the rules from any other file: the status, the explanation, the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

RULES = ".coding-agent-rules.yaml"
TEXT = "# 😀\nfile_patterns:\n  exclude:\n    - '*.pem'\ndenied_tools: [github/delete_*]\n"
CONTENT: Any = {"workspace": {"textDocumentContent": {}}}
Start = Callable[..., Client]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[Client] = []

    def started(capabilities: Any = None, options: Any = None) -> Client:
        client = Client()
        made.append(client)
        folder = {"uri": tmp_path.as_uri(), "name": "app"}
        client.initialize(
            capabilities=capabilities or {}, initializationOptions=options or {}, workspaceFolders=[folder]
        )
        return client

    yield started
    for client in made:
        client.close()


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / RULES
    path.write_text(TEXT, encoding="utf-8")
    return path


def command(client: Client, name: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})


def opened(client: Client, path: Path, text: str = "") -> None:
    item = {"uri": path.as_uri(), "languageId": "text", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def place(rules: Path) -> dict[str, Any]:
    return {
        "uri": rules.as_uri(),
        "range": {"start": {"line": 3, "character": 7}, "end": {"line": 3, "character": 12}},
        "list": "file_patterns.exclude",
        "index": 0,
        "pattern": "*.pem",
    }


@pytest.mark.parametrize(
    ("capabilities", "options"), [({"experimental": {"fileStatus": True}}, {}), ({}, {"fileStatus": True})]
)
def test_the_status_of_an_open_file(start: Start, rules: Path, tmp_path: Path, capabilities: Any, options: Any) -> None:
    client = start(capabilities, options)
    key = tmp_path / "key.pem"
    opened(client, key)
    assert client.notification("rulesLsp/fileStatus") == {
        "uri": key.as_uri(),
        "allowed": False,
        "code": "excluded",
        "reason": "`key.pem` is excluded by `*.pem`",
        "operation": "write",
        "rule": place(rules),
    }
    opened(client, tmp_path / "a.py")
    status = client.notification("rulesLsp/fileStatus")
    assert (status["allowed"], status["code"], status["rule"]) == (True, "unrestricted", None)


def test_a_status_is_told_again_when_it_is_another(start: Start, rules: Path, tmp_path: Path) -> None:
    client = start({}, {"fileStatus": True})
    key, other = tmp_path / "key.pem", tmp_path / "a.py"
    opened(client, key)
    opened(client, other)
    assert [client.notification("rulesLsp/fileStatus")["allowed"] for _ in range(2)] == [False, True]
    rules.write_text("file_patterns:\n  exclude: ['*.py']\n")
    client.notify("textDocument/didSave", {"textDocument": {"uri": rules.as_uri()}})
    told = [client.notification("rulesLsp/fileStatus") for _ in range(2)]
    assert [(status["uri"], status["allowed"]) for status in told] == [(key.as_uri(), True), (other.as_uri(), False)]
    client.notify("textDocument/didClose", {"textDocument": {"uri": other.as_uri()}})
    rules.write_text("")
    client.notify("textDocument/didSave", {"textDocument": {"uri": rules.as_uri()}})
    opened(client, other)
    status = client.notification("rulesLsp/fileStatus")
    assert (status["uri"], status["allowed"]) == (other.as_uri(), True)


def test_nobody_else_is_told(start: Start, rules: Path, tmp_path: Path) -> None:
    client = start()
    opened(client, tmp_path / "key.pem")
    client.notify("textDocument/didSave", {"textDocument": {"uri": rules.as_uri()}})
    command(client, "rulesLsp.isFileAllowed", "key.pem")
    assert [message for message in client.received if message.get("method") == "rulesLsp/fileStatus"] == []


def test_a_file_is_explained(start: Start, rules: Path, tmp_path: Path) -> None:
    client = start()
    answer = command(client, "rulesLsp.explainFile", (tmp_path / "key.pem").as_uri(), "read")
    whole = command(client, "rulesLsp.isFileAllowed", (tmp_path / "key.pem").as_uri(), "read")
    assert answer.pop("markdown") == (
        "**denied**: read `key.pem`\n\n`key.pem` is excluded by `*.pem` (excluded)\n\n"
        f"1. denies: `*.pem` excludes `key.pem` ([.coding-agent-rules.yaml:4:8]({rules.as_uri()}#L4))\n\n"
        "rules: .coding-agent-rules.yaml\n"
    )
    assert answer.pop("weighed") == [
        {"effect": "denies", "sentence": "`*.pem` excludes `key.pem`", "rule": place(rules)}
    ]
    assert answer == whole


def test_a_tool_is_explained(start: Start, rules: Path) -> None:
    client = start()
    answer = command(client, "rulesLsp.explainTool", "github/delete_file")
    assert (answer["allowed"], answer["code"], [step["effect"] for step in answer["weighed"]]) == (
        False,
        "denied-tool",
        ["denies"],
    )
    assert answer["markdown"].startswith("**denied**: call `github/delete_file`\n\n")
    unsaved = {"tool": "github/delete_file", "source": "buffer"}
    opened(client, rules, "allowed_tools: [github/delete_file]\n")
    assert command(client, "rulesLsp.explainTool", unsaved)["code"] == "allowed-tool"


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("rulesLsp.explainFile", [{"tool": "x"}], "`rulesLsp.explainFile` explains files, not tools"),
        ("rulesLsp.explainTool", [{"path": "x"}], "`rulesLsp.explainTool` explains tools, not files"),
        (
            "rulesLsp.explainFile",
            [{"paths": ["x"]}],
            "one decision is about one file or one tool: ask with `path`, `uri` or `tool`",
        ),
        ("rulesLsp.explainFile", [], "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
        ("rulesLsp.explainFile", [7], "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"),
    ],
)
def test_what_is_no_question(start: Start, rules: Path, name: str, arguments: list[Any], reason: str) -> None:
    answer = command(start(), name, *arguments)
    assert (answer["allowed"], answer["code"], answer["reason"]) == (False, "invalid-request", reason)
    assert reason in answer["markdown"]


def test_no_folder_is_open() -> None:
    client = Client()
    client.initialize()
    answer = command(client, "rulesLsp.explainFile", "a.py")
    assert (answer["code"], answer["weighed"], answer["markdown"]) == (
        "invalid-request",
        [],
        "**denied**: no folder is open, so there are no rules to ask\n",
    )
    client.close()


def test_pages_by_their_address(start: Start, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("")
    (tmp_path / "a.py").write_text("")
    client = start(CONTENT)
    page = command(client, "rulesLsp.preview", {"kind": "decision", "query": {"path": "key.pem"}})
    content = client.request("workspace/textDocumentContent", {"uri": page["uri"]})
    assert content == {"text": page["markdown"]}
    assert page["markdown"].startswith("# Decision\n\n**denied**: write `key.pem`\n\n")
    assert command(client, "rulesLsp.preview", page["uri"]) == page
    command(client, "rulesLsp.preview", {"kind": "files", "pattern": "*.pem"})
    command(client, "rulesLsp.serverState", {"settled": True})
    files = command(client, "rulesLsp.preview", {"kind": "files", "pattern": "*.pem", "folder": tmp_path.as_uri()})
    assert files["markdown"] == (
        "# Files of `*.pem`\n\n1 of 3 files, 0 of them writable\n\n| file | may be written |\n| --- | --- |\n"
        f"| [`key.pem`]({(tmp_path / 'key.pem').as_uri()}) | no |\n"
    )
    policy = command(client, "rulesLsp.preview", {"kind": "policy"})["markdown"]
    assert policy.startswith(f"# Policy of `{tmp_path}`\n\nrules: .coding-agent-rules.yaml\n\n**effective policy**")
    assert (
        "## `file_patterns.exclude`\n\n| entry | line | takes now |\n| --- | --- | --- |\n"
        f"| `*.pem` | [4]({rules.as_uri()}#L4) | 1 file · net \N{MINUS SIGN}1 |\n"
    ) in policy


def test_the_capability_is_for_clients_that_have_it(start: Start) -> None:
    with_it, without = Client(), Client()
    capabilities = with_it.initialize(capabilities=CONTENT)["capabilities"]
    assert capabilities["workspace"]["textDocumentContent"] == {"schemes": ["rules-lsp"]}
    assert "textDocumentContent" not in without.initialize()["capabilities"]["workspace"]
    with_it.close()
    without.close()


def test_an_open_page_is_asked_for_anew_when_it_reads_otherwise(start: Start, rules: Path) -> None:
    client = start(CONTENT)
    uri = command(client, "rulesLsp.preview", {"kind": "decision", "query": {"path": "key.pem"}})["uri"]
    client.request("workspace/textDocumentContent", {"uri": uri})
    rules.write_text("")
    client.notify("textDocument/didSave", {"textDocument": {"uri": rules.as_uri()}})
    assert client.notification("workspace/textDocumentContent/refresh") == {"uri": uri}
    text = client.request("workspace/textDocumentContent", {"uri": uri})["text"]
    assert text.startswith("# Decision\n\n**allowed**: write `key.pem`\n\n")


@pytest.mark.parametrize(
    "page",
    [
        None,
        7,
        "rules-lsp:/policy.md",
        "rules-lsp:/policy.md?%%%",
        "file:///x?e30",
        {},
        {"kind": "other"},
        {"kind": ["policy"]},
        {"kind": "files"},
        {"kind": "files", "pattern": 7},
        {"kind": "policy", "folder": "/nowhere"},
        {"kind": "policy", "folder": 7},
    ],
)
def test_what_is_no_page(start: Start, page: Any) -> None:
    client = start(CONTENT)
    answer = client.ask("workspace/executeCommand", {"command": "rulesLsp.preview", "arguments": [page]})
    assert answer["error"]["code"] == -32602
    answer = client.ask("workspace/textDocumentContent", {"uri": str(page)})
    assert answer["error"]["code"] == -32602
