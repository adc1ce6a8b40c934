"""JSON with comments and trailing commas, and the places of its keys.

The standard library parses it after comments and trailing commas are blanked out, which moves no offset: errors then
have their exact place, escapes mean what hosts take them for, and what is no JSON is refused as hosts refuse it. (A
YAML parser knows places too, but takes bare words and single quotes, and refuses surrogate pairs.) The places come
from a walk over the tokens of a text that is known to parse.
"""

from __future__ import annotations

import json
import re

from rules_lsp.source.text import Span
from rules_lsp.workspace.located import MAX_PATH, VALUE, LocatedDocument, Path, Places, broken, character_at, too_large

# What is never closed is taken to its end: a match that fails would be tried again at each of its characters.
_STRING = r'"(?:[^"\\\r\n]|\\.)*+"?'
_COMMENT = re.compile(rf"{_STRING}|(?P<comment>//[^\r\n]*|/\*(?:[^*]|\*(?!/))*+(?P<end>\*/)?)")
_TRAILING_COMMA = re.compile(rf"{_STRING}|(?P<comma>,)(?=[ \t\r\n]*[}}\]])")
_TOKEN = re.compile(rf"{_STRING}|[{{}}\[\]:,]")
_VISIBLE = re.compile(r"[^\r\n]")

_CAUSES = (
    ("Expecting property name", "a key in double quotes must stand here"),
    ("Expecting ':'", "a colon is missing here"),
    ("Expecting ','", "a comma or a closing bracket is missing here"),
    ("Expecting value", "a value is missing here, or is none that JSON knows"),
    ("Extra data", "the document has already ended here"),
    ("Unterminated string", "this quote is never closed"),
    ("Invalid control character", "a line break or a control character may not stand in a text"),
    ("Invalid", "this escape stands for no character"),
)


def read_json(text: str) -> LocatedDocument:
    """Parse JSON as hosts' configuration files have it; never raises. A text without content has the value None."""
    try:
        return LocatedDocument(text, json.loads(text), places=lambda: _places(text))
    except json.JSONDecodeError:
        pass
    except (ValueError, RecursionError):
        return too_large(text)
    plain, unclosed = _without_comments(text)
    if unclosed is not None:
        return broken(text, "this comment is never closed: add `*/`", unclosed)
    if not plain.strip():
        return LocatedDocument(text)
    plain = _TRAILING_COMMA.sub(lambda match: match[0] if match["comma"] is None else " ", plain)
    try:
        return LocatedDocument(text, json.loads(plain), places=lambda: _places(plain))
    except json.JSONDecodeError as error:
        cause = next((words for start, words in _CAUSES if error.msg.startswith(start)), "it does not parse here")
        return broken(text, cause, character_at(plain, error.pos))
    except (ValueError, RecursionError):
        return too_large(text)


def without_comments(text: str) -> str:
    """The text with blanks in place of its comments: every other character stands where it stood."""
    return _without_comments(text)[0]


def _without_comments(text: str) -> tuple[str, Span | None]:
    """The text with blanks in place of comments, and where a comment begins that has no end."""
    unclosed: list[Span] = []

    def blank(match: re.Match[str]) -> str:
        comment = match["comment"]
        if comment is None:
            return match[0]
        if comment.startswith("/*") and match["end"] is None:
            unclosed.append(Span(match.start(), match.start() + 2))
        return _VISIBLE.sub(" ", comment)

    return _COMMENT.sub(blank, text), next(iter(unclosed), None)


def _places(text: str) -> Places:
    places: Places = {}
    path: list[str | int] = []
    string = Span(0, 0)
    is_value = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token[0] == '"':
            string = Span(match.start() + 1, match.end() - 1)
            if (is_value or (path and isinstance(path[-1], int))) and len(path) < MAX_PATH:
                places[(*path, VALUE)] = string
            continue
        is_value = token == ":"
        if token == ":":
            path[-1] = str(json.loads(f'"{text[string.start : string.end]}"'))
            if len(path) <= MAX_PATH:
                key: Path = tuple(path)
                places[key] = string
        elif token in "{[":
            path.append("" if token == "{" else 0)
        elif token in "}]":
            path.pop()
        elif isinstance(last := path[-1], int):
            path[-1] = last + 1
    return places
