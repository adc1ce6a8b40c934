"""A server that is reached by HTTP (the protocol's streamable transport): a request a message, no redirects."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import socket
import threading
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from rules_lsp.workspace.live.starting import Address, CannotStart
from rules_lsp.workspace.live.waiting import Message

MAX_BYTES = 8 * 1024 * 1024
CONNECT_SECONDS = 30.0
_SESSION = "Mcp-Session-Id"
_WORDS = {401: "it wants a login", 403: "it refuses this client", 404: "there is nothing at its address"}


class HttpChannel:
    """The way to a server at an address. Messages are sent one after another, in a thread of their own."""

    def __init__(self, address: Address) -> None:
        """Connects with the first message. Raises `CannotStart` where the address is none."""
        self.messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        try:
            parts = urlsplit(address.url)
            self._host, self._port = parts.hostname, parts.port
        except ValueError:
            raise CannotStart("its address is none") from None
        if parts.scheme not in ("http", "https") or self._host is None:
            raise CannotStart("its address is no http: or https: one")
        self._tls = parts.scheme == "https"
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = dict(address.headers)
        self.secrets = tuple(address.headers.values())
        self._end = "it ended the connection without an answer"
        self._left = MAX_BYTES
        self._closed = False
        self._connection: http.client.HTTPConnection | None = None
        self._outbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._worker = threading.Thread(target=self._run, name="rules-lsp-tools", daemon=True)
        self._worker.start()

    def send(self, message: Message) -> None:
        """Send a message, once the ones before it are answered."""
        self._outbox.put(message)

    def end(self) -> str:
        """Why no more messages come."""
        return self._end

    def close(self) -> None:
        """Break off whatever is going on."""
        self._closed = True
        self._outbox.put(None)
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        while (message := self._outbox.get()) is not None and not self._closed:
            try:
                for answer in self._exchange(message):
                    self.messages.put(answer)
            except (OSError, ValueError, http.client.HTTPException, RecursionError) as error:
                self._end = _words_of(error)
                break
        self.messages.put(None)

    def _exchange(self, message: Message) -> Iterator[Message]:
        kind = http.client.HTTPSConnection if self._tls else http.client.HTTPConnection
        assert self._host is not None
        self._connection = connection = kind(self._host, self._port, timeout=CONNECT_SECONDS)
        try:
            body = json.dumps(message).encode("ascii")
            sent: Mapping[str, str] = {
                **self._headers,
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            }
            connection.request("POST", self._path, body, dict(sent))
            response = connection.getresponse()
            if response.status >= 300:
                raise _Refused(_WORDS.get(response.status, f"it answers with the HTTP status {response.status}"))
            session = response.getheader(_SESSION)
            if session is not None:
                self._headers[_SESSION] = session
            if response.status == 202 or "id" not in message:
                return
            if (response.getheader("Content-Type") or "").partition(";")[0].strip().lower() == "text/event-stream":
                yield from self._events(response, message["id"])
            else:
                answer = json.loads(self._read(response))
                if isinstance(answer, dict):
                    yield answer
        finally:
            connection.close()

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        return b"".join(iter(lambda: self._counted(response.read1(65536)), b""))

    def _events(self, response: http.client.HTTPResponse, wanted: object) -> Iterator[Message]:
        """The messages of a stream, until the answer to a request is among them."""
        data: list[bytes] = []
        while line := self._counted(response.readline(MAX_BYTES)):
            if line.startswith(b"data:"):
                data.append(line[5:].strip())
            elif not line.strip() and data:
                message, data = json.loads(b"\n".join(data)), []
                if isinstance(message, dict):
                    yield message
                    if message.get("id") == wanted and "method" not in message:
                        return

    def _counted(self, data: bytes) -> bytes:
        self._left -= len(data)
        if self._left < 0:
            raise _Refused(f"it wrote more than {MAX_BYTES // 1024 // 1024} MiB")
        if self._closed:
            raise _Refused("the connection was broken off")
        return data


def _words_of(error: Exception) -> str:
    if isinstance(error, _Refused):
        return str(error)
    if isinstance(error, OSError | http.client.HTTPException):
        return f"it cannot be reached: {type(error).__name__}"
    return "its answer is no message of the protocol"


class _Refused(ValueError):
    """The text says in this program's words why there is no answer."""
