"""Reading a file that may be anything: a directory, a pipe, a link out of the project, too large, or not text."""

from __future__ import annotations

import errno
import os
import stat

from rules_lsp.source.records import dataclass

MAX_BYTES = 1024 * 1024
_CHUNK = 65536
_CAUSES = {errno.EACCES: "permission denied", errno.EISDIR: "it is a directory", errno.ELOOP: "a loop of links"}


@dataclass(frozen=True, slots=True)
class FileContent:
    """What stands at a path. `exists` is also true of what cannot be read; then `problem` says why.

    `data` holds the bytes, or as many of them as were read before a problem appeared.
    """

    exists: bool
    data: bytes = b""
    problem: str | None = None

    def text(self) -> tuple[str, str | None]:
        """The content without a byte order mark, and why it is no text, if it is none."""
        if self.problem is not None:
            return "", self.problem
        try:
            return self.data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"), None
        except UnicodeDecodeError as error:
            return "", f"it is not UTF-8 (byte {error.start}): save it as UTF-8"


ABSENT = FileContent(False)


def read_file(path: str, within: str | None = None) -> FileContent:
    """Read a regular file of at most `MAX_BYTES`; never blocks on a pipe, never raises.

    Where `within` is given, a file whose real path lies outside that real directory is a problem; its bytes are told
    all the same, so that a configuration there can be known for one.
    """
    try:
        os.lstat(path)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
            return ABSENT
        return FileContent(True, problem=_cause(error))
    except ValueError:
        return ABSENT
    try:
        outside = within is not None and _leads_out(path, within)
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        # The descriptor is closed here in every case: `fdopen` leaves that of a directory open when it refuses it.
        try:
            found = os.fstat(descriptor)
            if stat.S_ISDIR(found.st_mode):
                return FileContent(True, problem=_CAUSES[errno.EISDIR])
            if not stat.S_ISREG(found.st_mode):
                return FileContent(True, problem="it is no regular file")
            data = _read(descriptor, found.st_size)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return FileContent(True, problem="it is a link to a file that does not exist")
        return FileContent(True, problem=_cause(error))
    if outside:
        return FileContent(True, data, "it is a link to a file outside the project")
    if len(data) > MAX_BYTES:
        return FileContent(True, data, "it is larger than 1 MiB")
    return FileContent(True, data)


def _read(descriptor: int, size: int) -> bytes:
    """What a file holds, but for what lies beyond the first byte too many; `size` is what it was said to hold."""
    parts: list[bytes] = []
    left, wanted = MAX_BYTES + 1, size + 1
    while left > 0 and (part := os.read(descriptor, min(left, wanted))):
        parts.append(part)
        left -= len(part)
        wanted = _CHUNK
    return b"".join(parts)


def _leads_out(path: str, within: str) -> bool:
    """Whether the real path of a file that exists lies outside of a real directory."""
    top = within.rstrip(os.sep) + os.sep
    # The junctions of Windows lead elsewhere and are no links.
    if os.name != "nt" and path.startswith(top) and not os.path.islink(path):
        parts = path[len(top) :].split(os.sep)
        above = (top + os.sep.join(parts[:count]) for count in range(1, len(parts)))
        # Where nothing below the directory is a link or a step up, the path is real.
        if os.pardir not in parts and not any(map(os.path.islink, above)):
            return False
    return not is_below(os.path.realpath(path, strict=True), within)


def is_below(path: str, directory: str) -> bool:
    """Whether a normalised path is a directory or lies below it, compared by component."""
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def _cause(error: OSError) -> str:
    return _CAUSES.get(error.errno or 0, (error.strerror or "unknown cause").lower())
