"""A list of files: a path a line, as programs write it on any system."""

from __future__ import annotations

import codecs

from rules_lsp.source.records import dataclass

COMMENT = "#"
# The longer mark first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class ListedPath:
    """A path of a list, and its line, base 1."""

    path: str
    line: int


def read_list(data: bytes) -> tuple[list[ListedPath], str | None]:
    """The paths of a list, and why it cannot be read.

    Lines end at LF, CRLF, CR or a null character; white space around a path does not count. A line that begins with
    `#` is a comment, any other `#` belongs to the path. A byte order mark says the encoding, else it is UTF-8.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        return [], f"it is not {encoding.upper()} (byte {len(mark) + error.start})"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\n").split("\n")
    stripped = ((line.strip(), number) for number, line in enumerate(lines, 1))
    return [ListedPath(line, number) for line, number in stripped if line and not line.startswith(COMMENT)], None
