"""The MCP servers that a project configures, by name: what is asked before every answer.

How they are started, their places and the faults of their files are read by `server_files`, from the same table with
the same parsers: a name is known here exactly if it is known there.
"""

from __future__ import annotations

import os
from functools import lru_cache

from rules_lsp.policy.files import FileContent, read_file

CONFIG_FILE = "config.yaml"
_ANY_KEY = ("mcpServers", "servers", "mcp_servers", "context_servers", "mcp")

SERVER_FILES: dict[str, tuple[str, ...]] = {
    ".mcp.json": _ANY_KEY,
    ".vscode/mcp.json": _ANY_KEY,
    ".cursor/mcp.json": _ANY_KEY,
    "mcp.json": _ANY_KEY,
    "claude_desktop_config.json": _ANY_KEY,
    ".a0proj/mcp_servers.json": _ANY_KEY,
    ".gemini/settings.json": ("mcpServers",),
    ".qwen/settings.json": ("mcpServers",),
    ".zed/settings.json": ("context_servers",),
    ".codex/config.toml": ("mcp_servers",),
    "opencode.json": ("mcp",),
    "opencode.jsonc": ("mcp",),
    CONFIG_FILE: ("mcp_servers", "mcpServers"),
}
"""The files of a project, root-relative, and the keys of their top level that hold servers.

A file of settings has the one key of its host: others mean something else there (`mcp` in a Gemini file). In
`config.yaml` the keys count at every level.
"""

SETTINGS_FILES = frozenset(
    {".gemini/settings.json", ".qwen/settings.json", ".zed/settings.json", ".codex/config.toml", "opencode.json"}
    | {"opencode.jsonc", CONFIG_FILE}
)
"""The files that hold other things too, so that servers may be missing."""

OF_AGENT_ZERO = frozenset({".a0proj/mcp_servers.json", CONFIG_FILE})
"""The files that may hold the servers as a text of JSON."""

_NATIVE_NAMES = tuple((name.replace("/", os.sep), name) for name in SERVER_FILES)


def configured_servers(root: str) -> frozenset[str]:
    """The names of the servers in the files of a project, exactly as configured, disabled ones included.

    `root` is a real path. A file that cannot be read, does not parse or is a link out of the project names none.
    """
    prefix = root if root.endswith(os.sep) else root + os.sep
    names: set[str] = set()
    for native, name in _NATIVE_NAMES:
        content = read_file(prefix + native, root)
        if content.exists and content.problem is None:
            names |= _names(name, content.data)
    return frozenset(names)


def may_name_servers(file_name: str, data: bytes) -> bool:
    """Whether a file is worth parsing: a `config.yaml` is of interest only where it mentions servers."""
    return file_name != CONFIG_FILE or b"mcp_server" in data or b"mcpServers" in data


@lru_cache(maxsize=32)
def _names(file_name: str, data: bytes) -> frozenset[str]:
    text, unreadable = FileContent(True, data).text()
    if unreadable is not None or not may_name_servers(file_name, data):
        return frozenset()
    # Only a project that has such a file pays for its parser.
    from rules_lsp.workspace.server_entries import named_servers, read_document

    return frozenset(found.name for found in named_servers(file_name, read_document(file_name, text).value))
