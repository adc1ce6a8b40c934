"""Servers that were asked for their tools, without anybody asking them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules_lsp.workspace.catalogue import KnownTool
from rules_lsp.workspace.live.learnt import LearntServer, LearntServers, fingerprint_of
from rules_lsp.workspace.server_files import ConfiguredServer

ASKED = "2026-01-02T03:04:05Z"


def learnt_by_name(
    tools: Mapping[str, Iterable[KnownTool]], *, whole: bool = True
) -> Callable[[Iterable[ConfiguredServer]], LearntServers]:
    """What servers said, by name; the function makes it fit to their launches."""

    def learnt(servers: Iterable[ConfiguredServer]) -> LearntServers:
        return LearntServers(
            LearntServer(server.name, fingerprint_of(server.launch), ASKED, tuple(sorted(tools[server.name])), whole)
            for server in servers
            if server.name in tools
        )

    return learnt
