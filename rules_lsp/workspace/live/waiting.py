"""Waiting with an end: until a message is there, a deadline passes, or somebody no longer wants it."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any, Protocol

_LOOK_SECONDS = 0.1
"""How soon a cancellation is noticed."""

Message = dict[str, Any]


class Unanswered(Exception):
    """A server does not tell its tools; the text says why, in the words of this program and of nobody else."""


class Cancelled(Exception):
    """The one who asked no longer wants the answer."""


class Channel(Protocol):
    """The way to a server. Each message of it is put into a queue; None says that no more will come."""

    messages: queue.SimpleQueue[Message | None]
    secrets: tuple[str, ...]
    """What must not be shown though the server may tell it."""

    def send(self, message: Message) -> None:
        """Send a message. Never waits for long and never raises: what does not arrive is not answered."""

    def end(self) -> str:
        """Why no more messages come, in words."""

    def close(self) -> None:
        """Leave nothing behind. May be called at any time."""


class Deadline:
    """A point in time after which nothing is waited for. `cancelled` may be asked at any moment."""

    def __init__(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds
        self._cancelled = cancelled

    def next(self, channel: Channel) -> Message:
        """The next message of a channel. Raises `Unanswered` or `Cancelled`."""
        while True:
            if self._cancelled():
                raise Cancelled
            left = self._ends - time.monotonic()
            if left <= 0:
                raise Unanswered(f"no answer within {self._seconds:g} seconds")
            try:
                message = channel.messages.get(timeout=min(left, _LOOK_SECONDS))
            except queue.Empty:
                continue
            if message is None:
                raise Unanswered(channel.end())
            return message
