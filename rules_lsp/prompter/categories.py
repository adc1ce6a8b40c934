"""The categories of a tool, by the table `data/categories.json`, by the paths of its call, and by what it runs.

A tool may have several. An MCP tool that no other category claims is `external_communication`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from rules_lsp.policy.shell.kinds import CommandLook
from rules_lsp.policy.tools.entries import denied_patterns, host_patterns, spelled_patterns
from rules_lsp.policy.tools.names import fold, folded_readings
from rules_lsp.policy.tools.patterns import ToolIndex
from rules_lsp.source.expressions import expression

_TABLE = os.path.join(os.path.dirname(__file__), "data", "categories.json")
_MCP_PREFIX = expression(r"(?i)mcp[_.:-]")
_REMOTE_PROGRAMS = frozenset({"ssh", "scp", "sftp", "mosh", "sshpass", "autossh", "ssh-copy-id"})


def categories_of(
    tool: str, operations: AbstractSet[str], look: CommandLook | None, servers: AbstractSet[str]
) -> frozenset[str]:
    """The categories of a call.

    `operations` are those on the paths that it touches, `look` is its command line (None where it runs none),
    `servers` are the names of the configured MCP servers. A command line that was not understood may go anywhere.
    """
    found = set(_by_table(tool))
    if "read" in operations:
        found.add("file_read")
    if operations - {"read"}:
        found.add("file_write")
    if look is not None:
        found.add("command_execution")
        if not look.whole or look.programs & _REMOTE_PROGRAMS:
            found.add("ssh")
    if not found and is_of_server(tool, servers):
        found.add("external_communication")
    return frozenset(found)


def runs_commands(tool: str) -> bool:
    """Whether a tool is of the category of shells, whatever it is called with."""
    return "command_execution" in _by_table(tool)


def is_of_server(tool: str, servers: AbstractSet[str]) -> bool:
    """Whether a name is that of an MCP tool, in any spelling of hosts."""
    if "/" in tool or _MCP_PREFIX.match(tool):
        return True
    known = {fold(server) for server in servers}
    return any(server in known for server, _ in folded_readings(tool) if server is not None)


@lru_cache(maxsize=8192)
def is_targeted(tool: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of a rule's tool patterns matches, read as entries that deny: in every spelling."""
    index = _index_of(patterns)
    return any(True for reading in folded_readings(tool) for _ in index.find(reading))


@lru_cache(maxsize=4096)
def _by_table(tool: str) -> frozenset[str]:
    index, names = _table()
    return frozenset(names[number] for reading in folded_readings(tool) for number in index.find(reading))


@cache
def _table() -> tuple[ToolIndex, list[str]]:
    with open(_TABLE, encoding="utf-8") as table:
        rows = json.load(table)
    index = ToolIndex()
    names = list(rows)
    for number, name in enumerate(names):
        for pattern in rows[name]:
            for reading in spelled_patterns(fold(pattern)) if "/" in pattern else ((None, fold(pattern)),):
                index.add(reading, number)
    return index, names


@lru_cache(maxsize=256)
def _index_of(patterns: tuple[str, ...]) -> ToolIndex:
    index = ToolIndex()
    for number, pattern in enumerate(patterns):
        for reading in (*denied_patterns(pattern), *host_patterns(pattern)):
            index.add(reading, number)
    return index
