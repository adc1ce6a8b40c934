"""What may be written at the cursor, exactly as it has to stand there."""

from __future__ import annotations

from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.features.completion_in_markdown import markdown_proposals
from rules_lsp.features.completion_in_yaml import yaml_proposals
from rules_lsp.features.completion_place import CompletionKind, Place, Proposal, Proposals, Topic, in_snippet
from rules_lsp.features.markdown_place import BlankPlace, HeadingPlace, markdown_place
from rules_lsp.features.neighbours import neighbour_features
from rules_lsp.features.view import View
from rules_lsp.features.yaml_place import is_part_of_another, yaml_place
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

TRIGGERS = ("/", "-", '"', "'", "`", " ", "[")
"""Characters behind which an editor asks by itself. Most of them stand in prose as well: there nothing is answered."""
_QUOTES = ('"', "'", "`")


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One item. `text` replaces `span`; `snippet` is the same with tab stops, or None where there are none.

    `filter_text` is what the text in front of the cursor is compared with, `sort_text` gives the order. `again`: what
    follows is to be asked for at once. `detail` is a few words in plain text. `also` are edits that belong to it, none
    of which touches `span`.
    """

    label: str
    kind: CompletionKind
    span: Span
    text: str
    snippet: str | None
    filter_text: str
    sort_text: str
    detail: str | None
    topic: Topic | None
    again: bool
    also: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """The items in their order, those that are written already last; not `complete` as in `Proposals`."""

    items: tuple[CompletionItem, ...]
    complete: bool


def completion(view: View, offset: int, trigger: str | None = None) -> Completion | None:
    """What may be written at an offset. `trigger` is the character behind which an editor asked by itself, or None."""
    # No cursor stands between the two characters of a line break.
    text = view.subject.text
    found = _proposed(view, min(offset, text.line_span(text.line_of(offset)).end), trigger)
    if found is None:
        return None
    place, proposals = found
    if trigger is not None:
        proposals = _after_trigger(place, proposals, trigger)
    ranked = sorted(proposals.items, key=lambda proposal: proposal.listed)
    line_break = line_break_of(text)
    items = tuple(_item(place, proposal, number, line_break) for number, proposal in enumerate(ranked))
    return Completion(items, proposals.complete) if items or not proposals.complete else None


def _proposed(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    subject = view.subject
    of_kind = neighbour_features(subject.kind).completion
    if of_kind is not None:
        return of_kind(view, offset, trigger)
    reading = subject.reading
    if reading is None:
        return None
    if isinstance(reading, MarkdownRules):
        where = markdown_place(reading, offset, subject.known_servers)
        # Whoever writes prose types blanks and dashes at such places, and asks for nothing.
        if where is None or (trigger is not None and isinstance(where, BlankPlace | HeadingPlace)):
            return None
        return markdown_proposals(view, reading, offset, where)
    at = yaml_place(subject.text, offset)
    if at is None or (trigger is not None and at.own_line):
        return None
    if subject.error is None and is_part_of_another(subject.nodes.root, subject.text, offset, at):
        return None
    return yaml_proposals(view, subject.text, offset, at)


def _after_trigger(place: Place, proposals: Proposals, trigger: str) -> Proposals:
    """What is worth showing unasked: all where an entry begins, behind a part of one only what goes on with it."""
    if not place.before:
        return proposals
    if trigger in _QUOTES:
        return Proposals(())
    typed = place.before.casefold()
    going_on = tuple(item for item in proposals.items if item.text.casefold().startswith(typed))
    return Proposals(going_on, proposals.complete if trigger == "/" else True)


def _item(place: Place, proposal: Proposal, number: int, line_break: str) -> CompletionItem:
    behind = place.after.partition("/")[2] if proposal.partial else ""
    again = proposal.partial and not behind
    if proposal.snippet is None:
        written = place.style.write(proposal.text + behind, partial=again)
        text, snippet, also = written.text, written.snippet, written.also
    else:
        also = ()
        lead = place.style.lead
        text = lead + (proposal.written or proposal.text)
        snippet = (in_snippet(lead) + proposal.snippet).replace("\n", line_break)
    return CompletionItem(
        proposal.label,
        proposal.kind,
        place.span,
        text,
        snippet,
        proposal.text,
        f"{number:05d}",
        proposal.detail,
        proposal.topic,
        again,
        also,
    )
