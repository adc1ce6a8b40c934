"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import tempfile
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

_ENDING_SIGNALS = ("SIGTERM", "SIGHUP")


class ChangedMeanwhile(Exception):
    """The file no longer holds what the new content was made from."""


def replace_content(path: str, before: bytes, after: bytes) -> None:
    """Replace the content of a file that holds `before`; a link is followed and stays a link, the mode is kept.

    At every moment the file holds the one content or the other, whatever ends the program. Raises OSError where that
    cannot be done and `ChangedMeanwhile` where the file holds something else by now; either way it is as it was.
    """
    target = os.path.realpath(path)
    directory, name = os.path.split(target)
    with ended_in_order():
        status = os.stat(target)
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{name.lstrip('.')[:100]}.", suffix=".tmp", dir=directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                _like(descriptor, status)
                file.write(after)
                file.flush()
                os.fsync(descriptor)
            with open(target, "rb") as file:
                if file.read(len(before) + 1) != before:
                    raise ChangedMeanwhile(path)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def rename_file(path: str, new_path: str) -> None:
    """Give a file another name, in another case too. Raises OSError, also where the new name is taken."""
    if os.path.lexists(new_path) and not os.path.samestat(os.lstat(path), os.lstat(new_path)):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_path)
    os.makedirs(os.path.dirname(new_path), exist_ok=True)
    os.rename(path, new_path)


def create(path: str, content: bytes) -> None:
    """Create a file that must not exist, not even as a link. Raises OSError; then nothing is left behind."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise


def create_whole(path: str, content: bytes, mode: int = 0o666) -> None:
    """Create a file that appears with all of its content; a link that leads nowhere is followed.

    Raises OSError, also where there is such a file by now; then nothing is left behind.
    """
    target = os.path.realpath(path)
    directory, name = os.path.split(target)
    with ended_in_order():
        descriptor, temporary = tempfile.mkstemp(prefix=f".{name.lstrip('.')[:100]}.", suffix=".tmp", dir=directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                if hasattr(os, "fchmod"):
                    os.fchmod(descriptor, mode & ~_mask())
                file.write(content)
                file.flush()
                os.fsync(descriptor)
            rename_file(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def remove_content(path: str, before: bytes) -> None:
    """Remove a file that holds `before`; a link to it stays. Raises OSError and `ChangedMeanwhile`."""
    target = os.path.realpath(path)
    with open(target, "rb") as file:
        if file.read(len(before) + 1) != before:
            raise ChangedMeanwhile(path)
    os.unlink(target)


def make_executable(path: str) -> None:
    """Let those run a file who may read it. Raises OSError."""
    mode = stat.S_IMODE(os.stat(path).st_mode)
    os.chmod(path, mode | (mode & 0o444) >> 2)


def _mask() -> int:
    """The user's mask for new files, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _like(descriptor: int, status: os.stat_result) -> None:
    """The mode of the old file, and its owner where that is allowed."""
    if hasattr(os, "fchown"):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Signals that end the program unwind it, so that no temporary file is left behind."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in _ENDING_SIGNALS if hasattr(signal, name)]
    before: dict[int, object] = {}
    try:
        # Only the main thread may set handlers; elsewhere the signals keep their meaning.
        with contextlib.suppress(ValueError):
            for number in numbers:
                if signal.getsignal(number) is signal.SIG_DFL:
                    before[number] = signal.signal(number, end)
        yield
    finally:
        for number in before:
            signal.signal(number, signal.SIG_DFL)
