"""Messages that no good client sends: each request gets an error, and the server lives on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def assert_alive(client: Client) -> None:
    answer = client.request("workspace/executeCommand", {"command": "isToolAllowed", "arguments": [{"tool": "Bash"}]})
    assert (answer["allowed"], answer["code"]) == (False, "invalid-request")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", PARSE_ERROR),
        (b"\xff\xfe\xfd", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'"text"', INVALID_REQUEST),
        (b'{"id": 1, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', INVALID_REQUEST),
    ],
)
def test_a_malformed_message_is_answered_under_no_id(living: Client, body: bytes, code: int) -> None:
    living.send_bytes(framed(body))
    assert living.response(None)["error"]["code"] == code
    assert_alive(living)


@pytest.mark.parametrize(
    ("method", "parameters", "code"),
    [
        ("textDocument/moniker", {"anything": 1}, METHOD_NOT_FOUND),
        ("$/unknown", None, METHOD_NOT_FOUND),
        ("textDocument/hover", None, INVALID_PARAMS),
        ("textDocument/hover", {"textDocument": {"uri": "file:///a"}}, INVALID_PARAMS),
        ("textDocument/hover", {"textDocument": {"uri": "file:///a"}, "position": {"line": "x"}}, INVALID_PARAMS),
        ("textDocument/codeAction", [], INVALID_PARAMS),
        ("workspace/executeCommand", {"command": "noSuchCommand"}, INVALID_PARAMS),
        ("workspace/executeCommand", {"command": "isFileAllowed", "arguments": {"path": "a"}}, INVALID_PARAMS),
        ("workspace/executeCommand", {"command": "isFileAllowed", "arguments": "a"}, INVALID_PARAMS),
        ("workspace/executeCommand", {}, INVALID_PARAMS),
        ("initialize", {"capabilities": {}}, INVALID_REQUEST),
    ],
)
def test_a_request_that_does_not_fit_is_an_error(living: Client, method: str, parameters: Any, code: int) -> None:
    assert living.ask(method, parameters)["error"]["code"] == code
    assert_alive(living)


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("$/cancelRequest", {"id": 77}),
        ("$/setTrace", {"value": "off"}),
        ("no/suchNotification", {"a": [1]}),
        ("textDocument/didOpen", {"textDocument": 5}),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 1}, "contentChanges": []}),
        ("textDocument/didClose", {"textDocument": {"uri": "file:///x"}}),
        (
            "workspace/didChangeWorkspaceFolders",
            {"event": {"added": [{"uri": "ssh://h/x", "name": "x"}], "removed": []}},
        ),
        (
            "workspace/didChangeWorkspaceFolders",
            {"event": {"added": [], "removed": [{"uri": "file:///x", "name": "x"}]}},
        ),
    ],
)
def test_a_notification_that_does_not_fit_is_passed_over(living: Client, method: str, parameters: Any) -> None:
    living.notify(method, parameters)
    assert_alive(living)


def test_nothing_is_answered_before_initialize_and_after_shutdown(client: Client) -> None:
    command = {"command": "isToolAllowed", "arguments": [{"tool": "Bash"}]}
    assert client.ask("workspace/executeCommand", command)["error"]["code"] == NOT_INITIALIZED
    assert client.ask("shutdown", None)["error"]["code"] == NOT_INITIALIZED
    client.notify("textDocument/didOpen", {})
    client.initialize()
    client.request("shutdown", None)
    assert client.ask("workspace/executeCommand", command)["error"]["code"] == INVALID_REQUEST
    client.notify("exit", None)
    assert client.end() == (0, "")


@pytest.mark.parametrize("options", [{"config": 5}, {"config": ["a"]}, {"caseInsensitive": "yes"}])
def test_settings_that_cannot_be_read_start_no_session(client: Client, options: dict[str, Any]) -> None:
    parameters = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options}
    assert client.ask("initialize", parameters)["error"]["code"] == INVALID_PARAMS
    assert client.ask("shutdown", None)["error"]["code"] == NOT_INITIALIZED


@pytest.mark.parametrize("options", [None, 5, [], {}, {"other": 1}, {"config": None}, {"config": ""}])
def test_settings_that_say_nothing_are_none(client: Client, options: Any) -> None:
    client.initialize(initializationOptions=options)
    assert_alive(client)


def test_an_object_inside_an_argument_is_data(client: Client, tmp_path: Path) -> None:
    client.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    inner = {"jsonrpc": "2.0", "id": 5, "method": "shutdown"}
    query = {"tool": "server/tool", "arguments": {"inner": inner}}
    answer = client.request("workspace/executeCommand", {"command": "isToolAllowed", "arguments": [query]})
    assert (answer["allowed"], answer["code"], answer["pathsChecked"]) == (True, "unrestricted", False)


def test_headers_may_come_in_pieces_and_with_company(living: Client) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "workspace/executeCommand"}).encode()
    head = b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n" % len(body)
    for byte in head + body:
        living.send_bytes(bytes([byte]))
    assert living.response("a")["error"]["code"] == INVALID_PARAMS
