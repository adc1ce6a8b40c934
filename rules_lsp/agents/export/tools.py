"""The tools that a policy denies, by the names under which a project's servers and hosts know them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rules_lsp.agents.export.losses import Loss, loss
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.tools.lists import argument_form, canonical_name
from rules_lsp.policy.tools.names import fold
from rules_lsp.policy.tools.patterns import Wildcard, is_wild
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.catalogue import Catalogue

_NOT_IN_HOST_NAMES = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class DeniedTool:
    """A denied tool with the entry that denies it. The server of a built-in tool is None, `*` is every one.

    Server and tool are as the host's configuration spells them, and may hold wildcards.
    """

    server: str | None
    tool: str
    entry: str


@dataclass(frozen=True, slots=True)
class DeniedTools:
    """The denied tools. `servers` are the configured servers, `tools` the known ones of them as `(server, tool)`."""

    denied: tuple[DeniedTool, ...]
    servers: tuple[str, ...]
    tools: tuple[tuple[str, str], ...]
    losses: tuple[Loss, ...]

    def known_like(self, denied: DeniedTool) -> Iterator[tuple[str, str]]:
        """The known tools of configured servers that a denied tool with wildcards stands for."""
        if denied.server is not None:
            server, tool = Wildcard(fold(denied.server)), Wildcard(fold(denied.tool))
            yield from (each for each in self.tools if server.matches(fold(each[0])) and tool.matches(fold(each[1])))


def denied_tools(policy: Policy, catalogue: Catalogue) -> DeniedTools:
    """The tools that a policy denies; all of every server where that cannot be read."""
    servers = tuple(sorted({*catalogue.names(), *policy.known_servers}))
    tools = tuple(tuple(name.rsplit("/", 1)) for name, _ in catalogue.all_known())
    found: dict[tuple[str | None, str], DeniedTool] = {}
    bare: list[str] = []
    if policy.enabled and (policy.refusal is not None or policy.broken_denied is not None):
        found[("*", "*")] = DeniedTool("*", "*", "*")
        found[(None, "*")] = DeniedTool(None, "*", "*")
    elif policy.enabled:
        for entry in (entry for rules in policy.rules.denied_tools for entry in rules.entries):
            name = argument_form(entry.text) or entry.text
            if canonical_name(name)[0] is None:
                bare.append(entry.text)
            for server, tool in _meant(name, servers):
                found.setdefault((server, tool), DeniedTool(server, tool, entry.text))
    losses = []
    if bare:
        message = "a tool or a server of that name that is not configured now is not covered: export again when it is"
        losses.append(loss("later-servers", "lets-through", message, bare))
    if found:
        message = "names are compared letter for letter: `denied_tools` ignores case and knows other spellings"
        losses.append(loss("tool-spellings", "lets-through", message))
    return DeniedTools(tuple(found.values()), servers, tools, tuple(losses))  # type: ignore[arg-type]


def host_name(text: str) -> str:
    """A server's or a tool's name as hosts put it into the name of a function; wildcards become `_` too."""
    return _NOT_IN_HOST_NAMES.sub(lambda match: "__" if ord(match[0]) > 0xFFFF else "_", text)


def _meant(name: str, servers: Iterable[str]) -> Iterator[tuple[str | None, str]]:
    server, tool = canonical_name(name)
    if server is not None:
        yield server, tool
        same = fold(server)
        yield from ((each, tool) for each in servers if each != server and not is_wild(server) and fold(each) == same)
        return
    yield None, tool
    if tool == "*":
        yield "*", "*"
        return
    if not is_wild(tool):
        yield from ((each, "*") for each in servers if fold(each) == fold(tool))
    yield from ((each, tool) for each in servers)
