"""What stands under the cursor in a persona: a key, or a name that its template uses."""

from __future__ import annotations

from rules_lsp.features.hover import Hover
from rules_lsp.features.json_keys import key_hover
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import Outside
from rules_lsp.features.personas.completion import SCHEMA
from rules_lsp.features.personas.spots import template_spot
from rules_lsp.features.view import View
from rules_lsp.prompt.personas.known import FILTERS, VARIABLES
from rules_lsp.prompt.personas.model import PersonaReading


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """What a name holds, or a key means; nothing for a name of the template's own."""
    spot = template_spot(view.subject.text, offset)
    if spot is None:
        return key_hover(view, offset, SCHEMA)
    name = view.subject.text.slice(spot.span)
    told = (FILTERS if spot.kind == "filter" else VARIABLES).get(name)
    reading = view.subject.neighbour
    uses = reading.uses if isinstance(reading, PersonaReading) else ()
    if told is None or any(use.kind == "local" and use.span.start == spot.span.start for use in uses):
        return None
    return Hover(f"{code(name)}\n\n{told}", spot.span)
