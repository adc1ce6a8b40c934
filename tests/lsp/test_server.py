from __future__ import annotations

import asyncio
import json
import logging
import threading
from typing import Any

import pytest
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams

from rules_lsp.lsp.protocol import Writer
from rules_lsp.lsp.registration import COMMANDS, METHODS, create_server
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.transport import MAX_BODY_BYTES, MAX_HEADER_BYTES, bodies
from rules_lsp.lsp.worker import Worker


def messages(sent: list[bytes]) -> list[Any]:
    return [json.loads(data.split(b"\r\n\r\n", 1)[1]) for data in sent]


def failing(server: RulesLanguageServer, question: int) -> int:
    return question // 0


@pytest.fixture
def sent() -> list[bytes]:
    return []


@pytest.fixture
def server(sent: list[bytes]) -> RulesLanguageServer:
    made = create_server()
    made.protocol.set_writer(Writer(sent.append, lambda: None))
    return made


MESSAGE = "textDocument/hover failed: ZeroDivisionError: integer division or modulo by zero"


def test_a_failure_is_logged_with_its_name_and_answered_with_an_error(
    server: RulesLanguageServer, sent: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(JsonRpcInternalError) as raised:
        server.isolated("textDocument/hover", failing)(7)
    assert (raised.value.code, raised.value.message, raised.value.data) == (-32603, MESSAGE, None)
    assert messages(sent) == [
        {"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": 1, "message": MESSAGE}}
    ]
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in logged] == ["textDocument/hover failed"]


def test_a_handler_that_is_waited_for_fails_alike(server: RulesLanguageServer, sent: list[bytes]) -> None:
    async def failing_later(server: RulesLanguageServer, question: int) -> int:
        return failing(server, question)

    with pytest.raises(JsonRpcInternalError) as raised:
        asyncio.run(server.isolated("textDocument/hover", failing_later)(7))
    assert raised.value.message == MESSAGE
    assert len(sent) == 1


def test_a_refusal_is_no_failure(server: RulesLanguageServer, sent: list[bytes]) -> None:
    def refusing(server: RulesLanguageServer) -> None:
        raise JsonRpcInvalidParams("no")

    with pytest.raises(JsonRpcInvalidParams):
        server.isolated("x", refusing)()
    assert sent == []


def test_what_does_not_fail_is_passed_on(server: RulesLanguageServer, sent: list[bytes]) -> None:
    assert server.isolated("x", lambda _, question: question + 1)(7) == 8
    assert sent == []


def test_a_client_that_has_gone_is_told_of_once() -> None:
    lost: list[bool] = []

    def write(data: bytes) -> None:
        raise BrokenPipeError

    writer = Writer(write, lambda: lost.append(True))
    writer.write(b"a")
    writer.write(b"b")
    assert lost == [True]


def test_every_method_and_command_is_registered(server: RulesLanguageServer) -> None:
    assert set(server.protocol.fm.features) == {method.name for method in METHODS}
    assert list(server.protocol.fm.commands) == list(COMMANDS)


def stream(*chunks: bytes) -> list[bytes]:
    remaining = [*chunks, b""]
    return list(bodies(lambda: remaining.pop(0)))


@pytest.mark.parametrize(
    ("chunks", "found"),
    [
        ([], []),
        ([b"Content-Length: 2\r\n\r\nab"], [b"ab"]),
        ([b"Content-Length: 2\r\n\r\nabContent-Length: 1\r\n\r\nc"], [b"ab", b"c"]),
        ([b"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\nc"], [b"", b"c"]),
        ([b"Content-", b"Length: 3", b"\r\n\r", b"\na", b"bc"], [b"abc"]),
        ([b"content-length:2\n\nab"], [b"ab"]),
        ([b"Content-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\nab"], [b"ab"]),
        ([b"Content-Length: 3\r\n\r\nab"], []),
        ([b"Content-Length: 2"], []),
        ([b"Content-Length: 4\r\n\r\n\r\n\r\n"], [b"\r\n\r\n"]),
    ],
)
def test_messages_in_a_stream(chunks: list[bytes], found: list[bytes]) -> None:
    assert stream(*chunks) == found


@pytest.mark.parametrize(
    "data",
    [
        b"x" * (MAX_HEADER_BYTES + 1),
        b"Content-Length: %d\r\n\r\nab" % (MAX_BODY_BYTES + 1),
    ],
)
def test_what_is_no_stream_of_messages_ends_it(data: bytes) -> None:
    assert stream(data, b"Content-Length: 2\r\n\r\nab") == []


@pytest.mark.parametrize("header", [b"Length: 2", b"Content-Length: x", b"Content-Length: -2", b"Content-Length: 2.0"])
def test_a_header_without_a_length_is_passed_over(header: bytes) -> None:
    assert stream(header + b"\r\n\r\n", b"Content-Length: 2\r\n\r\nab") == [b"ab"]


def framed(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def test_a_request_that_was_cancelled_while_it_waited_is_not_begun(
    server: RulesLanguageServer, sent: list[bytes]
) -> None:
    server.messages.initialized = True
    request = framed({"id": 7, "method": "shutdown"})
    cancellation = framed({"method": "$/cancelRequest", "params": {"id": 7}})
    server.messages.foresee(request)
    server.messages.foresee(cancellation)
    server.messages.receive(request)
    server.messages.receive(cancellation)
    server.messages.receive(request)
    answers = messages(sent)
    assert [answer.get("error", {}).get("code") for answer in answers] == [-32800, None]
    assert server.messages.shut_down


@pytest.mark.parametrize("body", [b"", b"{$/cancelRequest", b'["$/cancelRequest"]', b'{"method": "$/cancelRequest"}'])
def test_what_is_no_cancellation_cancels_nothing(server: RulesLanguageServer, sent: list[bytes], body: bytes) -> None:
    server.messages.initialized = True
    server.messages.foresee(body)
    server.messages.receive(framed({"id": 7, "method": "shutdown"}))
    assert server.messages.shut_down


def test_work_is_done_in_its_order_and_not_begun_once_it_is_cancelled() -> None:
    done: list[int] = []

    async def work() -> tuple[int, str]:
        worker = Worker()
        cancelled = threading.Event()
        first = worker.submit(lambda: done.append(1 if cancelled.wait() else 0))
        second = worker.submit(lambda: done.append(2))
        third = worker.submit(lambda: 3)
        fourth = worker.submit(lambda: 1 // 0)
        second.cancel()
        cancelled.set()
        await first
        with pytest.raises(ZeroDivisionError) as raised:
            await fourth
        return await third, str(raised.value)

    assert asyncio.run(work()) == (3, "integer division or modulo by zero")
    assert done == [1]
