"""The MCP servers that a project configures, by name."""

from __future__ import annotations

import json
import os

from rules_lsp.policy.files import read_file

SERVER_FILES = (".mcp.json", ".vscode/mcp.json")
SERVER_KEYS = ("mcpServers", "servers")


def configured_servers(root: str) -> frozenset[str]:
    """The names of the servers in the project's MCP configurations; a file that cannot be read names none."""
    names: set[str] = set()
    for file_name in SERVER_FILES:
        content = read_file(os.path.join(root, *file_name.split("/")))
        text, unreadable = content.text()
        if not content.exists or unreadable is not None:
            continue
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            continue
        for key in SERVER_KEYS:
            servers = document.get(key) if isinstance(document, dict) else None
            if isinstance(servers, dict):
                names.update(servers)
    return frozenset(names)
