"""How far a long scan is, on a terminal's standard error, and nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

PATIENCE = 1.0
"""Seconds after which a scan is long."""
INTERVAL = 0.1
_BAR = 24
_STEP = 3


class ProgressBar:
    """A line that says how many things have been looked at; used in a `with`, at whose end it is gone.

    It appears after `PATIENCE` seconds, and only where the stream is a terminal. Without a known `total` a mark goes
    to and fro.
    """

    def __init__(
        self,
        label: str,
        total: int | None = None,
        *,
        stream: TextIO | None = None,
        shown: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label = label
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self.on = shown and self._stream.isatty()
        self._clock = clock
        self._next = clock() + PATIENCE
        self._drawn = 0
        self._width = 0

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def __call__(self, count: int) -> bool:
        """Tell how many there are so far; the answer is True: go on."""
        if self.on:
            now = self._clock()
            if now >= self._next:
                self._next = now + INTERVAL
                self._draw(count)
        return True

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0

    def _draw(self, count: int) -> None:
        line = f"{self._bar(count)} {self._label}: {count:,}{f' of {self._total:,}' if self._total else ''}"
        self._stream.write(f"\r{line.ljust(self._width)}")
        self._stream.flush()
        self._width = max(self._width, len(line))
        self._drawn += 1

    def _bar(self, count: int) -> str:
        if self._total:
            done = min(_BAR, _BAR * count // self._total)
            return f"[{'#' * done}{'.' * (_BAR - done)}]"
        free = _BAR - _STEP
        at = self._drawn % (2 * free)
        at = at if at <= free else 2 * free - at
        return f"[{'.' * at}{'#' * _STEP}{'.' * (free - at)}]"
