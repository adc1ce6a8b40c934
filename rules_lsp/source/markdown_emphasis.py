"""Emphasis and strikethrough: which delimiters of a block's inline content pair up (CommonMark, GFM)."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from rules_lsp.source.records import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class RunPart(NamedTuple):
    """A part of a delimiter run: it closes or opens emphasis, or is text."""

    role: Literal["close", "text", "open"]
    start: int
    length: int


@dataclass(slots=True)
class DelimiterRun:
    """A run of `*`, `_` or `~`, and what pairing has used of it.

    Closers are taken from its left end, openers from its right end; `count` characters are not used.
    """

    char: str
    start: int
    length: int
    can_open: bool
    can_close: bool
    count: int
    closes: list[int] = field(default_factory=list)
    opens: list[int] = field(default_factory=list)

    def parts(self) -> list[RunPart]:
        """The run's parts, from left to right."""
        parts: list[RunPart] = []
        at = self.start
        for role, lengths in (("close", self.closes), ("text", [self.count]), ("open", reversed(self.opens))):
            for length in lengths:
                if length:
                    parts.append(RunPart(role, at, length))  # type: ignore[arg-type]
                    at += length
        return parts


def delimiter_run(content: str, start: int, end: int) -> DelimiterRun | None:
    """The run at a slice of the content, or None where it can neither open nor close."""
    char, length = content[start], end - start
    before, after = content[start - 1] if start else " ", content[end] if end < len(content) else " "
    space_before, space_after = before.isspace(), after.isspace()
    mark_before, mark_after = _is_punctuation(before), _is_punctuation(after)
    left = not space_after and (not mark_after or space_before or mark_before)
    right = not space_before and (not mark_before or space_after or mark_after)
    if char == "~" and length > 2:
        return None
    if char == "_":
        can_open, can_close = left and (not right or mark_before), right and (not left or mark_after)
    else:
        can_open, can_close = left, right
    if not can_open and not can_close:
        return None
    return DelimiterRun(char, start, length, can_open, can_close, length)


def match_delimiters(runs: list[DelimiterRun], bottom: int = 0) -> None:
    """Pair the runs from index `bottom` on; each keeps what became of it.

    `floors` remembers below which run a kind of closer found no opener, which keeps the search linear.
    """
    openers: list[int] = []
    floors: dict[tuple[str, bool, int], int] = {}
    for index in range(bottom, len(runs)):
        closer = runs[index]
        while closer.can_close and closer.count:
            kind = (closer.char, closer.can_open, closer.length % 3)
            depth = len(openers) - 1
            floor = floors.get(kind, -1)
            while depth >= 0 and openers[depth] > floor and not _pairs(runs[openers[depth]], closer):
                depth -= 1
            if depth < 0 or openers[depth] <= floor:
                floors[kind] = index - 1
                break
            del openers[depth + 1 :]
            opener = runs[openers[depth]]
            used = min(2, opener.count, closer.count)
            opener.opens.append(used)
            closer.closes.append(used)
            opener.count -= used
            closer.count -= used
            if not opener.count:
                openers.pop()
        if closer.can_open and closer.count:
            openers.append(index)


def _pairs(opener: DelimiterRun, closer: DelimiterRun) -> bool:
    if opener.char != closer.char:
        return False
    if closer.char == "~":
        return opener.count == closer.count
    if not (opener.can_close or closer.can_open) or (opener.length + closer.length) % 3:
        return True
    return opener.length % 3 == 0 and closer.length % 3 == 0


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
