"""Edits of a text: spans with what replaces them."""

from __future__ import annotations

from collections.abc import Iterable

from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """Replace `span` by `replacement`; an empty span inserts."""

    span: Span
    replacement: str


def apply_edits(content: str, edits: Iterable[TextEdit]) -> str:
    """The content with all edits applied; an edit that overlaps one before it is left out, and so is a repetition."""
    parts: list[str] = []
    done = 0
    previous: TextEdit | None = None
    for edit in sorted(edits):
        if edit == previous or edit.span.start < done:
            continue
        parts += (content[done : edit.span.start], edit.replacement)
        done = edit.span.end
        previous = edit
    return "".join(parts) + content[done:]
