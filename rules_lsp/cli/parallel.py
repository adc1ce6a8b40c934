"""Work spread over the processors where there is so much of it that starting processes pays."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_PROCESSES = 16
_CHUNKS_PER_PROCESS = 8


def mapped(function: Callable[[Item], Result], items: Sequence[Item], *, spread: bool) -> Iterator[Result]:
    """The results of a function of a module for picklable items, in their order; in this process unless `spread`."""
    processes = min(len(items), _processors(), MOST_PROCESSES)
    if not spread or processes < 2:
        yield from map(function, items)
        return
    # Importing it costs as much as checking many a project.
    from concurrent.futures import ProcessPoolExecutor

    chunk = max(1, len(items) // (processes * _CHUNKS_PER_PROCESS))
    pool = ProcessPoolExecutor(processes, initializer=_leave_interrupts_to_the_parent)
    try:
        yield from pool.map(function, items, chunksize=chunk)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
