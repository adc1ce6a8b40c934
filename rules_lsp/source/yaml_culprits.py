"""Faults whose cause stands elsewhere than where the parser stumbles: it is the cause that an author should hear of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.source.excerpt import bounded
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_slips import Slip, slips_of_line

_SIBLING_KEY = expression(r"(?P<indent>[ ]*)[A-Za-z_][\w.-]*[ ]*")
_PROPER_KEY = expression(r"[ ]*[^\s:#][^:]*:(?:\s|\Z)")
_LINE = expression(r"(?P<indent>[ ]*)(?P<text>[^\r\n]*)")
_BARE_KEY = expression(r"[A-Za-z_]\w*(?=[ \t]*\Z)")
_ENTRY = expression(r"\s*[-－–—]\s*\S")
_LINE_END = expression(r"[\r\n]")
_MOST_SHOWN = 40
_REMARKS_ABOVE = expression(r"(?:[ \t]*(?:(?://|/\*|\*|\#)[^\r\n]*)?(?:\r\n|\r|\n))*[ \t]*")
_OUTSIDE_STRINGS = expression(r'"(?:[^"\\]|\\.)*"|\#[^\r\n]*|(?P<comment>//[^\r\n]*|/\*.*?(?:\*/|\Z))', re.DOTALL)
_LINE_COMMENT = expression(r"^[ \t]*(?P<comment>//[^\r\n]*)", re.MULTILINE)
_VISIBLE = expression(r"[^\r\n]")
_QUOTED = expression(r'"(?:[^"\\\r\n]|\\[^\r\n])*"')
_PATH = expression(r"[\w.*?!:/\\(){}\[\]~@+,-]+")
_CONTROL = expression(r"\\(?P<letter>[0abefnrtv])")
_OTHER_ESCAPE = expression(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[_NLP])")


def cause_above(content: str, colon: int) -> Slip | Problem | None:
    """What made plain text of all down to the colon of a proper key: a slip of a line above, or a key without colon.

    It is the nearest such line among the key's neighbours and those that it may stand below.
    """
    line = line_at(content, colon)
    key = _SIBLING_KEY.fullmatch(content, line.start, colon)
    if key is None:
        return None
    depth, below = len(key["indent"]), line
    while line.start > 0:
        line = line_at(content, line.start - 1)
        match = _LINE.match(content, line.start)
        written = match["text"].strip() if match is not None else ""
        indentation = len(match["indent"]) if match is not None else 0
        if not written:
            continue
        if indentation <= depth:
            if _PROPER_KEY.match(content, line.start, line.end):
                return None
            slip = next(slips_of_line(content, line, lambda word: True), None)
            if slip is not None:
                return slip
            bare = _BARE_KEY.match(content, line.start + indentation, line.end)
            if bare is not None and _is_below(content, below, indentation):
                return _without_colon(Span(*bare.span()), bare[0])
            depth = indentation
        below = line
    return None


def _is_below(content: str, line: Span, indentation: int) -> bool:
    """Whether a line is what stands below a key: a deeper line, or an entry beside it."""
    written = content[line.start : line.end]
    return len(written) - len(written.lstrip(" ")) > indentation or _ENTRY.match(written) is not None


def _without_colon(span: Span, word: str) -> Problem:
    message = f"`{bounded(word, _MOST_SHOWN)}` is no `key: value`: a colon is missing"
    return Problem("syntax-error", message, span, data={"kind": "missing-colon"})


def comments_of_other_formats(content: str) -> list[Problem]:
    """The comments that are none in YAML: of JSON with comments, or in the lines that such a text begins with."""
    above = _REMARKS_ABOVE.match(content)
    start = above.end() if above is not None else 0
    if content[start : start + 1] == "{":
        matches = _OUTSIDE_STRINGS.finditer(content)
        return [_comment(match) for match in matches if match["comment"] is not None]
    return [_comment(match) for match in _LINE_COMMENT.finditer(content, 0, start)]


def _comment(match: re.Match[str]) -> Problem:
    sign = match["comment"][:2]
    message = f"`{sign}` begins no comment in YAML: " + ("write `#`" if sign == "//" else "begin each line with `#`")
    at = match.start("comment")
    return Problem("syntax-error", message, Span(at, at + 2), data={"kind": f"comment{sign}"})


def without_comments(content: str) -> str:
    """The content with blanks in place of such comments."""

    def blanked(match: re.Match[str]) -> str:
        return match[0] if match["comment"] is None else _VISIBLE.sub(" ", match[0])

    above = _REMARKS_ABOVE.match(content)
    start = above.end() if above is not None else 0
    if content[start : start + 1] == "{":
        return _OUTSIDE_STRINGS.sub(blanked, content)
    return _LINE_COMMENT.sub(blanked, content[:start]) + content[start:]


def path_in_quotes(content: str, problem: Problem) -> tuple[Problem, str] | None:
    """The fault of a path in double quotes in which a backslash stands for no character, and the content without it.

    Where others in it do stand for a control character it is told of the first of these.
    """
    line = line_at(content, problem.span.start)
    for quoted in _quoted(content, line):
        if quoted.start < problem.span.start < quoted.end:
            inner = content[quoted.start + 1 : quoted.end - 1]
            if not _PATH.fullmatch(inner):
                return None
            control = _CONTROL.search(inner)
            if control is not None and not _OTHER_ESCAPE.search(inner):
                at = quoted.start + 1 + control.start()
                message = f"`{control[0]}` in double quotes is a control character and no part of a path: write `/`"
                problem = Problem("escaped-backslash", message, Span(at, at + 2))
            mended = inner.replace("\\", "/")
            return problem, content[: quoted.start + 1] + mended + content[quoted.end - 1 :]
    return None


def _quoted(content: str, line: Span) -> Iterator[Span]:
    for match in _QUOTED.finditer(content, line.start, line.end):
        yield Span(*match.span())


def line_at(content: str, at: int) -> Span:
    """The line of an offset without its end."""
    start = max(content.rfind("\n", 0, at), content.rfind("\r", 0, at)) + 1
    end = _LINE_END.search(content, at)
    return Span(start, end.start() if end else len(content))
