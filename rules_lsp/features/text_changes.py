"""What differs between two versions of a text, as edits of whole lines: cursors and marks elsewhere stay in place."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import accumulate

from rules_lsp.checks.common.lines import split_lines
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span

_MOST_COMPARED = 2_000


def changes(before: str, after: str) -> tuple[TextEdit, ...]:
    """The edits that make one text of another; beyond some thousand changed lines it is one edit."""
    old, new = split_lines(before), split_lines(after)
    starts = [0, *accumulate(map(len, old))]
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    left, right = old[first : len(old) - last], new[first : len(new) - last]
    if not left and not right:
        return ()
    if len(left) + len(right) > _MOST_COMPARED:
        return (TextEdit(Span(starts[first], starts[len(old) - last]), "".join(right)),)
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return tuple(
        TextEdit(Span(starts[first + i], starts[first + j]), "".join(right[k:m]))
        for kind, i, j, k, m in blocks
        if kind != "equal"
    )
