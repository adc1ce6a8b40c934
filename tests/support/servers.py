"""The MCP server of npm that tests ask: where tests/support/servers.sh installs it, and why it cannot run here."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def filesystem_server() -> Path:
    """The script of `@modelcontextprotocol/server-filesystem`, for Node."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    directory = Path(os.environ.get("RULES_LSP_CACHE") or Path(cache) / "rules-lsp-tests") / "servers"
    return directory / "node_modules" / "@modelcontextprotocol" / "server-filesystem" / "dist" / "index.js"


def lack_of_filesystem_server() -> str | None:
    """Why this machine cannot run the test with the file-system server, or None."""
    if shutil.which("node") is None:
        return "there is no `node`"
    script = filesystem_server()
    return None if script.is_file() else f"there is no {script}: see tests/support/servers.sh"
