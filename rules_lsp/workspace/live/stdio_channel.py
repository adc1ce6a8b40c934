"""A server as a process of its own, over its standard streams, in a group of processes that ends with the question."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import IO

from rules_lsp.workspace.live.starting import CannotStart, Process
from rules_lsp.workspace.live.told_tools import one_line, without_secrets
from rules_lsp.workspace.live.waiting import Message

MAX_BYTES = 8 * 1024 * 1024
"""What a server may write in all: the longest known lists of tools are below one."""
ORDERLY_SECONDS = 1.0
"""How long a server may take to end by itself when its input ends, and again when it is asked to."""
_MAX_COMPLAINT = 200
_CHUNK = 65536


class StdioChannel:
    """The way to a server that is started here. Lines that are no messages are passed over."""

    def __init__(self, start: Process) -> None:
        """Start the process. Raises `CannotStart`."""
        self.messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.secrets = start.secrets
        self._complaints = b""
        self._too_much = False
        try:
            self._process = subprocess.Popen(
                start.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(start.environment),
                cwd=start.directory,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            cause = (error.strerror or "").lower() if isinstance(error, OSError) else "it is none"
            raise CannotStart(f"its command cannot be started: {cause}") from None
        self._readers = [
            threading.Thread(target=target, args=(stream,), name="rules-lsp-tools", daemon=True)
            for target, stream in ((self._read, self._process.stdout), (self._listen, self._process.stderr))
        ]
        for reader in self._readers:
            reader.start()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, name="rules-lsp-tools", daemon=True)
        self._writer.start()

    def send(self, message: Message) -> None:
        """Send a message; a server that does not read it has it for later."""
        self._outbox.put(json.dumps(message).encode("ascii") + b"\n")

    def end(self) -> str:
        """What is known of the end of the process."""
        if self._too_much:
            return f"it wrote more than {MAX_BYTES // 1024 // 1024} MiB"
        self._readers[1].join(ORDERLY_SECONDS)
        text = without_secrets(self._complaints.decode("utf-8", "replace"), self.secrets)
        last = next((line for line in reversed(text.splitlines()) if line.strip()), "")
        return "it ended without an answer" + (f": {one_line(last, _MAX_COMPLAINT)}" if last else "")

    def close(self) -> None:
        """End the process and whatever it has started: by the end of its input, else by signals to its group."""
        self._outbox.put(None)
        self._writer.join(ORDERLY_SECONDS)
        self._readers[0].join(0 if self._too_much else ORDERLY_SECONDS)
        # The process is not waited for before: as long as it is not, its number stands for its group and no other.
        for ending in ("SIGTERM", "SIGKILL"):
            if not self._signal(ending):
                break
            self._readers[0].join(ORDERLY_SECONDS if ending == "SIGTERM" else 0)
        self._process.kill()
        self._process.wait()
        # What a process outside of the group still holds is left to its reader, which ends with this program.
        for thread in (*self._readers, self._writer):
            thread.join(ORDERLY_SECONDS)

    def _signal(self, name: str) -> bool:
        """Send a signal to the group; whether there was one."""
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], capture_output=True, check=False)
            return False
        try:
            os.killpg(self._process.pid, getattr(signal, name))
        except OSError:
            return False
        return True

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        # A server that has ended no longer reads.
        with contextlib.suppress(OSError), stream:
            while (data := self._outbox.get()) is not None:
                stream.write(data)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        waiting, total = bytearray(), 0
        with stream:
            while chunk := _chunk(stream):
                total += len(chunk)
                if total > MAX_BYTES:
                    self._too_much = True
                    break
                waiting += chunk
                if b"\n" in chunk:
                    *lines, waiting = waiting.split(b"\n")
                    for line in lines:
                        self._take(line)
        self.messages.put(None)

    def _take(self, line: bytearray) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict):
            self.messages.put(message)

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := _chunk(stream):
                self._complaints = (self._complaints + chunk)[-4096:]


def _chunk(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), _CHUNK)
    except (OSError, ValueError):
        return b""
