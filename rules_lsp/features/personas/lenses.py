"""The lens on a persona: what a model is told by it."""

from __future__ import annotations

from rules_lsp.features.neighbours import NeighbourLens, Outside
from rules_lsp.features.view import View
from rules_lsp.source.records import replace
from rules_lsp.source.uri import to_uri

PREVIEW = "preview"
COMMAND = "rulesLsp.previewPersona"


def lenses(view: View) -> tuple[NeighbourLens, ...]:
    """The lens on the first line of a persona that is a file."""
    return () if view.subject.path is None else (NeighbourLens(view.subject.text.line_span(0), PREVIEW),)


def resolve_lens(view: View, lens: NeighbourLens, outside: Outside) -> NeighbourLens | None:
    """The lens with its command: the editor shows the answer, and may add the file that it is about."""
    path = view.subject.path
    if lens.key != PREVIEW or path is None:
        return None
    return replace(lens, title="show what a model is told", command=COMMAND, arguments=({"uri": to_uri(path)},))
