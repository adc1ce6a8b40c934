"""The third front of the decision vectors: the language server's commands, asked over its standard streams."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.decisions.harness import Built

TIMEOUT_SECONDS = 60.0


class Client:
    """A small synchronous client of one server process. Every wait is bounded."""

    def __init__(self, arguments: list[str], directory: Path | None = None) -> None:
        environment = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
        environment["RULES_LSP_STRICT"] = "1"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rules_lsp", "serve", "--stdio", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=directory,
            env=environment,
        )
        self._buffer = bytearray()
        self._last_id = 0
        parameters = {"processId": os.getpid(), "rootUri": None, "capabilities": {}, "workspaceFolders": []}
        self.request("initialize", parameters)
        self.notify("initialized", {})

    def notify(self, method: str, parameters: Any) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def request(self, method: str, parameters: Any) -> Any:
        """Send a request and return its result; notifications that come before it are passed over."""
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": parameters})
        while True:
            message = self._receive()
            if message.get("id") == self._last_id and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def close(self) -> None:
        """Shut the server down; it must end by itself and with success."""
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            code = self._process.wait(TIMEOUT_SECONDS)
        finally:
            self._process.kill()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
        assert code == 0

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode("ascii")
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> Any:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            self._read(deadline)
        headers = dict(line.split(b": ", 1) for line in bytes(self._buffer[:end]).split(b"\r\n"))
        start, size = end + 4, int(headers[b"Content-Length"])
        while len(self._buffer) < start + size:
            self._read(deadline)
        body = bytes(self._buffer[start : start + size])
        del self._buffer[: start + size]
        return json.loads(body)

    def _read(self, deadline: float) -> None:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError("the server does not answer")
        chunk = os.read(descriptor, 65536)
        if not chunk:
            raise EOFError("the server has ended")
        self._buffer += chunk


class LanguageServerFront:
    """One server for all ordinary vectors, which comes and goes with their folders; one of its own for the others."""

    def __init__(self) -> None:
        self._shared: Client | None = None

    def __enter__(self) -> LanguageServerFront:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shared is not None:
            self._shared.close()
            self._shared = None

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        """One answer a question, in order."""
        if built.operator_config is None and not built.case_insensitive:
            if self._shared is None:
                self._shared = Client([])
            return _ask(self._shared, built.root, questions)
        arguments = ["--case-insensitive"] if built.case_insensitive else []
        if built.operator_config is not None:
            arguments += ["--config", str(built.operator_config)]
        client = Client(arguments, built.elsewhere)
        try:
            return _ask(client, built.root, questions)
        finally:
            client.close()


def _ask(client: Client, root: Path, questions: list[dict[str, Any]]) -> list[Any]:
    folder = {"uri": root.as_uri(), "name": root.name}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    try:
        return [client.request("workspace/executeCommand", _command(question)) for question in questions]
    finally:
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})


def _command(question: dict[str, Any]) -> dict[str, Any]:
    about_tools = "tool" in question or "tools" in question
    name = "rulesLsp.isToolAllowed" if about_tools else "rulesLsp.isFileAllowed"
    return {"command": name, "arguments": [question]}
