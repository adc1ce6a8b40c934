"""Noticing that the editor has died without a word."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

POLL_SECONDS = 5.0

logger = logging.getLogger(__name__)


def watch_process(process_id: int, loop: asyncio.AbstractEventLoop, on_end: Callable[[], None]) -> None:
    """Call `on_end` in the loop once a process has ended.

    A process that does not exist is not watched: the editor may run in a container of its own, where its number says
    nothing here. Where the system can only be asked again and again, it is asked every `POLL_SECONDS`. On Windows
    the end of standard input has to do.
    """
    if os.name == "nt" or process_id <= 0:
        return
    if not _exists(process_id):
        logger.info("the client's process %d cannot be seen from here", process_id)
        return
    if hasattr(os, "pidfd_open"):
        try:
            descriptor = os.pidfd_open(process_id)
        except OSError:
            pass
        else:
            loop.add_reader(descriptor, _ended, loop, descriptor, on_end)
            return
    _poll(process_id, loop, on_end)


def _ended(loop: asyncio.AbstractEventLoop, descriptor: int, on_end: Callable[[], None]) -> None:
    loop.remove_reader(descriptor)
    os.close(descriptor)
    on_end()


def _poll(process_id: int, loop: asyncio.AbstractEventLoop, on_end: Callable[[], None]) -> None:
    if _exists(process_id):
        loop.call_later(POLL_SECONDS, _poll, process_id, loop, on_end)
    else:
        on_end()


def _exists(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
