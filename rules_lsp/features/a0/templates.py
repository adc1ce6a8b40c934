"""The prompts about projects that a user words: the names that each may use, and what they hold."""

from __future__ import annotations

import os
import re

from rules_lsp.checks.common.kinds import template_names
from rules_lsp.features.completion_place import Place, Proposal, Proposals, TextStyle, Topic
from rules_lsp.features.hover import Hover
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import NeighbourFeatures, Outside
from rules_lsp.features.view import View
from rules_lsp.prompt.template import tags_of
from rules_lsp.prompt.wording import NAMES
from rules_lsp.source.expressions import expression
from rules_lsp.source.text import Span

# Blanks around a placeholder's name belong to what is replaced: with them it would stay as it is.
_BEFORE = expression(r"\{\{(?:\s*if\s+(?P<condition>\w*)|(?P<name>[^\S\n]*+\w*))\Z")
_BEHIND = re.compile(r"\w*(?:[^\S\r\n]+(?=\}\}))?")


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """What a name holds that the template may use."""
    text = view.subject.text
    line = text.line_span(text.line_of(offset))
    for tag in tags_of(text.slice(line)):
        span = tag.span.shifted(line.start)
        if offset in span and tag.word != "endif" and tag.name in _names(view):
            return Hover(f"{code(tag.name)}\n\n{NAMES[tag.name]}", span)
    return None


def completion(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    """The names that the template may use, in a placeholder and behind `if`."""
    text = view.subject.text
    line = text.line_span(text.line_of(offset))
    before = _BEFORE.search(text.content[line.start : offset])
    behind = _BEHIND.match(text.content, offset, line.end)
    if before is None or behind is None:
        return None
    start = line.start + before.start("condition" if before["condition"] is not None else "name")
    span = Span(start, behind.end())
    items = tuple(Proposal(name, name, "value", None, Topic("value", name)) for name in _names(view))
    place = Place((), None, span, text.content[start:offset], text.content[offset : span.end], TextStyle())
    return place, Proposals(items)


def documentation(view: View, topic: Topic) -> str | None:
    """What a name holds."""
    return NAMES.get(topic.value) if topic.kind == "value" else None


def _names(view: View) -> tuple[str, ...]:
    return template_names(os.path.basename(view.subject.path or view.subject.name))


FEATURES = NeighbourFeatures(hover=hover, completion=completion, documentation=documentation)
