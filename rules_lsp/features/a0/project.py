"""`.a0proj/project.json`: its keys and values, and what an agent is told of it."""

from __future__ import annotations

from rules_lsp.features.completion_place import Place, Proposals, Topic
from rules_lsp.features.hover import Hover
from rules_lsp.features.json_keys import json_completion, key_hover
from rules_lsp.features.neighbours import NeighbourFeatures, Outside
from rules_lsp.features.view import View
from rules_lsp.prompt.a0_project import A0ProjectReading
from rules_lsp.prompt.active_project import active_prompt
from rules_lsp.schemas import SchemaName, describe

_SCHEMA: SchemaName = "a0-project"


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """What a key means; on the first line what an agent is told while the project is active."""
    found = key_hover(view, offset, _SCHEMA)
    first = view.subject.text.line_span(0)
    reading = view.subject.neighbour
    if offset not in first or not isinstance(reading, A0ProjectReading):
        return found
    told = active_prompt(reading.project, view.saved.root.given)
    fence = "`" * 4
    while fence in told:
        fence += "`"
    whole = f"what an agent is told while this project is active:\n\n{fence}markdown\n{told}\n{fence}"
    return Hover(whole, first) if found is None else Hover(f"{found.markdown}\n\n---\n\n{whole}", found.span)


def completion(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    """Keys, and the values of those that take a few."""
    return json_completion(view, offset, trigger, _SCHEMA)


def documentation(view: View, topic: Topic) -> str | None:
    """What a key means."""
    return describe(_SCHEMA, *topic.value.split(".")) if topic.kind == "key" else None


FEATURES = NeighbourFeatures(hover=hover, completion=completion, documentation=documentation)
