"""How a server process begins and ends."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from typing import Any

import pytest

from tests.lsp.client import TIMEOUT_SECONDS, Client, server_environment


def test_exit_after_shutdown_is_success(client: Client) -> None:
    client.initialize()
    client.request("shutdown", None)
    client.notify("exit", None)
    assert client.end() == (0, "")


def test_exit_without_shutdown_is_failure(client: Client) -> None:
    client.initialize()
    client.notify("exit", None)
    assert client.end() == (1, "")


def test_exit_before_initialize_is_failure(client: Client) -> None:
    client.notify("exit", None)
    assert client.end() == (1, "")


def test_the_end_of_the_input_ends_the_server(client: Client) -> None:
    client.initialize()
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.end() == (1, "")


def test_a_client_that_has_gone_ends_the_server(client: Client) -> None:
    client.initialize()
    assert client.process.stdout is not None
    client.process.stdout.close()
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///x"}})
    assert client.end() == (1, "")


def test_the_death_of_the_parent_ends_the_server_although_its_input_stays_open(client: Client) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    client.initialize(processId=parent.pid)
    parent.communicate(b"\n", timeout=TIMEOUT_SECONDS)
    assert client.end() == (1, "")


def test_a_parent_that_cannot_be_seen_is_not_missed(client: Client) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait(TIMEOUT_SECONDS)
    client.initialize(processId=gone.pid)
    assert client.request("shutdown", None) is None


def test_over_tcp() -> None:
    command = [sys.executable, "-m", "rules_lsp", "serve", "--tcp", "127.0.0.1:0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=server_environment(), text=True)
    try:
        assert process.stderr is not None
        host, port = process.stderr.readline().removeprefix("listening on ").rstrip("\n").rsplit(":", 1)
        with socket.create_connection((host, int(port)), TIMEOUT_SECONDS) as connection:
            for message_id, method in ((1, "initialize"), (2, "shutdown"), (None, "exit")):
                message: dict[str, Any] = {
                    "jsonrpc": "2.0",
                    "method": method,
                    "params": {"capabilities": {}, "processId": None},
                }
                if message_id is not None:
                    message["id"] = message_id
                body = json.dumps(message).encode()
                connection.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            with connection.makefile("rb") as answers:
                text = answers.read().decode()
        assert process.wait(TIMEOUT_SECONDS) == 0
        assert [text.count(part) for part in ('"capabilities": {', '"id": 2, "jsonrpc": "2.0", "result": null}')] == [
            1,
            1,
        ]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "--tcp", "2087"], "rules-lsp: --tcp 2087: write HOST:PORT, such as 127.0.0.1:2087\n"),
        (["serve", "--tcp", "h:x"], "rules-lsp: --tcp h:x: write HOST:PORT, such as 127.0.0.1:2087\n"),
        (["serve", "--config", "/no/such"], "rules-lsp: --config /no/such: there is no such file\n"),
    ],
)
def test_a_wrong_option_is_told(arguments: list[str], message: str) -> None:
    command = [sys.executable, "-m", "rules_lsp", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=server_environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_the_bare_option_starts_the_server() -> None:
    body = b'{"jsonrpc": "2.0", "method": "exit"}'
    done = subprocess.run(
        [sys.executable, "-m", "rules_lsp", "--stdio"],
        input=b"Content-Length: %d\r\n\r\n" % len(body) + body,
        capture_output=True,
        env=server_environment(),
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
