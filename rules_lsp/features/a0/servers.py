"""`.a0proj/mcp_servers.json`: how an agent calls the tools of each server."""

from __future__ import annotations

from rules_lsp.features.hover import Hover
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import NeighbourFeatures, Outside
from rules_lsp.features.view import View
from rules_lsp.prompt.a0_servers import A0ServersReading


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """The name of a server as it stands in a call."""
    reading = view.subject.neighbour
    for each in reading.names if isinstance(reading, A0ServersReading) else ():
        if each.span.start <= offset <= each.span.end:
            return Hover(f"{code(each.name)}: its tools are called {code(f'{each.called}.<tool>')}", each.span)
    return None


FEATURES = NeighbourFeatures(hover=hover)
