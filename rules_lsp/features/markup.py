"""Markdown for people: code marks that hold any text, and sentences that stay what they are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from rules_lsp.policy.requests import printable, shown

_TICKS = re.compile(r"`+")
_MARKS = re.compile(r"[\\`*_\[\]<>&~|#!]")


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
