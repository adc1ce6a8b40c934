"""A file as text: its bytes, their encoding and byte order mark, and what it is on the disk."""

from __future__ import annotations

import codecs
import errno
import os
import stat

from rules_lsp.source.records import dataclass

MAX_BYTES = 64 * 1024 * 1024
_MARKS = (
    # The mark of UTF-32 begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, None),
    (codecs.BOM_UTF32_BE, None),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class EncodedFile:
    """A file that was read. `content` lacks the byte order mark `mark`; `status` is None for an open buffer."""

    data: bytes
    content: str
    mark: bytes = b""
    encoding: str = "utf-8"
    status: os.stat_result | None = None

    def encoded(self, content: str) -> bytes:
        """Another content as this file would store it."""
        return self.mark + content.encode(self.encoding)


def read_encoded(path: str) -> EncodedFile | str | None:
    """The file at a real path, or why it cannot be edited; None where there is none. Raises nothing."""
    try:
        found = _read(path)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return None
        return f"it cannot be read ({(error.strerror or 'unknown cause').lower()})"
    if isinstance(found, str):
        return found
    data, status = found
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    if encoding is None:
        return "it is UTF-32, and only UTF-8 and UTF-16 are edited"
    try:
        content = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        return f"it is no {encoding[:6].rstrip('-').upper()}"
    return EncodedFile(data, content, mark, encoding, status)


def _read(path: str) -> tuple[bytes, os.stat_result] | str:
    # A pipe must not be waited for, and what stands at a real path is no link.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return "it is a directory" if stat.S_ISDIR(status.st_mode) else "it is no ordinary file"
        data = b""
        if status.st_size <= MAX_BYTES:
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)
    if max(status.st_size, len(data)) > MAX_BYTES:
        return f"it is larger than {MAX_BYTES // 1024 // 1024} MiB"
    return (data, status) if os.access(path, os.W_OK) else "it is write-protected"
