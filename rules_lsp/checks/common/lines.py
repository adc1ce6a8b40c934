"""Lines of a text, for fixes that add, move or cut whole ones."""

from __future__ import annotations

import re

from rules_lsp.source.text import Span, Text

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def line_at(text: Text, offset: int) -> Span:
    """The line that holds an offset, without its line break."""
    return text.line_span(text.line_of(offset))


def indentation(text: Text, offset: int) -> int:
    """The number of spaces in front of the first character of the line that holds an offset."""
    line = text.slice(line_at(text, offset))
    return len(line) - len(line.lstrip(" "))


def whole_lines(text: Text, span: Span) -> Span:
    """The lines that a span touches, their line breaks included."""
    start = line_at(text, span.start).start
    last = text.line_of(max(span.start, span.end - 1))
    following = text.line_span(last + 1).start if last + 1 < text.line_count else len(text.content)
    return Span(start, following)


def line_break_of(text: Text) -> str:
    """The line break that the text uses, LF where it has none."""
    found = _LINE_BREAK.search(text.content)
    return found.group() if found else "\n"


def end_of_value(text: Text, start: int) -> int:
    """Where the text that begins at an offset ends on its line: in front of a comment, of white space, of the break."""
    line_end = line_at(text, start).end
    quote, at = "", start
    while at < line_end:
        character = text.content[at]
        if quote:
            if character == "\\" and quote == '"':
                at += 1
            elif character == quote:
                quote = ""
        elif character in "\"'" and (at == start or text.content[at - 1] in " [{,:"):
            quote = character
        elif character == "#" and (at == start or text.content[at - 1].isspace()):
            break
        at += 1
    return start + len(text.content[start : min(at, line_end)].rstrip())


def split_lines(content: str) -> list[str]:
    """The lines of a text with their line breaks."""
    return _LINE.findall(content)
