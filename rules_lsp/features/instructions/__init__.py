"""What an editor shows of the instructions of a folder: whom they bind, and what else is told there."""

from __future__ import annotations

from rules_lsp.features.instructions.hover import hover
from rules_lsp.features.instructions.lenses import lenses, resolve_lens
from rules_lsp.features.instructions.starter import completion, documentation
from rules_lsp.features.neighbours import NeighbourFeatures

FEATURES = NeighbourFeatures(
    hover=hover,
    completion=completion,
    documentation=documentation,
    lenses=lenses,
    resolve_lens=resolve_lens,
)
