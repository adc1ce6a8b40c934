"""Tools in two steps: the servers first, then the tools of the one that is named, with what is decided about each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from rules_lsp.features.completion_place import Place, Proposal, Proposals, Topic
from rules_lsp.features.numbers import amount
from rules_lsp.features.view import View
from rules_lsp.policy.entries import DENYING_LISTS, shown
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.source.expressions import expression
from rules_lsp.workspace.catalogue import Catalogue, KnownServer, KnownTool

BUILT_IN_TOOLS = (
    "Bash",
    "Edit",
    "Glob",
    "Grep",
    "NotebookEdit",
    "Read",
    "Task",
    "WebFetch",
    "WebSearch",
    "Write",
)
"""Tools of widespread agents that no server has: offered by name, whether the agent at hand has them or not."""
_PLAIN_KEY = expression(r"[A-Za-z0-9_][A-Za-z0-9_. /-]*")
LEAST_OF_A_KIND = 2
"""Tools that begin with the same word, for which a pattern is offered."""
_EVERY_SERVER = "*"


def tool_proposals(view: View, place: Place) -> Proposals:
    """What may be written in a tool list."""
    assert place.list is not None
    catalogue = view.subject.catalogue
    server = _named_server(view, place.before)
    found = _Listed(view, place)
    if server is None:
        return Proposals((*_servers(view, found, place), *_built_ins(found)), catalogue is not None)
    if catalogue is None:
        return Proposals((), False)
    names = (server,) if server != _EVERY_SERVER else catalogue.names()
    tools = [(name, tool) for name in names for tool in _known_tools(catalogue.known(name))]
    single = _single_tools(found, server, tools) if server != _EVERY_SERVER else ()
    return Proposals((*single, *_kinds(found, server, [tool.name for _, tool in tools])))


def tool_key_proposals(view: View, present: Collection[str], *, colon: bool, flow: bool) -> Iterator[Proposal]:
    """The known tools as keys of `x-tool-paths`, those that are there last; none that would have to be quoted."""
    catalogue = view.subject.catalogue
    for name, tool in catalogue.all_known() if catalogue is not None else ():
        if _PLAIN_KEY.fullmatch(name) is None:
            continue
        states = "reads only" if tool.read_only else "may destroy" if tool.destructive else None
        listed = name in present
        snippet, written = (f"{name}: [$0]", f"{name}: ") if flow else (f"{name}:\n  - $0", f"{name}:")
        yield Proposal(
            name,
            name,
            "tool",
            "already written" if listed else states,
            Topic("tool", name, "allowed_tools"),
            listed=listed,
            snippet=None if colon else snippet,
            written=None if colon else written,
        )


class _Listed:
    """The entries of a list but the one that is being written, and what the other entries decide."""

    def __init__(self, view: View, place: Place) -> None:
        assert place.list is not None
        self.list: ListName = place.list
        self.denying = place.list in DENYING_LISTS
        self._policy = view.policy
        self._place = place.span
        entries = [entry for rules in view.subject.shown.lists() if rules.name == place.list for entry in rules.entries]
        self._texts = {entry.text for entry in entries if not self._is_own(entry)}

    def proposal(self, text: str, label: str, kind: str, detail: str | None, topic: Topic) -> Proposal:
        """A proposal, which says that it is listed or denied already where it is."""
        listed = text in self._texts
        if listed:
            detail = "already listed"
        elif (other := self._denied_by(text)) is not None:
            detail = f"{'already denied' if self.denying else 'denied'} by `{shown(other.text)}`"
        return Proposal(text, label, "pattern" if kind == "pattern" else "tool", detail, topic, listed=listed)

    def _denied_by(self, text: str) -> Entry | None:
        if "*" in text or "?" in text:
            return None
        return next((entry for entry in self._policy.denying.all(text) if not self._is_own(entry)), None)

    def _is_own(self, entry: Entry) -> bool:
        return entry.span.start <= self._place.end and self._place.start <= entry.span.end


def _named_server(view: View, before: str) -> str | None:
    """The server whose tools are asked for: the longest that the text names in front of a `/`."""
    parts = before.split("/")
    known = {name.casefold(): name for name in _server_names(view)}
    for count in range(len(parts) - 1, 0, -1):
        name = "/".join(parts[:count])
        if name == _EVERY_SERVER:
            return name
        if (found := known.get(name.casefold())) is not None:
            return found
    return None


def _server_names(view: View) -> Iterable[str]:
    catalogue = view.subject.catalogue
    configured = catalogue.names() if catalogue is not None else ()
    return dict.fromkeys((*configured, *sorted(view.policy.known_servers)))


def _servers(view: View, found: _Listed, place: Place) -> Iterator[Proposal]:
    catalogue = view.subject.catalogue
    for name in _server_names(view):
        known = catalogue.known(name) if catalogue is not None else None
        detail = _server_detail(catalogue, name, known)
        yield Proposal(f"{name}/", f"{name}/", "server", detail, Topic("server", name), partial=True)
    if place.before.startswith(_EVERY_SERVER):
        yield Proposal("*/", "*/", "server", "every server", Topic("server", _EVERY_SERVER), partial=True)
    yield found.proposal("*", "*", "pattern", "every tool", Topic("tool", "*", found.list))


def _server_detail(catalogue: Catalogue | None, name: str, known: KnownServer | None) -> str | None:
    server = catalogue.server(name) if catalogue is not None else None
    disabled = "disabled" if server is not None and server.disabled else None
    tools = amount(len(known.tools), "tool", complete=known.whole) if known is not None else None
    return ", ".join(filter(None, (tools, disabled))) or None


def _built_ins(found: _Listed) -> Iterator[Proposal]:
    for name in BUILT_IN_TOOLS:
        yield found.proposal(name, name, "tool", "built-in tool", Topic("tool", name, found.list))


def _known_tools(known: KnownServer | None) -> tuple[KnownTool, ...]:
    return known.tools if known is not None else ()


def _single_tools(found: _Listed, server: str, tools: list[tuple[str, KnownTool]]) -> Iterator[Proposal]:
    for _, tool in tools:
        text = f"{server}/{tool.name}"
        states = "reads only" if tool.read_only else "may destroy" if tool.destructive else None
        yield found.proposal(text, tool.name, "tool", states, Topic("tool", text, found.list))


def _kinds(found: _Listed, server: str, names: list[str]) -> Iterator[Proposal]:
    """The patterns for all tools and for those that begin alike."""
    every = f"{server}/*"
    known = amount(len(names), "known tool") if names else "every tool"
    yield found.proposal(every, "*", "pattern", known, Topic("tool", every, found.list))
    words = Counter(f"{word}_" for name in names for word, rest in (_first_word(name),) if rest)
    for word, number in sorted(words.items()):
        if number >= LEAST_OF_A_KIND:
            text = f"{server}/{word}*"
            yield found.proposal(
                text, f"{word}*", "pattern", amount(number, "known tool"), Topic("tool", text, found.list)
            )


def _first_word(name: str) -> tuple[str, str]:
    word, _, rest = name.partition("_")
    return word, rest
