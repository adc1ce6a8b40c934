"""Which tools the configured servers have, as far as that is known.

A server is recognised by its software: the package, image, binary or address that it is started from or reached at.
Its local name is never evidence: anyone may call a server of their own `github`, and a wrong guess would warn of tools
that exist. What is not recognised is not known, and nothing is said of its tools.

The table `data/tool_catalogue.json` has for each software
- `title`: its name for people;
- `identities`: as `server_identity` makes them; an address also covers the paths below it;
- `tools`: lists of names by what the software itself states of them: `readOnly`, `destructive`, or `unstated`;
- `more`: further tools that it has where a sign of `when` holds;
- `openWhen`: signs that it has tools which the table does not list;
- `renamed`: old names of tools with their new ones.
A sign is a pattern with `*` that matches a word of the launch, `env:` with the name of a variable that is set, or one
of the identities.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rules_lsp.source.records import dataclass, field
from rules_lsp.workspace.server_files import ConfiguredServer, ServerFile
from rules_lsp.workspace.server_identity import identities

if TYPE_CHECKING:
    from rules_lsp.workspace.live.learnt import LearntServers

_TABLE = os.path.join(os.path.dirname(__file__), "data", "tool_catalogue.json")


@dataclass(frozen=True, slots=True, order=True)
class KnownTool:
    """A tool of a server. The flags are what its software states; false also means that it states nothing.

    `description` is the server's own, one line, empty where it was not asked for its tools.
    """

    name: str
    read_only: bool = False
    destructive: bool = False
    description: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class KnownServer:
    """What is known of a server: of the software behind its name, or learnt from the server itself.

    `whole` says that it has no other tools than `tools` (sorted by name). `asked` is when the server itself told them,
    a time in UTC, or None where they are those of its software.
    """

    title: str
    tools: tuple[KnownTool, ...]
    renamed: Mapping[str, str]
    whole: bool
    asked: str | None = None


_NONE: Mapping[str, Any] = MappingProxyType({})


class Catalogue:
    """The servers of a project and their tools; immutable. The table is read when the first tool is asked for.

    A name that several files configure is one server to a rule: its tools are those of all of them, and are known to
    be all only where each of them is.
    """

    def __init__(self, servers: Iterable[ConfiguredServer], learnt: LearntServers | None = None) -> None:
        self._servers = tuple(servers)
        self._learnt = learnt

    @classmethod
    def of(cls, servers: Iterable[ConfiguredServer], learnt: LearntServers | None = None) -> Catalogue:
        """The catalogue of configured servers. `learnt` is what those said that were asked for their tools."""
        return cls(servers, learnt)

    @classmethod
    def of_files(cls, files: Iterable[ServerFile], learnt: LearntServers | None = None) -> Catalogue:
        """The catalogue of every server of the files."""
        return cls((server for file in files for server in file.servers), learnt)

    def servers(self) -> tuple[ConfiguredServer, ...]:
        """Every configuration of every server, in the order of the files."""
        return self._servers

    def names(self) -> tuple[str, ...]:
        """The names of the servers as configured, each once."""
        return tuple(self._by_name)

    def server(self, name: str) -> ConfiguredServer | None:
        """The first configuration of exactly that name."""
        return next(iter(self._by_name.get(name, ())), None)

    def known(self, server: str) -> KnownServer | None:
        """What is known of a server, or None."""
        if server not in self._known:
            self._known[server] = self._look_up(server)
        return self._known[server]

    def is_stale(self, server: str) -> bool:
        """Whether a server was asked for its tools, and is started or reached otherwise by now."""
        learnt = self._learnt
        return learnt is not None and any(map(learnt.is_stale, self._by_name.get(server, ())))

    def tools_of(self, server: str) -> tuple[KnownTool, ...] | None:
        """All tools of a server, sorted by name; None where they are not all known: then say nothing of a tool."""
        known = self.known(server)
        return known.tools if known is not None and known.whole else None

    def tool(self, server: str, tool: str) -> KnownTool | None:
        """A tool with its flags, if it is known."""
        known = self.known(server)
        return None if known is None else next((found for found in known.tools if found.name == tool), None)

    def renamed(self, server: str, tool: str) -> str | None:
        """The name that a tool of the server has today; None where it still has this one, or nothing is known."""
        known = self.known(server)
        if known is None or self.tool(server, tool) is not None:
            return None
        new = known.renamed.get(tool)
        return new if new is not None and self.tool(server, new) is not None else None

    def all_known(self) -> Iterator[tuple[str, KnownTool]]:
        """Every known tool with its canonical name `server/tool`, those of lists that are not whole included."""
        for name in self.names():
            known = self.known(name)
            if known is not None:
                yield from ((f"{name}/{tool.name}", tool) for tool in known.tools)

    @cached_property
    def _by_name(self) -> dict[str, tuple[ConfiguredServer, ...]]:
        by_name: dict[str, tuple[ConfiguredServer, ...]] = {}
        for server in self._servers:
            by_name[server.name] = (*by_name.get(server.name, ()), server)
        return by_name

    @cached_property
    def _known(self) -> dict[str, KnownServer | None]:
        return {}

    def _look_up(self, name: str) -> KnownServer | None:
        found = [self._one(server) for server in self._by_name.get(name, ())]
        recognised = [known for known in found if known is not None]
        if len(recognised) < 2:
            known = recognised[0] if recognised else None
            return known if known is None or len(found) == 1 else _not_whole(known)
        tools = tuple(sorted({tool for known in recognised for tool in known.tools}))
        renamed = {old: new for known in recognised for old, new in known.renamed.items()}
        whole = len(found) == len(recognised) and all(known.whole for known in recognised)
        return KnownServer(
            recognised[0].title, tools, renamed, whole, max(each.asked or "" for each in recognised) or None
        )

    def _one(self, server: ConfiguredServer) -> KnownServer | None:
        """What one configuration of a server is known to have: what it said, else what its software has."""
        recognised = _recognise(server)
        learnt = self._learnt.of(server) if self._learnt is not None else None
        if learnt is None:
            return recognised
        title, renamed = (recognised.title, recognised.renamed) if recognised is not None else (server.name, _NONE)
        return KnownServer(title, learnt.tools, renamed, learnt.whole, learnt.asked)


def _not_whole(known: KnownServer) -> KnownServer:
    return KnownServer(known.title, known.tools, known.renamed, False, known.asked)


@cache
def _table() -> dict[str, dict[str, Any]]:
    with open(_TABLE, encoding="utf-8") as file:
        software: dict[str, dict[str, Any]] = json.load(file)
    return {identity: entry for entry in software.values() for identity in entry["identities"]}


def _recognise(server: ConfiguredServer) -> KnownServer | None:
    """The software of a server, where its identities point to exactly one."""
    names = identities(server.launch)
    entries = [entry for name in names if (entry := _entry(name)) is not None]
    if not entries or any(entry is not entries[0] for entry in entries):
        return None
    entry = entries[0]
    signs = (*server.launch.words, *(f"env:{name}" for name in server.launch.environment), *names)
    tools = [*_tools(entry["tools"])]
    for more in entry.get("more", ()):
        if _any_sign(more["when"], signs):
            tools += _tools(more["tools"])
    whole = not _any_sign(entry.get("openWhen", ()), signs)
    return KnownServer(entry["title"], tuple(sorted(tools)), MappingProxyType(entry.get("renamed", {})), whole)


def _entry(identity: str) -> dict[str, Any] | None:
    table = _table()
    while identity not in table and identity.startswith("url:") and "/" in identity:
        identity = identity.rpartition("/")[0]
    return table.get(identity)


def _tools(by_flag: Mapping[str, list[str]]) -> Iterator[KnownTool]:
    for flag, names in by_flag.items():
        yield from (KnownTool(name, flag == "readOnly", flag == "destructive") for name in names)


def _any_sign(patterns: Iterable[str], signs: Iterable[str]) -> bool:
    return any(fnmatchcase(sign, pattern) for pattern in patterns for sign in signs)
