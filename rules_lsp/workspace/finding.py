"""Where a project begins, and which configuration its operator has given: found without reading any rules."""

from __future__ import annotations

import os

from rules_lsp.policy.file_names import DEFAULT_RULE_FILES

CONFIG_VARIABLE = "RULES_LSP_CONFIG"


def operator_config(named: str | None) -> str | None:
    """The operator's configuration: the one that is named, else that of the environment, as an absolute path."""
    path = named or os.environ.get(CONFIG_VARIABLE)
    return os.path.abspath(path) if path else None


def find_root(directory: str) -> str:
    """The root for a working directory: the git work tree's top, the outermost ancestor with a rule file, or itself."""
    outermost = directory
    current = os.path.abspath(directory)
    while True:
        if os.path.lexists(os.path.join(current, ".git")):
            return current
        if any(os.path.lexists(os.path.join(current, name)) for name in DEFAULT_RULE_FILES):
            outermost = current
        parent = os.path.dirname(current)
        if parent == current:
            return os.path.abspath(outermost)
        current = parent
