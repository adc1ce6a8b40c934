"""From one expanded pattern to its alternatives: git's reading of one line, in characters.

Two rules of git's are easy to miss. The literal text in front of the first wildcard is compared first and cut off, so
that a `**` glued to it stands "between slashes" for git: `b**/a` is `b*/**/a` or `ba`. And `**` before an escaped
slash takes at least one directory.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules_lsp.policy.glob.classes import read_class
from rules_lsp.policy.glob.nodes import (
    Alternative,
    AnyCharacter,
    AnyDirectories,
    GlobError,
    Literal,
    Name,
    Segment,
    Star,
    Token,
)
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass, field

_PLAIN = expression(r"[^\\*?\[/]+")
_STARS = expression(r"\*+")
_DOUBLE_STARS = expression(r"(?:\*\*+/)+")
_SPECIAL = expression(r"[\\*?\[]")


@dataclass(frozen=True, slots=True)
class Line:
    """An expanded pattern and the place of each of its code points.

    `starts` and `ends` are None where the line is the pattern's text itself from its first code point on.
    """

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def start(self, index: int) -> int:
        """The offset in the pattern's text of the code point at `index`, or of the end of the line."""
        if self.starts is None:
            return index
        return self.starts[index] if index < len(self.text) else self.end(index)

    def end(self, index: int) -> int:
        """The offset in the pattern's text behind the code point before `index`."""
        if self.ends is None:
            return index
        return self.ends[index - 1] if index else self.start(0) if self.text else 0

    def without(self, start: int, end: int) -> Line:
        """The line with a part cut out."""
        places = range(len(self.text))
        starts = [self.start(index) for index in places]
        ends = [self.end(index + 1) for index in places]
        return Line(self.text[:start] + self.text[end:], starts[:start] + starts[end:], ends[:start] + ends[end:])


@dataclass(slots=True)
class _Reading:
    """The state of reading one form; `glue` is where a `**` counts as standing behind a slash although it does not."""

    line: Line
    end: int
    anchored: bool
    glue: int
    segments: list[Segment] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    segment_start: int = 0
    shorter: Line | None = None


def read_line(line: Line) -> list[Alternative] | GlobError:
    """The alternatives of a line whose trailing spaces are gone: none if it can match nothing (empty, or `/`)."""
    text = line.text
    start = 1 if text.startswith("./") else 0
    directory_only = text.endswith("/")
    end = len(text) - 1 if directory_only else len(text)
    if start >= end:
        return []
    anchored = "/" in text[start:end]
    if text[start] == "/":
        start += 1
    special = _SPECIAL.search(text, start, end)
    found: list[Alternative] = []
    following: Line | None = line
    while following is not None:
        cut = len(text) - len(following.text)
        reading = _Reading(following, end - cut, anchored, special.start() if special else -1)
        error = _read(reading, start)
        if error is not None:
            return error
        if not anchored:
            place = following.start(start)
            reading.segments.insert(0, AnyDirectories(0, place, place))
        found.append(Alternative(following.text, tuple(reading.segments), anchored, directory_only))
        following = reading.shorter
    return found


def _read(reading: _Reading, index: int) -> GlobError | None:
    line, text, end = reading.line, reading.line.text, reading.end
    reading.segment_start = index
    while index < end:
        character = text[index]
        if character == "/":
            _close(reading, index)
            index += 1
            reading.segment_start = index
        elif character == "*":
            index = _read_stars(reading, index)
        elif character == "?":
            reading.tokens.append(AnyCharacter(line.start(index), line.end(index + 1)))
            index += 1
        elif character == "[":
            found = read_class(line, index, end)
            if isinstance(found, GlobError):
                return found
            token, index = found
            reading.tokens.append(token)
        elif character == "\\":
            if index + 1 >= end:
                return GlobError(
                    "ends in a lone backslash", line.start(index), line.end(index + 1), "trailing-backslash"
                )
            if text[index + 1] == "/":
                _close(reading, index)
                reading.segment_start = index + 2
            else:
                reading.tokens.append(Literal(text[index + 1], line.start(index), line.end(index + 2)))
            index += 2
        else:
            plain = _PLAIN.match(text, index, end)
            assert plain is not None
            _add_literals(reading, index, plain.end())
            index = plain.end()
    if reading.tokens or not reading.segments or text[end - 1] == "/":
        _close(reading, end)
    return None


def _read_stars(reading: _Reading, index: int) -> int:
    """Reads the stars at `index`; returns where reading goes on."""
    line, text, end = reading.line, reading.line.text, reading.end
    stars = _STARS.match(text, index, end)
    assert stars is not None
    after = stars.end()
    start, stop = line.start(index), line.end(after)
    last, slash = after >= end, text.startswith("/", after) and after < end
    escaped_slash = text.startswith("\\/", after) and after + 1 < end
    between = reading.anchored and after - index > 1 and (last or slash or escaped_slash)
    if not between or (reading.tokens and index != reading.glue):
        reading.tokens.append(Star(start, stop))
        return after
    if reading.tokens:
        glued = _DOUBLE_STARS.match(text, index, end)
        if glued is not None:
            # With all of them cut off at once: what lies between is among what the longest form matches.
            reading.shorter = line.without(index, glued.end())
        reading.tokens.append(Star(start, stop))
        _close(reading, after)
        minimum = 0
    else:
        minimum = 1 if last or escaped_slash else 0
    reading.segments.append(AnyDirectories(minimum, start, stop))
    after += 1 if slash else 2 if escaped_slash else 0
    reading.segment_start = after
    return after


def _close(reading: _Reading, index: int) -> None:
    line, start = reading.line, reading.segment_start
    place = line.start(start)
    reading.segments.append(Name(tuple(reading.tokens), place, line.end(index) if index > start else place))
    reading.tokens = []


def _add_literals(reading: _Reading, index: int, end: int) -> None:
    line = reading.line
    if line.starts is None or line.ends is None:
        reading.tokens.append(Literal(line.text[index:end], index, end))
        return
    begin = index
    for at in range(index + 1, end + 1):
        same = at < end and (line.starts[at], line.ends[at]) == (line.starts[at - 1], line.ends[at - 1])
        wide = at < end and (line.ends[at] - line.starts[at] > 1 or line.ends[at - 1] - line.starts[at - 1] > 1)
        if at == end or not (same or (line.starts[at] == line.ends[at - 1] and not wide)):
            reading.tokens.append(Literal(line.text[begin:at], line.starts[begin], line.ends[at - 1]))
            begin = at
