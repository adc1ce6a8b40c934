"""What the catalogue knows of the tools of a project's servers, made ready to be asked entry by entry."""

from __future__ import annotations

from functools import cached_property

from rules_lsp.checks.common.nearest import Nearest
from rules_lsp.checks.common.remembered import once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_names import ToolEntry, servers_of
from rules_lsp.policy.tools.patterns import is_wild
from rules_lsp.workspace.catalogue import Catalogue


class ToolsOfServer:
    """The tools of one server. `title` is the software's name, `whole` says that there are no others."""

    def __init__(self, catalogue: Catalogue, server: str) -> None:
        known = catalogue.known(server)
        self._catalogue, self._server = catalogue, server
        self._names = tuple(tool.name for tool in known.tools) if known is not None else ()
        self._old = tuple(known.renamed) if known is not None else ()
        self._folded = {name.casefold(): name for name in self._names}
        self.title = known.title if known is not None else server
        self.whole = known is not None and known.whole
        self.any = bool(self._names)

    def spelled(self, tool: str) -> str | None:
        """The tool of that name in any case, as the server writes it, or None."""
        return tool if tool in self._names else self._folded.get(tool.casefold())

    def may_have(self, tool: str) -> bool:
        """Whether there is such a tool, in any case; of a pattern with wildcards nothing is said."""
        return is_wild(tool) or tool.casefold() in self._folded

    def writes(self, tool: str) -> bool:
        """Whether the server has the tool and does not state that it only reads."""
        known = self._catalogue.tool(self._server, tool)
        return known is not None and not known.read_only

    def renamed(self, tool: str) -> str | None:
        """The name that a tool has today, or None."""
        return None if self.may_have(tool) else self._catalogue.renamed(self._server, tool)

    def near(self, tool: str) -> str | None:
        """The tool that a name is a slip of, under the name that it has today, or None."""
        found = self._nearest.to(tool)
        return found if found is None or found in self._names else self.renamed(found)

    @cached_property
    def _nearest(self) -> Nearest:
        return Nearest((*self._names, *self._old))


class ToolsOfServers:
    """The servers of a project with their tools; there are none where the catalogue is not at hand."""

    def __init__(self, subject: Subject) -> None:
        self._catalogue = subject.catalogue
        self._servers = servers_of(subject)
        self._tools: dict[str, ToolsOfServer | None] = {}

    def __bool__(self) -> bool:
        return self._catalogue is not None and bool(self._servers)

    def server_of(self, entry: ToolEntry) -> str | None:
        """The configured server that an entry names: as it is written in an allowing list, in any case in a denying."""
        if entry.server is None or not entry.names_server:
            return None
        if entry.denying:
            return self._servers.spelled(entry.server)
        return entry.server if entry.server in self._servers else None

    def of(self, server: str) -> ToolsOfServer | None:
        """What is known of the tools of a configured server, or None."""
        if server not in self._tools:
            tools = ToolsOfServer(self._catalogue, server) if self._catalogue is not None else None
            self._tools[server] = tools if tools is not None and tools.any else None
        return self._tools[server]


@once_a_subject
def tools_of_project(subject: Subject) -> ToolsOfServers:
    """What is known of the tools of a subject's project."""
    return ToolsOfServers(subject)
