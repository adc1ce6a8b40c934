"""What an editor shows of an `.auto-prompter.yaml`."""

from __future__ import annotations

from rules_lsp.features.neighbours import NeighbourFeatures
from rules_lsp.features.prompter.actions import actions
from rules_lsp.features.prompter.completion import completion
from rules_lsp.features.prompter.documentation import documentation
from rules_lsp.features.prompter.entries import entries
from rules_lsp.features.prompter.hover import hover
from rules_lsp.features.prompter.lenses import lenses, resolve_lens
from rules_lsp.features.prompter.symbols import symbols

FEATURES = NeighbourFeatures(
    hover=hover,
    completion=completion,
    documentation=documentation,
    lenses=lenses,
    resolve_lens=resolve_lens,
    symbols=symbols,
    entries=entries,
    actions=actions,
)
