"""Single steps on the disk. Each either happens whole or raises OSError, and what it made is in its directory."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat

_NO_LINKS = frozenset({errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def write_new(path: str, data: bytes, like: os.stat_result | None, like_path: str) -> None:
    """Write a file that must not exist, down to the disk.

    `like` gives it the mode of another file, and its owner and attributes where that is allowed; without it the mode is
    that of any new file.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666 if like is None else 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if like is not None:
            _like(descriptor, like, like_path)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def link_or_copy(path: str, to: str) -> None:
    """Give a file a second name that must not exist; where the volume knows no such names, a copy."""
    try:
        os.link(path, to, follow_symlinks=False)
    except (OSError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LINKS:
            raise
        with open(path, "rb") as file:
            data = file.read()
        write_new(to, data, os.stat(path), path)


def put_in_place(path: str, to: str) -> None:
    """Rename a file to a name that must not exist."""
    try:
        os.link(path, to, follow_symlinks=False)
    except (OSError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(to):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to) from None
        os.rename(path, to)
    else:
        os.unlink(path)


def remove(path: str) -> None:
    """Remove a file if there is one."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def sync_directory(path: str) -> None:
    """Bring the names of a directory down to the disk, where the system can; a directory that is gone has none."""
    if os.name == "nt":
        return
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def digest(data: bytes) -> str:
    """The fingerprint of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def digest_of(path: str) -> str | None:
    """The fingerprint of a file, None where there is none; of anything else something that no file has."""
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            return "other"
        with open(path, "rb") as file:
            return digest(file.read())
    except (FileNotFoundError, NotADirectoryError):
        return None


def _like(descriptor: int, status: os.stat_result, path: str) -> None:
    if hasattr(os, "fchown"):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, status.st_gid)
        with contextlib.suppress(OSError):
            os.fchown(descriptor, status.st_uid, -1)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(path):
                with contextlib.suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(path, name))
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, _mode(status, os.fstat(descriptor)))


def _mode(status: os.stat_result, made: os.stat_result) -> int:
    """The mode of a file for one that may have another owner or group: a foreign group may do what all others may."""
    mode = stat.S_IMODE(status.st_mode)
    if made.st_uid != status.st_uid:
        mode &= ~stat.S_ISUID
    if made.st_gid != status.st_gid:
        mode &= ~stat.S_ISGID & ~(stat.S_IRWXG & ~((mode & stat.S_IRWXO) << 3))
    return mode
