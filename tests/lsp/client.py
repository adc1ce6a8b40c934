"""A small synchronous client of one server process. It sends what it is told, also what no good client would."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 60.0


def server_environment() -> dict[str, str]:
    """The environment of a server under test: it finds this package, and fails loudly."""
    environment = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
    return {**environment, "PYTHONPATH": str(PROJECT), "RULES_LSP_STRICT": "1"}


class Client:
    """The client's end of a server over its standard streams. Every wait is bounded.

    `program` is what Python runs, which by default is the package.
    """

    def __init__(
        self,
        arguments: list[str] | None = None,
        directory: Path | None = None,
        program: tuple[str, ...] = ("-m", "rules_lsp"),
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *program, "serve", "--stdio", *(arguments or [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=server_environment(),
        )
        self.received: list[Any] = []
        self._buffer = bytearray()
        self._last_id = 0

    def initialize(self, **parameters: Any) -> Any:
        """Begin the session without a folder, unless the parameters name one; the result of `initialize`."""
        given = {"processId": os.getpid(), "rootUri": None, "capabilities": {}, "workspaceFolders": [], **parameters}
        result = self.request("initialize", given)
        self.notify("initialized", {})
        return result

    def notify(self, method: str, parameters: Any) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def request(self, method: str, parameters: Any) -> Any:
        """Send a request and return its result, which must be none of an error."""
        answer = self.ask(method, parameters)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def ask(self, method: str, parameters: Any) -> Any:
        """Send a request and return the whole response; notifications before it go to `received`."""
        self._last_id += 1
        self.send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": parameters})
        return self.response(self._last_id)

    def response(self, message_id: int | str | None) -> Any:
        """The response with an id, which is waited for."""
        while True:
            message = self.receive()
            if "method" not in message and message["id"] == message_id:
                return message
            self.received.append(message)

    def notification(self, method: str) -> Any:
        """The parameters of the next notification of a method, which is waited for."""
        while True:
            message = self.receive()
            if message.get("method") == method:
                return message["params"]
            self.received.append(message)

    def close(self) -> None:
        """Shut the server down; it must end by itself with success, and have had nothing to complain of."""
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            code, complaints = self.end()
        finally:
            self.kill()
        assert (code, complaints) == (0, "")

    def end(self) -> tuple[int, str]:
        """Wait for the process to end: its exit code, and what it wrote to standard error."""
        assert self.process.stderr is not None
        code = self.process.wait(TIMEOUT_SECONDS)
        return code, self.process.stderr.read().decode()

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.wait(TIMEOUT_SECONDS)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def send(self, message: Any) -> None:
        """Send a message; lone surrogates travel as escapes."""
        body = json.dumps(message).encode("ascii")
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self) -> Any:
        """The next message, which is waited for."""
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
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError("the server does not answer")
        chunk = os.read(descriptor, 65536)
        if not chunk:
            raise EOFError("the server has ended")
        self._buffer += chunk
