"""One apply or recovery of a project at a time. The system lets go of the lock when its process ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rules_lsp.prompt.edits.places import LOCK

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def exclusive(directory: str) -> Iterator[bool]:
    """Hold the lock of a journal's directory, which is made; gives False where another process holds it.

    Raises OSError where the directory cannot be made.
    """
    os.makedirs(directory, mode=0o700, exist_ok=True)
    descriptor = os.open(os.path.join(directory, LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(descriptor)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)
