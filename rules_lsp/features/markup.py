"""Markdown for people: code marks that hold any text, and sentences that stay what they are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from rules_lsp.policy.requests import printable, shown

_TICKS = re.compile(r"`+")
_MARKS = re.compile(r"[\\`*_\[\]<>&~|#!]")
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\])*)\]\(([^()\s]*)\)")
_STRONG = re.compile(r"(?<!\\)\*\*")
_WHOLE_LINE_EMPHASIS = re.compile(r"_(.*)_")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DELIMITER_ROW = re.compile(r"\|(?: ?:?-+:? ?\|)+")
_BAR = re.compile(r"(?<!\\)\|")
_HELD = re.compile(r"\0(\d+)\0")


def code(text: str) -> str:
    """A text of the author's as Markdown code: one line, bounded, whatever backticks it holds itself."""
    line = shown(text)
    longest = max((len(run) for run in _TICKS.findall(line)), default=0)
    marks = "`" * (longest + 1)
    padding = " " if longest or line != line.strip() or not line else ""
    return f"{marks}{padding}{line}{padding}{marks}"


def sentence(text: str) -> str:
    """A sentence of the engine's as Markdown that is read as that sentence: only its code marks keep their meaning.

    What an author or a caller wrote stands in backticks; a backtick of their own may end them too early, and then
    nothing behind it becomes a link, an image or HTML.
    """
    line = printable(text)
    parts: list[str] = []
    done = 0
    for start, end in _code_spans(line):
        parts += (_escaped(line[done:start]), line[start:end])
        done = end
    return "".join(parts) + _escaped(line[done:])


def row(*cells: str) -> str:
    """A row of a table; the cells are Markdown of one line."""
    return f"| {' | '.join(map(_cell, cells))} |"


def plain(markdown: str) -> str:
    """Markdown of this package's own as text for a client that shows none.

    What stands in code marks stays as it is, marks included; a link is its text, a row of a table its cells.
    """
    return "\n".join(_plain_line(line) for line in markdown.split("\n") if not _DELIMITER_ROW.fullmatch(line))


def _plain_line(line: str) -> str:
    if "\0" in line:
        line = line.replace("\0", "\ufffd")
    held: list[str] = []
    parts: list[str] = []
    done = 0
    for start, end in _code_spans(line):
        parts += (line[done:start], f"\0{len(held)}\0")
        held.append(line[start:end])
        done = end
    text = "".join(parts) + line[done:]
    text = _STRONG.sub("", _LINK.sub(r"\1", text))
    if (emphasis := _WHOLE_LINE_EMPHASIS.fullmatch(text)) is not None:
        text = emphasis[1]
    if text.startswith("| ") and text.endswith(" |"):
        cells = [cell.strip() for cell in _BAR.split(text)[1:-1]]
        text = ": ".join((cells[0], ", ".join(filter(None, cells[1:])))) if any(cells) else ""
        held = [span.replace("\\|", "|") for span in held]
    return _HELD.sub(lambda match: held[int(match[1])], _ESCAPE.sub(r"\1", text))


def _cell(markdown: str) -> str:
    """The text of a cell: every bar in code needs a backslash of the table's, one outside may have its own."""
    parts: list[str] = []
    done = 0
    for start, end in _code_spans(markdown):
        parts += (_BAR.sub(r"\\|", markdown[done:start]), markdown[start:end].replace("|", "\\|"))
        done = end
    return "".join(parts) + _BAR.sub(r"\\|", markdown[done:])


def _code_spans(line: str) -> Iterator[tuple[int, int]]:
    """Where CommonMark reads code: from a run of backticks to the next one of the same length."""
    runs = [match.span() for match in _TICKS.finditer(line)]
    closing: dict[int, list[int]] = {}
    for number, (start, end) in enumerate(runs):
        closing.setdefault(end - start, []).append(number)
    at = 0
    while at < len(runs):
        start, end = runs[at]
        same = closing[end - start]
        following = bisect_right(same, at)
        if following == len(same):
            at += 1
            continue
        at = same[following]
        yield start, runs[at][1]
        at += 1


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", text)
