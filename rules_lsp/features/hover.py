"""What stands under the cursor: a key's documentation, a tool's decision, a glob in words."""

from __future__ import annotations

from dataclasses import dataclass

from rules_lsp.features.hover_entry import entry_in_markdown
from rules_lsp.features.hover_key import key_at
from rules_lsp.features.view import View
from rules_lsp.policy.read_markdown import MarkdownRules
from rules_lsp.source.text import Span


@dataclass(frozen=True, slots=True)
class Hover:
    """A text in Markdown for a span of the document."""

    markdown: str
    span: Span


def hover(view: View, offset: int) -> Hover | None:
    """What to show at an offset of the view's text, or None."""
    found = _entry_at(view, offset) or _key_at(view, offset)
    if found is None:
        return None
    paragraphs = [found.markdown, *([f"_{view.not_in_force}_"] if view.not_in_force else [])]
    return Hover("\n\n".join(paragraphs), found.span)


def _entry_at(view: View, offset: int) -> Hover | None:
    reading = view.subject.reading
    if isinstance(reading, MarkdownRules):
        outlined = [item for section in reading.sections for item in section.entries if offset in item.entry.span]
        if not outlined:
            return None
        # Where an entry has several readings, one that cannot be read decides more than the others.
        item = next((item for item in outlined if item.entry.broken), outlined[0])
        return Hover(entry_in_markdown(view, item.entry, item.negation), item.entry.span)
    entry = view.subject.entry_at(Span(offset, offset))
    return None if entry is None else Hover(entry_in_markdown(view, entry), entry.span)


def _key_at(view: View, offset: int) -> Hover | None:
    found = key_at(view.subject, offset)
    return None if found is None else Hover(found.markdown, found.span)
