"""The canonical form `server/tool` of an entry that is written otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.lookalikes import meant
from rules_lsp.checks.common.tool_names import KnownServers
from rules_lsp.policy.tools.entries import entry_problem
from rules_lsp.policy.tools.names import SEPARATORS, splits
from rules_lsp.workspace.catalogue import Catalogue

_PREFIX = "mcp__"
_FURTHER_PREFIXES = {"mcp_": "_", "mcp:": ":", "mcp.": ".", "mcp-": "-"}
_SEPARATORS = ("__", ".", ":")
_TOOL = re.compile(r"[A-Za-z0-9_.*?-]+")
_BETWEEN = re.compile("[,;]")
_AROUND_SLASH = re.compile(r"\s*[/\\]+\s*")
_MARKS = " \t\"'`,;"


def is_host_spelling(text: str) -> bool:
    """Whether an entry is written as hosts call the tools of servers, whatever the servers are."""
    return text.startswith(_PREFIX) and "/" not in text and len(text) > len(_PREFIX)


def of_host_spelling(text: str, servers: KnownServers) -> str | None:
    """`server/tool` for `mcp__server__tool`, and for further spellings where the server is known; None if in doubt."""
    if "/" in text:
        return None
    known = {f"{server}/{tool}" for name, tool in _splits(text) if (server := servers.spelled(name)) is not None}
    if known or not is_host_spelling(text):
        return known.pop() if len(known) == 1 else None
    rest = text.removeprefix(_PREFIX)
    found = [(name, tool) for name, tool in splits(rest, ("__",)) if name is not None and _is_clean(name, tool)]
    if len(found) == 1:
        return "/".join(found[0])
    if found or "__" in rest or not _is_clean(rest, "*"):
        return None
    return f"{servers.spelled(rest) or rest}/*"


def of_broken(text: str, denying: bool, servers: KnownServers, catalogue: Catalogue | None) -> tuple[str, ...]:
    """The entries that a broken one was meant to be, or none where that is not certain."""
    parts = [_repaired(part, denying, servers, catalogue) for part in _BETWEEN.split(text) if part.strip()]
    found = [part for part in parts if part is not None]
    return tuple(dict.fromkeys(found)) if len(found) == len(parts) else ()


def _repaired(text: str, denying: bool, servers: KnownServers, catalogue: Catalogue | None) -> str | None:
    name = _AROUND_SLASH.sub("/", meant(text).strip(_MARKS)).removeprefix("/")
    name = f"{name}*" if name.endswith("/") and denying else name
    server, slash, tool = name.rpartition("/")
    if not slash and name.count(" ") == 1:
        first, second = name.split(" ")
        known = servers.spelled(first)
        name = f"{known}/{second}" if known is not None else name
    elif " " in tool and catalogue is not None:
        joined = (tool.replace(" ", separator) for separator in "_-")
        name = next((f"{server}/{each}" for each in joined if catalogue.tool(server, each) is not None), name)
    if entry_problem(name, denying) is not None:
        return None
    return of_host_spelling(name, servers) or name


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """The splits that are certain where the server is known: at what no built-in tool's name holds, or behind `mcp`."""
    if text.startswith(_PREFIX):
        found = [*splits(text.removeprefix(_PREFIX), ("__",))]
    else:
        found = [*splits(text, _SEPARATORS)]
        for prefix, separator in _FURTHER_PREFIXES.items():
            if text.startswith(prefix):
                found += splits(text.removeprefix(prefix), (separator,))
    yield from ((server, tool) for server, tool in found if server is not None and _is_clean(server, tool))


def _is_clean(server: str, tool: str) -> bool:
    whole = server.strip(SEPARATORS) == server and tool.strip(SEPARATORS) == tool
    return whole and _TOOL.fullmatch(tool) is not None
