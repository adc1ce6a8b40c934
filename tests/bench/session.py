"""A session with one server over its standard streams, as small as can be: it sends, and times what comes back."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

from tests.bench.measure import PROGRAM, environment


class Session:
    """One server process. `seconds` is what the last request took, until its last byte was here and not yet decoded."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seconds = 0.0
        self.notified: list[dict[str, Any]] = []
        self._last_id = 0
        self.process = subprocess.Popen(
            [*PROGRAM, "serve", "--stdio"],
            cwd=root,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._to, self._from = cast(BinaryIO, self.process.stdin), cast(BinaryIO, self.process.stdout)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        else:
            self.process.kill()
        self._to.close()
        self.process.wait()

    def initialize(self, **capabilities: Any) -> None:
        """Begin, with the root as the one folder."""
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": capabilities,
            },
        )
        self.notify("initialized", {})

    def open(self, name: str, text: str) -> str:
        """Open a document of the root; its URI."""
        uri = (self.root / name).as_uri()
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def command(self, name: str, *arguments: Any) -> Any:
        """The result of a command."""
        return self.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    def settled(self) -> None:
        """Wait until the files of the root are known."""
        self.command("rulesLsp.serverState", {"settled": True})

    def notify(self, method: str, parameters: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": parameters})

    def request(self, method: str, parameters: Any) -> Any:
        """The result of a request; raises `RuntimeError` where it is an error."""
        self._last_id += 1
        began = time.perf_counter()
        self._send({"id": self._last_id, "method": method, "params": parameters})
        while True:
            body = self._body()
            ended = time.perf_counter()
            message = json.loads(body)
            if "method" not in message and message["id"] == self._last_id:
                self.seconds = ended - began
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._take(message)

    def notification(self, method: str) -> Any:
        """The parameters of the next notification of a method."""
        while True:
            found = next((each for each in self.notified if each["method"] == method), None)
            if found is not None:
                self.notified.remove(found)
                return found["params"]
            self._take(json.loads(self._body()))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message and "method" in message:
            self._send({"id": message["id"], "result": None})
        elif "method" in message:
            self.notified.append(message)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._to.flush()

    def _body(self) -> bytes:
        length = 0
        while header := self._from.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the server has ended")
        return self._from.read(length)
