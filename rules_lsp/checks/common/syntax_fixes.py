"""Fixes of YAML that does not parse, one for each kind of fault that reading tells apart.

Each looks at the line of the fault alone and answers None where the repair is not plain. It may assume nothing of the
tree: there is none.
"""

from __future__ import annotations

import re

from rules_lsp.checks.common.base import Fix
from rules_lsp.checks.common.lines import end_of_value, indentation, line_at, whole_lines
from rules_lsp.checks.common.quoting import quoted
from rules_lsp.policy.entries import shown
from rules_lsp.policy.keys import TOP_LEVEL
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

_CLOSING = {"[": "]", "{": "}"}
_BEFORE_ENTRY = re.compile(r"[ ]*(?:-[ ]+)+\Z")
_KEY_AND_VALUE = re.compile(r"[ ]*(?:-[ ]+)*(?P<key>[\w.-]+)[ ]*:[ ]+(?P<value>[^\s\"'|>\[{&*!].*)\Z")
_FENCE = re.compile(r"(?:```|~~~)")
_DOUBLE_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_VALID_ESCAPES = frozenset('0abtnvfre "/\\N_LP\t')
_SURROGATES = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")


def close_quote(text: Text, problem: Problem) -> Fix | None:
    """The closing quote at the end of the line, in front of a comment or a closing bracket."""
    opening = problem.span.start
    line = line_at(text, opening)
    quote = text.content[opening]
    written = text.content[opening + 1 : line.end].rstrip()
    before = text.content[line.start : opening]
    comment = re.search(r"\s+#", written)
    inside = written[: comment.start()] if comment else written
    in_flow = any(bracket in before for bracket in _CLOSING)
    if in_flow:
        inside = inside.rstrip("]} ,")
    if not inside or quote in inside or (quote == '"' and inside.endswith("\\")):
        return None
    at = opening + 1 + len(inside)
    certain = _BEFORE_ENTRY.match(before) is not None and comment is None
    return Fix(f"add the closing `{quote}`", (TextEdit(Span(at, at), quote),), certain)


def close_bracket(text: Text, problem: Problem) -> Fix | None:
    """The closing bracket at the end of the line, or the comma that is missing between two texts in quotes."""
    opening = problem.span.start
    bracket = text.content[opening]
    line = line_at(text, opening)
    stopped = opening + int(problem.data.get("until", "1"))
    if stopped < line.end:
        return _missing_comma(text, opening, stopped)
    end = end_of_value(text, opening)
    inside = text.content[opening + 1 : end]
    if _BEFORE_ENTRY.match(text.content[line.start : opening]):
        replacement = quoted(text.content[opening:end] + _CLOSING[bracket])
        return Fix(f"write {shown(replacement)}", (TextEdit(Span(opening, end), replacement),), safe=False)
    if _goes_on(text, line) or not inside.strip():
        return None
    at = end - 1 if inside.endswith(",") else end
    edit = TextEdit(Span(at, end), _CLOSING[bracket])
    return Fix(f"add the closing `{_CLOSING[bracket]}`", (edit,), bracket == "[" and not set(inside) & set("[]{}\"'"))


def _missing_comma(text: Text, opening: int, stopped: int) -> Fix | None:
    before = text.content[opening + 1 : stopped]
    bare = before.rstrip()
    if bare == before or not bare or bare[-1] not in "\"'":
        return None
    at = opening + 1 + len(bare)
    return Fix("add the comma", (TextEdit(Span(at, at), ","),), text.content[stopped] == bare[-1])


def _goes_on(text: Text, line: Span) -> bool:
    """Whether the next line that is not empty is indented deeper: then the list may go over several lines."""
    depth = indentation(text, line.start)
    for number in range(text.line_of(line.start) + 1, text.line_count):
        following = text.slice(text.line_span(number))
        if following.strip():
            return len(following) - len(following.lstrip()) > depth
    return False


def use_single_quotes(text: Text, problem: Problem) -> Fix | None:
    """Single quotes around a text whose backslashes all stand for themselves; an emoji for its two surrogates."""
    pair = _SURROGATES.match(text.content, problem.span.start)
    if pair is not None:
        character = chr(0x10000 + ((int(pair[1], 16) & 0x3FF) << 10 | int(pair[2], 16) & 0x3FF))
        return Fix(f"write `{character}`", (TextEdit(Span(*pair.span()), character),))
    line = line_at(text, problem.span.start)
    for match in _DOUBLE_QUOTED.finditer(text.content, line.start, line.end):
        if match.start() < problem.span.start < match.end():
            inner = match.group()[1:-1]
            if any(_stands_for_a_character(escape[1]) for escape in _ESCAPE.finditer(inner)):
                return None
            replacement = "'" + inner.replace("'", "''") + "'"
            return Fix(f"write {shown(replacement)}", (TextEdit(Span(*match.span()), replacement),))
    return None


def _stands_for_a_character(escape: str) -> bool:
    """Whether what follows a backslash makes an escape that YAML reads."""
    if len(escape) == 1:
        return escape in _VALID_ESCAPES
    code = int(escape[1:], 16)
    return code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF


def add_colon(text: Text, problem: Problem) -> Fix | None:
    """The colon behind a known key."""
    word = text.slice(problem.span)
    if word not in (*TOP_LEVEL, "include", "exclude"):
        return None
    return Fix(f"write `{word}:`", (TextEdit(Span(problem.span.end, problem.span.end), ":"),))


def quote_value(text: Text, problem: Problem) -> Fix | None:
    """Quotes around a text that holds a colon."""
    line = line_at(text, problem.span.start)
    match = _KEY_AND_VALUE.match(text.slice(line))
    if match is None or _goes_on(text, line):
        return None
    start = line.start + match.start("value")
    end = end_of_value(text, start)
    if not start <= problem.span.start < end:
        return None
    replacement = quoted(text.content[start:end])
    certain = match["key"] == "system_prompt_extension"
    return Fix(f"write {shown(replacement)}", (TextEdit(Span(start, end), replacement),), certain)


def remove_fence(text: Text, problem: Problem) -> Fix | None:
    """Without the lines of a Markdown fence that stand at the margin, where no value of a key can reach."""
    if line_at(text, problem.span.start).start != problem.span.start:
        return None
    fences = [text.line_span(number) for number in range(text.line_count)]
    edits = [TextEdit(whole_lines(text, line), "") for line in fences if _FENCE.match(text.content, line.start)]
    return Fix("remove the lines of the Markdown fence", tuple(edits))


def remove_comma(text: Text, problem: Problem) -> Fix | None:
    """Without the comma behind an entry that stands on a line of its own."""
    return Fix("remove the comma", (TextEdit(problem.span, ""),))


def write_comment(text: Text, problem: Problem) -> Fix | None:
    """The sign that begins a comment in YAML, in place of that of another format."""
    return Fix("write `#`", (TextEdit(problem.span, "#"),))


def remove_character(text: Text, problem: Problem) -> Fix | None:
    """Without a character that may not stand in YAML, wherever it does."""
    character = text.slice(problem.span)
    places = [match.span() for match in re.finditer(re.escape(character), text.content)]
    return Fix(f"remove U+{ord(character):04X}", tuple(TextEdit(Span(*place), "") for place in places), safe=False)
