"""Our lines in a text file of a host: a region between two marks, renewed as a whole; what is around it stays."""

from __future__ import annotations

import re
from collections.abc import Iterable

OPENING = "# >>> rules-lsp export: written from the rules, do not edit >>>"
CLOSING = "# <<< rules-lsp export <<<"
_REGION = re.compile(
    rf"^{re.escape(OPENING)}\r?\n(?:(?!{re.escape(OPENING)}).*\r?\n)*?{re.escape(CLOSING)}[ \t]*(?:\r?\n|\Z)", re.M
)


class Refused(Exception):
    """The host's file is left alone; the message says why."""


def with_region(text: str, lines: Iterable[str], *, at_top: Iterable[str] = ()) -> str:
    """The text with the lines in a region at its end, and those of `at_top` in one at its beginning.

    Regions of an earlier run are taken away first; without lines there is none. At the end, since in a file of ignored
    paths the last line that matches decides. Raises `Refused` where a mark stands alone.
    """
    rest = without_regions(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    top, end = (_region(each, line_end) for each in (at_top, lines))
    if end and rest and not rest.endswith("\n"):
        rest += line_end
    return top + rest + end


def without_regions(text: str) -> str:
    """The text without our regions. Raises `Refused` where a mark stands alone."""
    rest = _REGION.sub("", text)
    for number, line in enumerate(rest.splitlines(), 1):
        if line.strip() in (OPENING, CLOSING):
            raise Refused(f"line {number} is a mark of ours without its counterpart: delete it")
    return rest


def _region(lines: Iterable[str], line_end: str) -> str:
    inside = tuple(lines)
    return "".join(f"{line}{line_end}" for line in (OPENING, *inside, CLOSING)) if inside else ""
