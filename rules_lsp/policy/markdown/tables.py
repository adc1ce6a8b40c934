"""The rows of a table in a section: which cell is the entry, and whether the others say no."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules_lsp.policy.markdown.items import LONGEST_ITEM
from rules_lsp.policy.markdown.words import markdown_words
from rules_lsp.source.markdown import Content


def entry_column(cells: Sequence[Content]) -> int:
    """The first cell that is no running number."""
    for number, cell in enumerate(cells[:2]):
        if not cell.plain.strip().strip("#.").isdigit():
            return number
    return 0


def row_negation(names: Sequence[str], cells: Sequence[Content], entries: Collection[int]) -> str | None:
    """Why a row's entries must not be allowed, in words, or None.

    `names` are the folded names of the columns, `entries` the numbers of those that hold entries.
    """
    words = markdown_words()
    for number, cell in enumerate(cells):
        if number in entries:
            continue
        text = cell.plain if len(cell.span) <= LONGEST_ITEM else ""
        if words.has_cross(text) or words.is_no(text):
            return f"has `{text.strip()[:40]}` in its row"
        blank = not any(char.isalnum() for char in text) and not words.is_yes(text)
        if blank and names[number] in words.verdict_headers:
            return f"has nothing in the column `{names[number]}`"
        if words.is_yes(text) and words.negates(names[number]):
            return f"has `{text.strip()[:40]}` in the column `{names[number]}`"
    return None
