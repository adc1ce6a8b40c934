"""A policy in the hosts' own permission settings, as a second line of defence behind the hooks.

What a host's settings cannot say is reported, never left out in silence; nothing is written that allows more than the
policy does.
"""

from rules_lsp.agents.export.losses import Loss
from rules_lsp.agents.export.marked import Refused
from rules_lsp.agents.export.planning import HOST_FILES, FileChange, Plan, plan_export

__all__ = ["HOST_FILES", "FileChange", "Loss", "Plan", "Refused", "plan_export"]
