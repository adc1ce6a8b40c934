"""What may be written in a persona: its keys, and in its template the variables and the filter."""

from __future__ import annotations

from rules_lsp.features.completion_place import Place, Proposal, Proposals, TextStyle, Topic
from rules_lsp.features.json_keys import json_completion
from rules_lsp.features.personas.spots import template_spot
from rules_lsp.features.view import View
from rules_lsp.prompt.personas.known import FILTERS, VARIABLES
from rules_lsp.schemas import SchemaName, describe

SCHEMA: SchemaName = "persona-template"


def completion(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    """The names that a template may use, or the keys of the file."""
    text = view.subject.text
    spot = template_spot(text, offset)
    if spot is None:
        return json_completion(view, offset, trigger, SCHEMA)
    before, after = text.content[spot.span.start : offset], text.content[offset : spot.span.end]
    names = FILTERS if spot.kind == "filter" else VARIABLES
    items = (Proposal(name, name, "value", None, Topic("value", name)) for name in names)
    return Place((), None, spot.span, before, after, TextStyle()), Proposals(tuple(items))


def documentation(view: View, topic: Topic) -> str | None:
    """What a name holds, or a key means."""
    if topic.kind == "value":
        return VARIABLES.get(topic.value) or FILTERS.get(topic.value)
    return describe(SCHEMA, *topic.value.split(".")) if topic.kind == "key" else None
