"""Runs of simple items in block lists: nearly all that a long rule file holds, read without the parser.

Where lines `- text` of one indentation follow one another, and each text ends with its line beyond doubt, every line
is an item of the same list if one of them in their place is. So the parser is given one line for many. What it takes
that line for decides: if it is anything but an item by itself, the whole is parsed as it stands.
"""

from __future__ import annotations

import re

from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_nodes import Run

STAND_IN = "\uf8ff"
"""The text of the one item that stands for a run."""
MAX_CHARACTERS = 250_000
FEWEST_DASHES = 40
"""Fewer items are parsed sooner than the expression for them is compiled."""
_LONGEST = 200
_DEEPEST = 40
# No more than that, so that an edit leaves most of a list's runs as they are.
_FEWEST, _MOST = 8, 64
_PLAIN = rf"[A-Za-z0-9_./][A-Za-z0-9_./*?@+-]{{0,{_LONGEST}}}"
_DOUBLE = rf"[ !#-\[\]-~]{{1,{_LONGEST}}}"
_SINGLE = rf"[ -&(-~]{{1,{_LONGEST}}}"
_ITEM = rf"- (?:{_PLAIN}|\"{_DOUBLE}\"|'{_SINGLE}')"
_RUN = expression(
    rf"^( {{0,{_DEEPEST}}}){_ITEM}(?:\r?\n\1{_ITEM}){{{_FEWEST - 1},{_MOST - 1}}}(?=\r?\n|\Z)", re.MULTILINE
)
_DASH = len("- ")


@dataclass(frozen=True, slots=True)
class Folded:
    """A content with one item for each of its runs; the places of the runs count in the content as it was."""

    content: str
    runs: tuple[Run, ...]


def fold(content: str) -> Folded | None:
    """The content with its runs folded, or None where there are none or that could not be told from its own text."""
    if len(content) > MAX_CHARACTERS or STAND_IN in content or content.count("- ") < FEWEST_DASHES:
        return None
    parts: list[str] = []
    runs: list[Run] = []
    end = 0
    for match in _RUN.finditer(content):
        start = match.end(1)
        parts += (content[end : start + _DASH], STAND_IN)
        end = match.end()
        runs.append(Run(content[start:end], Span(start, end)))
    return Folded("".join((*parts, content[end:])), tuple(runs)) if runs else None


def growth(run: Run) -> int:
    """How much longer a run is than what stands for it."""
    return len(run.written) - _DASH - len(STAND_IN)
