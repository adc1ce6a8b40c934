"""A document as an editor keeps it: its own text, its own count of positions, and edits that are sent as they are made.

Nothing here comes from the package: what the server makes of the same messages is compared with it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass
class Shadow:
    """One open document; `encoding` is `utf-8`, `utf-16` or `utf-32`, offsets are code points."""

    uri: str
    text: str
    encoding: str = "utf-16"
    version: int = 1

    def opening(self, language: str = "yaml") -> dict[str, Any]:
        """The parameters of `textDocument/didOpen`."""
        item = {"uri": self.uri, "languageId": language, "version": self.version, "text": self.text}
        return {"textDocument": item}

    @property
    def identity(self) -> dict[str, Any]:
        """What a request names the document by."""
        return {"textDocument": {"uri": self.uri}}

    def at(self, offset: int) -> dict[str, Any]:
        """The parameters of a request about an offset."""
        return {**self.identity, "position": self.position(offset)}

    def all_of_it(self) -> dict[str, Any]:
        """The range of the whole text."""
        return {"start": self.position(0), "end": self.position(len(self.text))}

    def changed(self, *changes: tuple[int, int, str] | str) -> dict[str, Any]:
        """Make edits one after another, each on the text that the one before left; the parameters of `didChange`.

        An edit is a start, an end and what replaces the part between, or a whole text.
        """
        sent: list[dict[str, Any]] = []
        for change in changes:
            if isinstance(change, str):
                sent.append({"text": change})
                self.text = change
            else:
                start, end, new = change
                sent.append({"range": {"start": self.position(start), "end": self.position(end)}, "text": new})
                self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        return {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": sent}

    def position(self, offset: int) -> dict[str, int]:
        """The position of an offset, which is none between the two characters of a line break."""
        starts = self._starts()
        line = bisect_right(starts, offset) - 1
        return {"line": line, "character": self._units(self.text[starts[line] : offset])}

    def offset(self, position: dict[str, int]) -> int:
        """The offset of a position that a server sent: it must be one of the text, and within no character."""
        start = self._starts()[position["line"]]
        units, offset = position["character"], start
        while units > 0:
            units -= self._units(self.text[offset])
            offset += 1
        assert units == 0, f"{position} is within a character"
        return offset

    def span(self, range_: dict[str, Any]) -> tuple[int, int]:
        """The offsets of a range that a server sent."""
        return self.offset(range_["start"]), self.offset(range_["end"])

    def between_breaks(self, offset: int) -> bool:
        """Whether an offset is within a line break, where no editor has a cursor."""
        return self.text[offset - 1 : offset + 1] == "\r\n" and offset > 0

    def _starts(self) -> list[int]:
        return _line_starts(self.text)

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32":
            return len(text)
        return len(text.encode("utf-8")) if self.encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


@lru_cache(maxsize=32)
def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _LINE_BREAK.finditer(text))]
