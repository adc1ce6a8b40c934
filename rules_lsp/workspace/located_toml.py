"""TOML, and the places of the tables and keys of its two upper levels."""

from __future__ import annotations

import re
import tomllib

from rules_lsp.source.text import Span, Text
from rules_lsp.workspace.located import LocatedDocument, Path, Places, broken, character_at, too_large

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
_PART = r""""(?:[^"\\]|\\.)*+"|'[^']*+'|[\w-]++"""
_PARTS = re.compile(_PART)
_LINE = re.compile(rf"[ \t]*(?P<header>\[\[?)?(?P<key>(?:[ \t.]|{_PART})++)(?P<value>=)?")
# The parser's time grows with the square of a key's parts, and a file must not keep an answer waiting.
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""")
_PLACED_LEVELS = 2


def read_toml(text: str) -> LocatedDocument:
    """Parse TOML; never raises."""
    long_key = _LONG_KEY.search(text)
    if long_key is not None:
        return broken(text, "a key or a name here has more than 32 parts", Span(long_key.start(), long_key.end()))
    try:
        return LocatedDocument(text, tomllib.loads(text), places=lambda: _places(text))
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        cause = _PLACE.sub("", message)
        return broken(text, f"{cause[:1].lower()}{cause[1:]}", _span(text, place))
    except (ValueError, RecursionError):
        return too_large(text)


def _span(text: str, place: re.Match[str] | None) -> Span:
    if place is None or place[1] is None:
        return character_at(text, len(text))
    start = 0
    for _ in range(int(place[1]) - 1):
        start = text.find("\n", start) + 1
    return character_at(text, min(start + int(place[2]) - 1, len(text)))


def _places(text: str) -> Places:
    # A line inside a text of many lines may look like a header; a place is then wrong, never a value.
    places: Places = {}
    lines = Text(text)
    table: Path = ()
    for number in range(lines.line_count):
        line = lines.line_span(number)
        match = _LINE.match(text, line.start, line.end)
        if match is None or not (match["header"] or match["value"]):
            continue
        path: Path = () if match["header"] else table
        for part in _PARTS.finditer(text, match.start("key"), match.end("key")):
            if len(path) == _PLACED_LEVELS:
                break
            quote = part[0][0] in "\"'"
            path = (*path, _decoded(part[0]))
            places.setdefault(path, Span(part.start() + quote, part.end() - quote))
        if match["header"]:
            table = path
    return places


def _decoded(part: str) -> str:
    if part[0] not in "\"'":
        return part
    try:
        return str(tomllib.loads(f"x = {part}")["x"])
    except ValueError:
        return part[1:-1]
