"""rules-lsp: what a coding agent may do in a repository, read, checked, explained and answered."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from rules_lsp.agents.loader import ProjectAgentRulesLoader

__all__ = ["ProjectAgentRulesLoader", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Importing the package must stay free: `rules-lsp --version` and the hooks start through it.
    if name == "ProjectAgentRulesLoader":
        from rules_lsp.agents.loader import ProjectAgentRulesLoader

        return ProjectAgentRulesLoader
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
