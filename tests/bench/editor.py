"""A client of any language server over standard streams: enough of an editor that a server can be timed from outside.

A thread stamps each message when its last byte is here and before it is decoded, so that a latency holds the server's
work and the pipe and not this client's JSON. It also answers what servers ask of an editor, which many wait for.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

Found = TypeVar("Found")
LONGEST_WAIT = 60.0
_FORMATS = ["markdown", "plaintext"]
_CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "diagnostic": {"dynamicRegistration": True},
        "hover": {"dynamicRegistration": True, "contentFormat": _FORMATS},
        "completion": {
            "dynamicRegistration": True,
            "contextSupport": True,
            "completionItem": {"snippetSupport": True, "documentationFormat": _FORMATS},
        },
    },
}


class Answer(NamedTuple):
    """The result of a request, when its last byte came, and how long after the request that was, in seconds."""

    result: Any
    stamp: float
    seconds: float


class Diagnostics(NamedTuple):
    """What was told of a document, pushed or pulled; `version` is None where the server does not tell it."""

    stamp: float
    version: int | None
    items: list[dict[str, Any]]


class Editor:
    """One server process and one folder. `settings` answers `workspace/configuration`."""

    def __init__(
        self, command: tuple[str, ...], root: Path, environment: Mapping[str, str], settings: Mapping[str, Any]
    ) -> None:
        self._root, self._settings = root, settings
        self._folder = {"uri": root.as_uri(), "name": root.name}
        self._published: list[Diagnostics] = []
        self._answers: dict[int, tuple[float, dict[str, Any]]] = {}
        self._last_id = 0
        self._gone = False
        self._pulls = False
        self._news = threading.Condition()
        self._writing = threading.Lock()
        self.spawned = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._to, self._from = cast(BinaryIO, self.process.stdin), cast(BinaryIO, self.process.stdout)
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Editor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        else:
            self.process.kill()
        self.process.wait()
        self._to.close()

    def initialize(self) -> float:
        """Shake hands; when the server's answer came."""
        answer = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "clientInfo": {"name": "bench"},
                "capabilities": _CAPABILITIES,
                "rootUri": self._folder["uri"],
                "rootPath": str(self._root),
                "workspaceFolders": [self._folder],
            },
        )
        self._pulls = bool(answer.result["capabilities"].get("diagnosticProvider"))
        self.notify("initialized", {})
        return answer.stamp

    def notify(self, method: str, parameters: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": parameters})

    def request(self, method: str, parameters: Any) -> Answer:
        """Send a request and wait for its result; raises `RuntimeError` where it is an error."""
        self._last_id += 1
        number, sent = self._last_id, time.perf_counter()
        self._send({"id": number, "method": method, "params": parameters})
        stamp, message = self._wait(lambda: self._answers.pop(number, None), f"answer to {method}")
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return Answer(message.get("result"), stamp, stamp - sent)

    @property
    def told(self) -> int:
        """How many diagnostics were told until now."""
        return len(self._published)

    def diagnosed(self, uri: str, version: int, fits: Callable[[list[dict[str, Any]]], bool], since: int) -> float:
        """When diagnostics of a version that are as awaited came, after the first `since` ones: pulled if possible."""

        def is_it(one: Diagnostics) -> bool:
            return one.version in (None, version) and fits(one.items)

        def pushed() -> float | None:
            return next((one.stamp for one in self._published[since:] if is_it(one)), None)

        if not self._pulls:
            return self._wait(pushed, "diagnostics")
        deadline = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < deadline:
            answer = self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            if is_it(Diagnostics(answer.stamp, version, answer.result["items"])):
                return answer.stamp
        raise RuntimeError("the diagnostics never came")

    def _wait(self, ready: Callable[[], Found | None], what: str) -> Found:
        deadline = time.monotonic() + LONGEST_WAIT
        with self._news:
            while (found := ready()) is None:
                if self._gone or not self._news.wait(max(0.0, deadline - time.monotonic())):
                    raise RuntimeError(f"the server {'ended' if self._gone else 'hung'} before its {what}")
        return found

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self._writing:
            self._to.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self._to.flush()

    def _read(self) -> None:
        while body := self._body():
            stamp = time.perf_counter()
            self._take(json.loads(body), stamp)
        with self._news:
            self._gone = True
            self._news.notify_all()

    def _body(self) -> bytes:
        length = 0
        while header := self._from.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return self._from.read(length)

    def _take(self, message: dict[str, Any], stamp: float) -> None:
        method, parameters = message.get("method"), message.get("params") or {}
        if method is not None and "id" in message:
            self._send({"id": message["id"], "result": self._answer(method, parameters)})
            return
        with self._news:
            if method is None:
                self._answers[message["id"]] = stamp, message
            elif method == "textDocument/publishDiagnostics":
                told = Diagnostics(stamp, parameters.get("version"), parameters["diagnostics"])
                self._published.append(told)
            self._news.notify_all()

    def _answer(self, method: str, parameters: dict[str, Any]) -> Any:
        if method == "workspace/configuration":
            return [self._settings.get(item.get("section")) for item in parameters["items"]]
        return [self._folder] if method == "workspace/workspaceFolders" else None
