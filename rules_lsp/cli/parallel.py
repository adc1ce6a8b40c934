"""Work spread over the processors where there is so much of it that starting processes pays."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_PROCESSES = 16


def mapped(function: Callable[[Item], Result], items: Sequence[Item], *, spread: bool) -> Iterator[Result]:
    """The results of a function of a module for picklable items, in their order; in this process unless `spread`.

    Process number k of n works on the items k, k+n, k+2n, … and sends its results in this order. Where one ends before
    its time, this process does the rest of its work.
    """
    number = min(len(items), _processors(), MOST_PROCESSES)
    if not spread or number < 2:
        yield from map(function, items)
        return
    # Importing it costs as much as checking some projects.
    from multiprocessing import get_context

    context = get_context()
    workers: list[tuple[BaseProcess, Connection]] = []
    try:
        with _interrupts_held():
            for index in range(number):
                receiver, sender = context.Pipe(duplex=False)
                started = context.Process(target=_work, args=(sender, function, items[index::number]), daemon=True)
                started.start()
                workers.append((started, receiver))
                # The worker holds the only copy then, also where later ones inherit what is open here.
                sender.close()
        for index, item in enumerate(items):
            try:
                result = workers[index % number][1].recv()
            except (EOFError, OSError):
                result = function(item)
            yield result
    finally:
        for worker, receiver in workers:
            worker.terminate()
            worker.join()
            receiver.close()


def _work(sender: Connection, function: Callable[[Item], Result], items: Sequence[Item]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A parent that has gone reads no more.
    with contextlib.suppress(BrokenPipeError):
        for item in items:
            sender.send(function(item))
    sender.close()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """An interrupt waits until the end; a process that is started meanwhile never gets one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
