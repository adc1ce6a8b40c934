"""What stands under the cursor: a list and what it contributes, a tool's decision, a glob in words, the policy."""

from __future__ import annotations

from rules_lsp.features.hover_entry import entry_in_markdown
from rules_lsp.features.hover_key import key_at
from rules_lsp.features.hover_list import contribution
from rules_lsp.features.hover_policy import policy_in_markdown
from rules_lsp.features.neighbours import NOTHING_OUTSIDE, Outside, neighbour_features
from rules_lsp.features.view import View
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.markdown import Heading
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span


@dataclass(frozen=True, slots=True)
class Hover:
    """A text in Markdown for a span of the document."""

    markdown: str
    span: Span


def hover(view: View, offset: int, outside: Outside = NOTHING_OUTSIDE) -> Hover | None:
    """What to show at an offset of the view's text, or None; `outside` is what a neighbour's features look at."""
    if view.subject.neighbour is not None:
        of_kind = neighbour_features(view.subject.kind).hover
        found = of_kind(view, offset, outside) if of_kind is not None else None
    else:
        found = _entry_at(view, offset) or _with_policy(view, offset, _key_at(view, offset))
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
    if found is None:
        return None
    own = contribution(view, found.name, found.span) if found.name is not None else None
    parts = (found.title, own, found.documentation)
    return Hover("\n\n".join(part for part in parts if part is not None), found.span)


def _with_policy(view: View, offset: int, found: Hover | None) -> Hover | None:
    """The whole policy on the first line and on the first heading, below what else is to be shown there."""
    span = _head_at(view, offset)
    if span is None:
        return found
    if found is None:
        return Hover(policy_in_markdown(view), span)
    return Hover(f"{found.markdown}\n\n---\n\n{policy_in_markdown(view)}", found.span)


def _head_at(view: View, offset: int) -> Span | None:
    """The first line or the first heading of a rule file, if an offset lies in it."""
    subject = view.subject
    if subject.kind not in ("yaml", "markdown") or not subject.governs:
        return None
    first = subject.text.line_span(0)
    if offset in first:
        return first
    if not isinstance(subject.reading, MarkdownRules):
        return None
    headings = (block.outer for block in subject.reading.document.blocks if isinstance(block, Heading))
    heading = next(headings, None)
    return heading if heading is not None and offset in heading else None
