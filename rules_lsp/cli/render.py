"""Diagnostics as a person reads them: the place, the sentence, the line of the text with the range underlined."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TextIO

from rules_lsp.checks import Diagnostic
from rules_lsp.cli.names import shortened
from rules_lsp.cli.printable import JOINERS, printable_character
from rules_lsp.cli.printable import printable as printable
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

TAB_WIDTH = 4
WIDEST_LINE = 140
_LONG_LINE = 1000
_CONTEXT = 40
_MARGIN = "    "
_COLOURS = {"error": "31", "warning": "33", "information": "36", "place": "1", "fix": "32"}


@dataclass(frozen=True, slots=True)
class Style:
    """How a terminal shows text; without colour it is the text itself."""

    colour: bool = False

    def paint(self, text: str, name: str) -> str:
        """The text in the colour of a severity, of a `place` or of a `fix`."""
        return f"\x1b[{_COLOURS[name]}m{text}\x1b[0m" if self.colour else text


def style_for(stream: TextIO, no_color: bool) -> Style:
    """Colour on a terminal, unless the user or the terminal says no (`NO_COLOR`, `TERM=dumb`)."""
    refused = no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Style(colour=not refused and stream.isatty())


def rendered(diagnostic: Diagnostic, name: str, text: Text, style: Style) -> Iterator[str]:
    """The lines of one diagnostic; line and column are base 1, columns in characters."""
    label = style.paint(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity)
    place = style.paint(place_of(name, text, diagnostic.span), "place")
    yield f"{place}: {label} {printable(diagnostic.message)}"
    for line in underlined(text, diagnostic.span, style, diagnostic.severity):
        yield _MARGIN + line if line else line
    for related in diagnostic.related:
        where = related.document
        other = (name, text) if where is None else (shortened(where.path), where.text)
        yield f"{_MARGIN}{place_of(*other, related.span)}: {printable(related.message)}"
    for fix in diagnostic.fixes:
        guess = "" if fix.safe else " (a guess)"
        yield f"{_MARGIN}{style.paint('fix:', 'fix')} {printable(fix.title)}{guess}"


def place_of(name: str, text: Text, span: Span) -> str:
    """`name:line:column` of the start of a span."""
    start = text.position(span.start, "utf-32")
    return f"{printable(name)}:{start.line + 1}:{start.character + 1}"


def underlined(text: Text, span: Span, style: Style, severity: str) -> list[str]:
    """The line in which a span starts and the marks under it; nothing for an empty line."""
    line = text.line_span(text.line_of(span.start))
    # Of a line that goes on and on nothing is looked at but what is shown.
    begin = max(0, span.start - line.start - _CONTEXT) if len(line) > _LONG_LINE else 0
    content = text.content[line.start + begin : min(line.end, line.start + begin + _LONG_LINE)]
    cells = _cells(content)
    first, last = (at - line.start - begin for at in (span.start, min(span.end, line.end)))
    if not cells:
        return []
    start = max(0, first - _CONTEXT) if sum(cell.width for cell in cells) > WIDEST_LINE else 0
    before = "… " if begin or start else ""
    shown, width = before, len(before)
    marks_from = marks_to = None
    for index in range(start, len(cells)):
        if index == first:
            marks_from = width
        if index == last:
            marks_to = width
        if width + cells[index].width > WIDEST_LINE:
            shown += " …"
            break
        shown += cells[index].shown
        width += cells[index].width
    marks_from = width if marks_from is None else marks_from
    marks_to = width if marks_to is None else marks_to
    marks = "^" * max(1, marks_to - marks_from)
    return [shown.rstrip(), " " * marks_from + style.paint(marks, severity)]


@dataclass(frozen=True, slots=True)
class _Cell:
    """How a character is shown, and how many columns of a terminal that takes."""

    shown: str
    width: int


def _cells(line: str) -> list[_Cell]:
    cells: list[_Cell] = []
    column = 0
    for character in line:
        if character == "\t":
            cell = _Cell(" " * (TAB_WIDTH - column % TAB_WIDTH), TAB_WIDTH - column % TAB_WIDTH)
        else:
            shown = printable_character(character)
            cell = _Cell(shown, len(shown) if shown != character else _width(character))
        cells.append(cell)
        column += cell.width
    return cells


def _width(character: str) -> int:
    if character in JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def counted(number: int, name: str, plural: str | None = None) -> str:
    """A number of things in words."""
    return f"{number:,} {name if number == 1 else plural or name + 's'}"


def summary(severities: Iterable[str], files: int) -> str:
    """How much was found, in a line."""
    found = list(severities)
    counts = [
        (found.count("error"), "error"),
        (found.count("warning"), "warning"),
        (found.count("information"), "note"),
    ]
    parts = [counted(count, name) for count, name in counts if count]
    where = counted(files, "file")
    if not parts:
        return f"nothing to report in {where}"
    return f"found {' and '.join([', '.join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]} in {where}"


def use_any_encoding() -> None:
    """Let standard output take every character: what its encoding lacks is written as an escape."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
