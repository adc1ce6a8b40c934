"""Requests that are given up, and tracing: what the protocol has around its methods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

CANCELLED = -32800
PATHS = [f"src/{number}.py" for number in range(5000)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    made = Client()
    made.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "app"}])
    yield made
    made.close()


def framed(**message: Any) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def asking(message_id: str, query: Any) -> bytes:
    parameters = {"command": "isFileAllowed", "arguments": [query]}
    return framed(id=message_id, method="workspace/executeCommand", params=parameters)


def test_a_request_that_waits_and_is_given_up_is_not_begun(client: Client) -> None:
    waiting = [asking(f"wait-{number}", {"path": "a"}) for number in range(50)]
    cancellations = [framed(method="$/cancelRequest", params={"id": f"wait-{number}"}) for number in range(1, 50)]
    client.send_bytes(b"".join([asking("long", {"paths": PATHS}), *waiting, *cancellations]))
    assert len(client.response("long")["result"]["answers"]) == len(PATHS)
    answers = [client.response(f"wait-{number}") for number in range(50)]
    assert answers[0]["result"]["allowed"] is True
    assert {each["error"]["code"] for each in answers[1:]} == {CANCELLED}


def test_an_id_may_be_used_again_after_its_request_was_given_up(client: Client) -> None:
    client.notify("$/cancelRequest", {"id": "again"})
    client.notify("$/cancelRequest", {"id": "again"})
    client.send_bytes(asking("again", {"path": "a"}))
    assert client.response("again")["result"]["allowed"] is True


@pytest.mark.parametrize("value", ["off", "messages", "verbose"])
def test_tracing_changes_no_answer(client: Client, value: str) -> None:
    client.notify("$/setTrace", {"value": value})
    client.send_bytes(asking("traced", {"path": "a"}))
    assert client.response("traced")["result"]["code"] == "unrestricted"
    assert [each["method"] for each in client.received if each.get("method") == "window/logMessage"] == []
