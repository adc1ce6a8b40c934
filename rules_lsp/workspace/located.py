"""A data file's value and the places of its keys, whatever notation it is written in.

A path is the keys and indexes from the top. With `VALUE` as its last part it means the text at that path, without it
the key that leads there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span, Text

VALUE = None
MAX_PATH = 8
"""Parts of the longest path that has a place."""

Path = tuple[str | int | None, ...]
Places = dict[Path, Span]


class LocatedDocument:
    """`value` is what the text holds, None where it is empty or does not parse; `problem` says why it does not.

    The places are looked for when the first is asked for.
    """

    def __init__(
        self, text: str, value: object = None, problem: Problem | None = None, places: Callable[[], Places] = dict
    ) -> None:
        self.text = text
        self.value = value
        self.problem = problem
        self._find_places = places

    @cached_property
    def _places(self) -> Places:
        return self._find_places()

    def span(self, path: Path) -> Span:
        """The place of a key or a text, inside its quotes; else of the nearest key above it, else the first line."""
        for length in range(len(path), 0, -1):
            found = self._places.get(path[:length])
            if found is not None:
                return found
        return Text(self.text).line_span(0)


def broken(text: str, cause: str, span: Span) -> LocatedDocument:
    """The document of a text that does not parse."""
    return LocatedDocument(text, problem=Problem("server-file", cause, span))


def too_large(text: str) -> LocatedDocument:
    """The document of a text whose nesting or whose numbers are beyond what its parser takes."""
    return broken(text, "it is nested too deeply or holds a number that is too long", Text(text).line_span(0))


def character_at(text: str, offset: int) -> Span:
    """The character at an offset; at the end of the text or on white space behind it, the last visible one."""
    if text[offset:].strip():
        return Span(offset, offset + 1)
    end = len(text.rstrip())
    return Span(max(end - 1, 0), end)
