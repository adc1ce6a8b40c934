"""The model over HTTP."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from tests.hosts.model.anthropic import Messages
from tests.hosts.model.dialect import Dialect, Reply, as_json
from tests.hosts.model.google import GenerateContent
from tests.hosts.model.openai import Responses
from tests.hosts.model.script import Body, Script

PORT = 8765
"""Free in a network of its own."""
URL = f"http://127.0.0.1:{PORT}"
# The end of a path: who speaks so, and whether the answer is a stream of events whatever the request says.
_DIALECTS: dict[str, tuple[Dialect, bool]] = {
    "/messages": (Messages(), False),
    "/responses": (Responses(), False),
    ":generateContent": (GenerateContent(), False),
    ":streamGenerateContent": (GenerateContent(), True),
}
_COUNTS = {"/count_tokens": {"input_tokens": 1}, ":countTokens": {"totalTokens": 1}}


class Model:
    """A script at work. `results` are what hosts told of the calls, by the name of the call."""

    def __init__(self, script: Script) -> None:
        self.results: dict[str, str] = {}
        self.requests: list[str] = []
        self.faults: list[str] = []
        self._script = script
        self._lock = threading.Lock()

    def reply(self, path: str, body: Body) -> Reply | None:
        """The answer to a request, None where the path is none of a model's."""
        end = path[path.rfind("/") :]
        end = end[end.rfind(":") :] if ":" in end else end
        with self._lock:
            self.requests.append(path)
            if end in _COUNTS:
                return as_json(_COUNTS[end])
            if end not in _DIALECTS:
                return None
            dialect, stream = _DIALECTS[end]
            call = None
            if dialect.offers_tools(body):
                calls = self._script.conversation(dialect.opening(body))
                told = dialect.results(body)
                self.results.update(told)
                call = next((call for call in calls if call.name not in told), None)
            return dialect.answer(body, call, stream)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer on loopback for as long as the context lasts."""
        handler = type("Handler", (_Handler,), {"model": self})
        server = ThreadingHTTPServer(("127.0.0.1", PORT), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    model: Model
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._send(as_json({"object": "list", "data": [], "models": []}), 200 if "/models" in self.path else 404)

    def do_HEAD(self) -> None:
        self._send(Reply("text/plain", b""), 200)

    def do_POST(self) -> None:
        content = self._content()
        try:
            if self.headers.get("Content-Encoding") == "gzip":
                content = gzip.decompress(content)
            reply = self.model.reply(urlsplit(self.path).path, json.loads(content or b"{}"))
        except Exception as error:
            self.model.faults.append(f"{self.path}: {error!r}")
            self._send(as_json({"error": {"message": repr(error)}}), 400)
            return
        self._send(as_json({}) if reply is None else reply, 404 if reply is None else 200)

    def _content(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts: list[bytes] = []
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _send(self, reply: Reply, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is told of requests: standard output is the run's."""
