"""Servers that are reached by HTTP on the loopback: the SDK's own, and bad ones."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
import uvicorn
from mcp.server.lowlevel.server import Server

from rules_lsp.workspace.live.refreshing import Asked, refresh

ENOUGH = 60.0


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def ask(tmp_path: Path, url: str, timeout: float = ENOUGH, **more: Any) -> Asked:
    root = Path(os.path.realpath(tmp_path)) / "app"
    root.mkdir(exist_ok=True)
    servers = {"s": {"type": "http", "url": url, **more}}
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    (asked,) = refresh(str(root), timeout=timeout)
    return asked


def names(asked: Asked) -> list[str]:
    assert asked.learnt is not None, asked.words
    return [tool.name for tool in asked.learnt.tools]


@contextlib.contextmanager
def sdk_server(*, json_response: bool) -> Iterator[str]:
    """The address of a server of the SDK with two pages of tools."""

    async def list_tools(context: Any, parameters: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        second = parameters is not None and parameters.cursor == "2"
        tool = types.Tool(name="second" if second else "first", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[tool], next_cursor=None if second else "2")

    server: Server[Any] = Server("loopback", on_list_tools=list_tools)
    listener = socket.create_server(("127.0.0.1", 0))
    app = server.streamable_http_app(json_response=json_response)
    started = threading.Event()
    runner = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
    runner.startup = announced(runner.startup, started)  # type: ignore[method-assign]
    thread = threading.Thread(target=runner.run, args=([listener],), daemon=True)
    thread.start()
    try:
        assert started.wait(ENOUGH)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        runner.should_exit = True
        thread.join(ENOUGH)
        listener.close()


def announced(startup: Any, started: threading.Event) -> Any:
    async def begin(sockets: Any = None) -> None:
        await startup(sockets)
        started.set()

    return begin


@pytest.mark.parametrize("json_response", [True, False])
def test_a_server_of_the_sdk_tells_its_tools(tmp_path: Path, json_response: bool) -> None:
    with sdk_server(json_response=json_response) as url:
        assert names(ask(tmp_path, url)) == ["first", "second"]


class Handler(BaseHTTPRequestHandler):
    """Answers as its path says, and notes the headers of each request."""

    seen: list[dict[str, str]] = []
    release = threading.Event()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append({key.lower(): value for key, value in self.headers.items()})
        kind = self.path.strip("/")
        if kind == "redirect":
            self.answer(307, b"", Location="/plain")
        elif kind.isdigit():
            self.answer(int(kind), b"")
        elif kind == "hang":
            self.release.wait()
        elif kind == "gigantic":
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                while True:
                    self.wfile.write(b" " * 65536)
        elif kind == "text":
            self.answer(200, b"hello")
        elif "id" not in body:
            self.answer(202, b"")
        else:
            result = {"tools": [{"name": "only"}]} if body["method"] == "tools/list" else {}
            answer = json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": result}).encode()
            self.answer(200, answer, **{"Content-Type": "application/json", "Mcp-Session-Id": "abc"})

    def answer(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    Handler.seen, Handler.release = [], threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Handler.release.set()
    server.shutdown()
    server.server_close()
    thread.join(ENOUGH)


def test_headers_are_sent_and_the_session_is_kept(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "t0ken-value")
    assert names(ask(tmp_path, f"{address}/plain", headers={"Authorization": "Bearer ${TOKEN}"})) == ["only"]
    assert [seen["authorization"] for seen in Handler.seen] == ["Bearer t0ken-value"] * 3
    assert [seen.get("mcp-session-id") for seen in Handler.seen] == [None, "abc", "abc"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("redirect", "it answers with the HTTP status 307"),
        ("401", "it wants a login"),
        ("403", "it refuses this client"),
        ("404", "there is nothing at its address"),
        ("500", "it answers with the HTTP status 500"),
        ("gigantic", "it wrote more than 8 MiB"),
        ("text", "its answer is no message of the protocol"),
    ],
)
def test_what_is_no_answer_says_why(tmp_path: Path, address: str, kind: str, words: str) -> None:
    asked = ask(tmp_path, f"{address}/{kind}")
    assert (asked.outcome, asked.words) == ("failed", words)
    assert len(Handler.seen) == 1


def test_a_server_that_does_not_answer_is_left(tmp_path: Path, address: str) -> None:
    asked = ask(tmp_path, f"{address}/hang", timeout=0.5)
    assert (asked.outcome, asked.words) == ("failed", "no answer within 0.5 seconds")
