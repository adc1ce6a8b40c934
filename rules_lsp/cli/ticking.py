"""A progress bar for work that takes long between two things that can be told."""

from __future__ import annotations

import threading
from types import TracebackType

from rules_lsp.cli.progress import INTERVAL, ProgressBar


class TickingBar(ProgressBar):
    """Its mark moves while nothing is told, so that a terminal is never silent for long.

    A thread moves it: no process may be forked meanwhile.
    """

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self._count = 0
        self._drawing = threading.Lock()
        self._over = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> TickingBar:
        if self.on:
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._ticker.ident is not None:
            self._ticker.join()
        super().__exit__(kind, error, trace)

    def __call__(self, count: int) -> bool:
        """Tell how many there are so far; the answer is True: go on."""
        self._count = count
        with self._drawing:
            return super().__call__(count)

    def _tick(self) -> None:
        while not self._over.wait(INTERVAL):
            self(self._count)
