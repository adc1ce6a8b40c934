"""Bytes in and out: messages with a `Content-Length` header over standard streams or one TCP connection.

A thread reads, so that a message that waits in the stream never blocks the event loop, and so that a server whose
parent has died can end although its standard input is still open.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from rules_lsp.source.records import dataclass

MAX_HEADER_BYTES = 64 * 1024
MAX_BODY_BYTES = 256 * 1024 * 1024
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Connection:
    """Where messages come from and go to. `read` gives some bytes, none at the end; `write` sends all."""

    read: Callable[[], bytes]
    write: Callable[[bytes], None]


def bodies(read: Callable[[], bytes]) -> Iterator[bytes]:
    """The bodies of the messages in a stream; ends with the stream, or where it cannot be a stream of messages."""
    buffer = bytearray()
    while True:
        found = _HEADER_END.search(buffer)
        if found is None:
            if len(buffer) > MAX_HEADER_BYTES:
                logger.error("the input is no stream of messages: no header ends within %d bytes", MAX_HEADER_BYTES)
                return
            chunk = _chunk(read)
            if not chunk:
                return
            buffer += chunk
            continue
        length = _LENGTH.search(bytes(buffer[: found.start()]).replace(b"\r\n", b"\n"))
        del buffer[: found.end()]
        if length is None:
            logger.error("a message without a `Content-Length` header was passed over")
            continue
        size = int(length[1])
        if size > MAX_BODY_BYTES:
            logger.error("a message of %d bytes is too large", size)
            return
        while len(buffer) < size:
            chunk = _chunk(read)
            if not chunk:
                return
            buffer += chunk
        yield bytes(buffer[:size])
        del buffer[:size]


def _chunk(read: Callable[[], bytes]) -> bytes:
    try:
        return read()
    except OSError:
        return b""


def standard_streams() -> Connection:
    """The process's own streams. From here on, what anything else prints goes to standard error."""
    # Unbuffered and separate from `sys.stdin`: the interpreter can exit while the reading thread still waits in it.
    source = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    target = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return Connection(lambda: source.read(65536) or b"", _writer(target))


def first_client(host: str, port: int, listening: Callable[[str, int], None]) -> Connection:
    """Wait for one client at an address. `listening` is told the address, with the port that was chosen for port 0.

    Raises OSError where the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as server:
        listening(*server.getsockname()[:2])
        client, _ = server.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(lambda: client.recv(65536), client.sendall)


def _writer(target: BinaryIO) -> Callable[[bytes], None]:
    def write(data: bytes) -> None:
        target.write(data)
        target.flush()

    return write
