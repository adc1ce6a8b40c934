"""One thread for what would hold up the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from rules_lsp.source.records import dataclass

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Worker:
    """Runs pieces of work one after another, in the order in which they were given; all methods are the loop's.

    What is cancelled before its turn is not begun. The thread ends with the process and never keeps it from ending.
    """

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._waiting = threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[], Result]) -> asyncio.Future[Result]:
        """The result of a piece of work, once it is done."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._jobs.append(_Job(work, future, loop))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="rules-lsp-worker", daemon=True)
            self._thread.start()
        self._waiting.release()
        return future

    def _run(self) -> None:
        while True:
            self._waiting.acquire()
            job = self._jobs.popleft()
            if job.future.cancelled():
                continue
            result, error = None, None
            try:
                result = job.work()
            except Exception as raised:
                error = raised
            try:
                job.loop.call_soon_threadsafe(_settle, job.future, result, error)
            except RuntimeError:
                # The loop is closed: the server has ended.
                return


def _settle(future: asyncio.Future[Any], result: object, error: Exception | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
