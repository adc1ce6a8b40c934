"""The command that asks servers for their tools: what it answers, what the client sees, and that it can be stopped."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.workspace.live.refreshing import refresh
from tests.lsp.client import Client

SERVER = str(Path(__file__).parents[1] / "support" / "tool_server.py")
COMMAND = "rulesLsp.refreshTools"
PROGRESS = {"window": {"workDoneProgress": True}}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = Path(os.path.realpath(tmp_path)) / "app"
    made.mkdir()
    return made


@pytest.fixture
def session(cache: None) -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


def configure(root: Path, **kinds: str) -> None:
    servers = {name: {"command": sys.executable, "args": [SERVER, kind]} for name, kind in kinds.items()}
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")


def begun(client: Client, root: Path, **capabilities: Any) -> None:
    client.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": root.name}], capabilities={**PROGRESS, **capabilities}
    )


def sent(client: Client, identity: int, *arguments: Any) -> None:
    parameters = {"command": COMMAND, "arguments": list(arguments)}
    client.send({"jsonrpc": "2.0", "id": identity, "method": "workspace/executeCommand", "params": parameters})


def token_of(client: Client) -> Any:
    """The token of the progress that the server asks for; the client takes it."""
    while (message := client.receive()).get("method") != "window/workDoneProgress/create":
        client.received.append(message)
    client.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    return message["params"]["token"]


def codes(client: Client, path: Path) -> list[str]:
    parameters = {"textDocument": {"uri": path.as_uri()}}
    return [found["code"] for found in client.request("textDocument/diagnostic", parameters)["items"]]


def test_servers_are_asked_and_the_editor_follows(session: Client, root: Path) -> None:
    configure(root, own="plain", bad="crash")
    rules = root / ".coding-agent-rules.yaml"
    rules.write_text("denied_tools:\n  - own/writ\n", encoding="utf-8")
    begun(session, root, textDocument={"diagnostic": {}})
    item = {"uri": rules.as_uri(), "languageId": "yaml", "version": 1, "text": rules.read_text()}
    session.notify("textDocument/didOpen", {"textDocument": item})
    assert codes(session, rules) == []
    sent(session, 100)
    token = token_of(session)
    answer = session.response(100)["result"]
    assert answer == [
        {
            "folder": root.as_uri(),
            "server": "own",
            "file": ".mcp.json",
            "outcome": "listed",
            "message": "",
            "tools": 2,
        },
        {
            "folder": root.as_uri(),
            "server": "bad",
            "file": ".mcp.json",
            "outcome": "failed",
            "message": "it ended without an answer: KeyError: the key None is wrong",
            "tools": None,
        },
    ]
    shown = [each["params"] for each in session.received if each.get("method") == "$/progress"]
    assert {each["token"] for each in shown} == {token}
    values = [each["value"] for each in shown]
    assert values[0] == {"kind": "begin", "title": "Asking servers for their tools", "cancellable": True}
    assert values[-1] == {"kind": "end", "message": "1 of 2 servers told their tools"}
    assert codes(session, rules) == ["unknown-tool"]
    labels = session.request(
        "textDocument/completion",
        {"textDocument": {"uri": rules.as_uri()}, "position": {"line": 1, "character": 8}},
    )
    items = labels if isinstance(labels, list) else labels["items"]
    assert {item["label"] for item in items} >= {"read", "write"}


def test_what_another_program_asked_for_is_noticed(session: Client, root: Path) -> None:
    configure(root, own="plain")
    rules = root / ".coding-agent-rules.yaml"
    rules.write_text("denied_tools:\n  - own/writ\n", encoding="utf-8")
    begun(session, root, textDocument={"diagnostic": {}})
    item = {"uri": rules.as_uri(), "languageId": "yaml", "version": 1, "text": rules.read_text()}
    session.notify("textDocument/didOpen", {"textDocument": item})
    assert codes(session, rules) == []
    refresh(str(root))
    assert codes(session, rules) == ["unknown-tool"]


def test_the_client_cancels_the_progress(session: Client, root: Path) -> None:
    configure(root, own="hang")
    begun(session, root)
    sent(session, 100)
    token = token_of(session)
    session.notification("$/progress")
    session.notify("window/workDoneProgress/cancel", {"token": token})
    (asked,) = session.response(100)["result"]
    assert (asked["outcome"], asked["tools"]) == ("cancelled", None)


def test_the_client_cancels_the_request(session: Client, root: Path) -> None:
    configure(root, own="hang")
    begun(session, root)
    sent(session, 100)
    token_of(session)
    assert session.notification("$/progress")["value"]["kind"] == "begin"
    session.notify("$/cancelRequest", {"id": 100})
    assert session.response(100)["error"]["code"] == -32800
    shown = [each["params"]["value"] for each in session.received if each.get("method") == "$/progress"]
    while not shown or shown[-1]["kind"] != "end":
        shown.append(session.notification("$/progress")["value"])
    assert shown[-1] == {"kind": "end", "message": "cancelled"}


def test_the_server_answers_meanwhile_and_ends_at_once(session: Client, root: Path) -> None:
    configure(root, own="hang")
    begun(session, root)
    sent(session, 100)
    token_of(session)
    question = {"command": "rulesLsp.isFileAllowed", "arguments": [{"path": "a"}]}
    assert session.request("workspace/executeCommand", question)["allowed"] is True


def test_one_server_and_a_time_limit(session: Client, root: Path) -> None:
    configure(root, own="hang", other="plain")
    begun(session, root)
    sent(session, 100, {"folder": root.as_uri(), "server": "own", "timeout": 0.5})
    token_of(session)
    (asked,) = session.response(100)["result"]
    assert (asked["server"], asked["message"]) == ("own", "no answer within 0.5 seconds")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"server": "nobody"}, "the `server` of `rulesLsp.refreshTools` is configured in no file of the project"),
        ({"server": 7}, "the `server` of `rulesLsp.refreshTools` is the name of one"),
        ({"timeout": 0}, "the `timeout` of `rulesLsp.refreshTools` is a number of seconds up to 3600"),
        ({"timeout": True}, "the `timeout` of `rulesLsp.refreshTools` is a number of seconds up to 3600"),
        ({"folder": "file:///nowhere"}, "the `folder` of `rulesLsp.refreshTools` names no open folder"),
        ("text", "`rulesLsp.refreshTools` takes one object"),
    ],
)
def test_senseless_arguments(session: Client, root: Path, argument: Any, message: str) -> None:
    configure(root, own="plain")
    session.initialize(workspaceFolders=[{"uri": root.as_uri(), "name": root.name}])
    error = session.ask("workspace/executeCommand", {"command": COMMAND, "arguments": [argument]})["error"]
    assert (error["code"], error["message"]) == (-32602, message)
