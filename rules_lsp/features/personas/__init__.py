"""What an editor shows of a persona: its keys, what its template may use, and what a model is told by it."""

from __future__ import annotations

from rules_lsp.features.neighbours import NeighbourFeatures
from rules_lsp.features.personas.completion import completion, documentation
from rules_lsp.features.personas.hover import hover
from rules_lsp.features.personas.lenses import lenses, resolve_lens

FEATURES = NeighbourFeatures(
    hover=hover, completion=completion, documentation=documentation, lenses=lenses, resolve_lens=resolve_lens
)
