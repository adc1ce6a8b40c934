"""`.a0proj/mcp_servers.json`: its keys, and how an agent calls the tools of each server."""

from __future__ import annotations

from rules_lsp.features.completion_place import Place, Proposals, Topic
from rules_lsp.features.hover import Hover
from rules_lsp.features.json_keys import json_completion, key_hover
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import NeighbourFeatures, Outside
from rules_lsp.features.view import View
from rules_lsp.prompt.a0_servers import A0ServersReading
from rules_lsp.schemas import SchemaName, describe

_SCHEMA: SchemaName = "a0-mcp-servers"


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """The name of a server as it stands in a call; what another key means."""
    reading = view.subject.neighbour
    for each in reading.names if isinstance(reading, A0ServersReading) else ():
        if each.span.start <= offset <= each.span.end:
            return Hover(f"{code(each.name)}: its tools are called {code(f'{each.called}.<tool>')}", each.span)
    return key_hover(view, offset, _SCHEMA)


def completion(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    """Keys, and the values of those that take a few."""
    return json_completion(view, offset, trigger, _SCHEMA)


def documentation(view: View, topic: Topic) -> str | None:
    """What a key means."""
    return describe(_SCHEMA, *topic.value.split(".")) if topic.kind == "key" else None


FEATURES = NeighbourFeatures(hover=hover, completion=completion, documentation=documentation)
