"""What stands above a file of instructions: how many files it binds, or why nobody is told it."""

from __future__ import annotations

from rules_lsp.features.hover_instructions import binding_in_words
from rules_lsp.features.neighbours import NeighbourLens, Outside
from rules_lsp.features.view import View
from rules_lsp.source.records import replace

BINDS = "binds"


def lenses(view: View) -> tuple[NeighbourLens, ...]:
    """The lens of the file on its first line; none until the files of the project are known."""
    if view.subject.files is None:
        return ()
    return (NeighbourLens(view.subject.text.line_span(0), BINDS),)


def resolve_lens(view: View, lens: NeighbourLens, outside: Outside) -> NeighbourLens | None:
    """The lens with its title; None where the document has none."""
    told = binding_in_words(view.subject) if lens.key == BINDS else None
    return None if told is None else replace(lens, title=told)
