"""The entries of tool lists as checks look at them, and the names of the servers that are known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from rules_lsp.checks.common.lookalikes import meant
from rules_lsp.checks.common.nearest import Nearest
from rules_lsp.checks.common.prompter_rules import targeted_tools
from rules_lsp.checks.common.remembered import once_a_list, once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import DENYING_LISTS
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.tools.lists import argument_form, split_name
from rules_lsp.policy.tools.names import Reading
from rules_lsp.policy.tools.patterns import is_wild
from rules_lsp.source.records import dataclass

_NOT_IN_HOST_NAMES = re.compile(r"[^a-z0-9_-]")
# Servers that hosts bring along: no file of a project configures them.
_SERVERS_OF_HOSTS = frozenset({"developer", "ide", "text"})
_OF_A_PLUGIN = re.compile(r"plugin[_:]")


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """An entry that can be read, and the pair of patterns that it stands for; the server of a bare name is None."""

    entry: Entry
    holder: RuleList
    server: str | None
    tool: str

    @property
    def denying(self) -> bool:
        """Whether it stands in a denying list."""
        return self.holder.name in DENYING_LISTS

    @property
    def denies_everything(self) -> bool:
        """Whether it is a denying `*`: every tool there is."""
        return self.denying and not self.entry.text.strip("*")

    @property
    def name(self) -> str:
        """The entry as it is named without arguments."""
        return self.tool if self.server is None else f"{self.server}/{self.tool}"

    @property
    def names_server(self) -> bool:
        """Whether it names one server, without a wildcard."""
        return self.server is not None and not is_wild(self.server)


def tool_lists(subject: Subject) -> tuple[RuleList, ...]:
    """The tool lists of a file that is in force; none where it does not parse and may say more than can be read.

    The targets of rules that act while an agent works are read as denying lists are.
    """
    if subject.kind == "prompter":
        return targeted_tools(subject)
    rules = subject.shown
    return () if subject.error is not None else (*rules.allowed_tools, *rules.denied_tools)


@once_a_subject
def tool_entries(subject: Subject) -> tuple[ToolEntry, ...]:
    """The tool entries that say something: those that are broken or allow nothing for their arguments do not."""
    return tuple(found for holder in tool_lists(subject) for found in entries_in(subject, holder))


def entries_in(subject: Subject, holder: RuleList) -> tuple[ToolEntry, ...]:
    """The entries of one of the subject's tool lists that say something."""
    kept = _by_list(subject)
    if id(holder) not in kept:
        kept[id(holder)] = tuple(readable(holder))
    return kept[id(holder)]


@once_a_subject
def _by_list(subject: Subject) -> dict[int, tuple[ToolEntry, ...]]:
    """The entries of lists, as far as somebody has asked; the subject holds the lists, so that an id is of one."""
    return {}


def readable(holder: RuleList) -> Iterator[ToolEntry]:
    """The entries of a tool list that say something."""
    return (found for entry in holder.entries if (found := read_entry(entry, holder)) is not None)


def read_entry(entry: Entry, holder: RuleList) -> ToolEntry | None:
    """An entry of a tool list as it is read, or None where it says nothing."""
    if entry.broken is not None:
        return None
    name = argument_form(entry.text)
    if name is not None and holder.name not in DENYING_LISTS:
        return None
    return ToolEntry(entry, holder, *split_name(name or entry.text))


@once_a_list
def readings_of(holder: RuleList) -> tuple[tuple[Reading, str], ...]:
    """What the entries of a tool list that say something stand for, each with its text."""
    return tuple(((found.server, found.tool), found.entry.text) for found in readable(holder))


@once_a_list
def denies_everything(holder: RuleList) -> bool:
    """Whether a list denies every tool there is, by a `*`."""
    return any(found.denies_everything for found in readable(holder))


class KnownServers:
    """The names of the servers that a project configures, as they are written there."""

    def __init__(self, subject: Subject) -> None:
        catalogue = subject.catalogue
        names = (*(catalogue.names() if catalogue is not None else ()), *sorted(subject.known_servers))
        self.names = tuple(dict.fromkeys(names))
        self._exact = frozenset(self.names)

    def __bool__(self) -> bool:
        return bool(self.names)

    def __contains__(self, name: str) -> bool:
        return name in self._exact

    def spelled(self, name: str) -> str | None:
        """The one server of that name in any case, as it is written, or None."""
        if name in self._exact:
            return name
        found = self._by_folded.get(name.casefold(), [])
        return found[0] if len(found) == 1 else None

    def may_exist(self, name: str) -> bool:
        """Whether a server of that name is known in any case or in the spelling of hosts, or may be a host's own."""
        folded = name.casefold()
        if folded in self._by_folded or folded in self._host_forms or folded in _SERVERS_OF_HOSTS:
            return True
        return _OF_A_PLUGIN.match(folded) is not None

    def lookalike(self, name: str) -> str | None:
        """The known server that a name which is none only looks like, or None."""
        return None if name.isascii() or name in self._exact else self.spelled(meant(name))

    @cached_property
    def nearest(self) -> Nearest:
        """The known names by what they are near to."""
        return Nearest(self.names)

    @cached_property
    def _by_folded(self) -> dict[str, list[str]]:
        by_folded: dict[str, list[str]] = {}
        for name in self.names:
            by_folded.setdefault(name.casefold(), []).append(name)
        return by_folded

    @cached_property
    def _host_forms(self) -> frozenset[str]:
        return frozenset(_NOT_IN_HOST_NAMES.sub("_", name.casefold()) for name in self.names)


@once_a_subject
def servers_of(subject: Subject) -> KnownServers:
    """The servers of a subject's project."""
    return KnownServers(subject)
