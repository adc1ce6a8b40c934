"""What rules do to the files and tools that exist now: what an entry takes, and what would be otherwise without it.

The files of a project have numbers, their places in the sorted inventory; a set of files is an integer whose bits are
these numbers, so that a union costs no more than a walk over its words. What a pattern takes is remembered as long as
its inventory lives: after a keystroke only the changed pattern is looked up.

Links are not followed, as in `may_write`; every file is there, so brackets that name what exists need no disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from rules_lsp.features.file_sets import FileSet, listed, once, taken_by, union
from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.patterns import read_pattern
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.tools.lists import AllowingList, DenyingList, known_servers
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory


@dataclass(frozen=True, slots=True)
class GlobCount:
    """What one pattern does to the files that exist now.

    `taken` is the number of files that it matches. `net` is the number of files that change sides without it: of an
    include those that no other entry of its list includes and that may be written, of an exclude (and of what an
    include negates) those that nothing else keeps from being written. `adds` tells which of the two it is, `total` is
    the number of files of the project; `complete` is False where not all files are known, so that every number is a
    least one. `hidden` is the number of files that could be read without it: 0 of an include, and of an exclude at
    least `net`.
    """

    taken: int
    net: int
    adds: bool
    total: int
    complete: bool = True
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class FileTotal:
    """How many files of `total`; `complete` is as in `GlobCount`."""

    files: int
    total: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ToolTotal:
    """How many of the known tools."""

    tools: int
    total: int


def count_ahead(policy: Policy, files: FileInventory) -> None:
    """Look up what every pattern of a policy takes, so that whoever asks for a number of it later waits for none."""
    FileCounts(policy, files).look_up_all()


class FileCounts:
    """The files of an inventory as a policy treats them. Entries are those of the policy's own rules."""

    def __init__(self, policy: Policy, inventory: FileInventory) -> None:
        self._policy = policy
        self._inventory = inventory
        self._taken = taken_by(inventory)
        self._roots = (policy.root.given, policy.root.real)
        self._read: dict[tuple[str, str], tuple[bool, FileSet | None]] = {}

    @property
    def complete(self) -> bool:
        """Whether every file of the project is known."""
        return self._inventory.complete

    @property
    def capped(self) -> bool:
        """Whether there are more files than are counted."""
        return self._inventory.capped

    @property
    def total(self) -> int:
        """The number of files of the project."""
        return len(self._inventory.files)

    @cached_property
    def writable(self) -> FileTotal:
        """The files that the rules let be written."""
        return self._total(self._writable)

    def of(self, entry: Entry) -> GlobCount | None:
        """What a pattern does; None where it cannot be read or has no effect."""
        adds, taken = self._reading(entry)
        if taken is None:
            return None
        net = self._net(entry, taken).bit_count()
        hidden = 0 if adds else self._hidden(taken).bit_count()
        return GlobCount(taken.bit_count(), net, adds, self.total, self.complete, hidden)

    def of_list(self, rules: RuleList) -> FileTotal:
        """The files that the entries of a pattern list take together: of an include list only what it allows."""
        return self._total(union(self._set(entry) for entry in self._of_kind(rules)))

    def files_of(self, entry: Entry) -> tuple[str, ...]:
        """The files that a pattern takes, sorted."""
        return self._files(self._reading(entry)[1] or 0)

    def net_files_of(self, entry: Entry) -> tuple[str, ...]:
        """The files that change sides without a pattern, sorted."""
        taken = self._reading(entry)[1]
        return self._files(self._net(entry, taken)) if taken is not None else ()

    def files_of_list(self, rules: RuleList) -> tuple[str, ...]:
        """The files that `of_list` counts, sorted."""
        return self._files(union(self._set(entry) for entry in self._of_kind(rules)))

    def writable_files(self) -> tuple[str, ...]:
        """The files that `writable` counts, sorted."""
        return self._files(self._writable)

    def overlapping(self, entry: Entry) -> tuple[tuple[Entry, int], ...]:
        """The other patterns of the same kind that take files of a pattern, and how many, most first."""
        adds, taken = self._reading(entry)
        return self._shared(entry, taken or 0, self._including if adds else self._excluding)

    def opposing(self, entry: Entry) -> tuple[tuple[Entry, int], ...]:
        """The patterns of the other kind that take files of a pattern, and how many, most first."""
        adds, taken = self._reading(entry)
        return self._shared(entry, taken or 0, self._excluding if adds else self._including)

    def look_up_all(self) -> None:
        """Look up what every pattern takes."""
        for rules in (*self._policy.rules.include, *self._policy.rules.exclude):
            for entry in rules.entries:
                self._reading(entry)
        _ = self.writable

    def _shared(
        self, entry: Entry, taken: FileSet, others: list[tuple[Entry, FileSet]]
    ) -> tuple[tuple[Entry, int], ...]:
        found = [
            (other, both) for other, files in others if other != entry and (both := (files & taken).bit_count()) > 0
        ]
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0].span)))

    def _total(self, files: FileSet) -> FileTotal:
        return FileTotal(files.bit_count(), self.total, self.complete)

    def _files(self, files: FileSet) -> tuple[str, ...]:
        return tuple(listed(files, self._inventory.files))

    def _reading(self, entry: Entry) -> tuple[bool, FileSet | None]:
        """Whether an entry adds files, and those that it takes; None where it takes none on principle."""
        if entry.list in TOOL_LISTS or entry.broken is not None:
            return False, None
        key = (entry.list, entry.text)
        if key not in self._read:
            self._read[key] = self._look_up(entry)
        return self._read[key]

    def _look_up(self, entry: Entry) -> tuple[bool, FileSet | None]:
        pattern = read_pattern(entry.text, entry.list)
        if pattern.glob is None or pattern.effect == "nothing":
            return False, None
        if pattern.effect == "includes":
            return True, self._taken.by_include(pattern.glob)
        # Of `!!p` an include negates the pattern `!p`, whose own mark is literal.
        text = pattern.body if not pattern.negated or not pattern.body.startswith("!") else "\\" + pattern.body
        return False, self._taken.by_exclude(text, self._roots, self._policy.fold_case)

    def _set(self, entry: Entry) -> FileSet:
        return self._reading(entry)[1] or 0

    def _of_kind(self, rules: RuleList) -> Iterator[Entry]:
        """The entries of a list that do what the list is for: not what an include negates."""
        adding = rules.name == "file_patterns.include"
        return (entry for entry in rules.entries if self._reading(entry)[0] is adding)

    def _net(self, entry: Entry, taken: FileSet) -> FileSet:
        if entry.list == "file_patterns.include" and not entry.text.startswith("!"):
            return taken & self._included_once.get(entry, 0) & self._writable if self._policy.enabled else 0
        return self._hidden(taken) & self._included & ~self._protected

    def _hidden(self, taken: FileSet) -> FileSet:
        """Of what a denying pattern takes what could be read without it: no include is asked about reading."""
        return taken & self._excluded_once

    @cached_property
    def _including(self) -> list[tuple[Entry, FileSet]]:
        return [
            (entry, taken)
            for rules in self._policy.rules.include
            for entry in rules.entries
            for adds, taken in (self._reading(entry),)
            if adds and taken is not None
        ]

    @cached_property
    def _excluding(self) -> list[tuple[Entry, FileSet]]:
        rules = self._policy.rules
        entries = [entry for each in (*rules.exclude, *rules.include) for entry in each.entries]
        return [
            (entry, taken)
            for entry in entries
            for adds, taken in (self._reading(entry),)
            if not adds and taken is not None
        ]

    @cached_property
    def _included_once(self) -> dict[Entry, FileSet]:
        """For each include the files that exactly one entry of its list takes."""
        found: dict[Entry, FileSet] = {}
        for rules in self._policy.rules.include:
            entries = [entry for entry in rules.entries if self._reading(entry)[0]]
            alone = once(self._set(entry) for entry in entries)
            found.update(dict.fromkeys(entries, alone))
        return found

    @cached_property
    def _excluded_once(self) -> FileSet:
        """The files that exactly one pattern denies; none where all are denied or allowed whatever it says."""
        policy = self._policy
        if not policy.enabled or policy.refusal is not None or policy.broken_exclude is not None:
            return 0
        return once(taken for _, taken in self._excluding)

    @cached_property
    def _included(self) -> FileSet:
        """The files that every include list takes."""
        included = self._all
        for rules in self._policy.rules.include:
            included &= union(self._set(entry) for entry in rules.entries if self._reading(entry)[0])
        return included

    @cached_property
    def _protected(self) -> FileSet:
        protected = self._policy.protected - self._policy.unprotected
        return self._taken.named(protected)

    @cached_property
    def _writable(self) -> FileSet:
        policy = self._policy
        if not policy.enabled:
            return self._all
        if policy.refusal is not None or policy.broken_exclude is not None:
            return 0
        return self._included & ~union(taken for _, taken in self._excluding) & ~self._protected

    @property
    def _all(self) -> FileSet:
        return self._taken.all


class ToolCounts:
    """The known tools of the configured servers as a policy treats them."""

    def __init__(self, policy: Policy, catalogue: Catalogue) -> None:
        self._policy = policy
        self._catalogue = catalogue

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The canonical names of all known tools, in the order of the servers."""
        return tuple(name for name, _ in self._catalogue.all_known())

    @cached_property
    def allowed_tools(self) -> tuple[str, ...]:
        """The known tools that may be called."""
        resolver = Resolver(self._policy.root)
        return tuple(name for name in self.known if decide_tool(self._policy, name, None, resolver).allowed)

    @property
    def allowed(self) -> ToolTotal:
        """How many of the known tools may be called."""
        return ToolTotal(len(self.allowed_tools), len(self.known))

    def tools_of(self, entry: Entry) -> tuple[str, ...]:
        """The known tools that an entry matches."""
        return self._matched.get(entry, ())

    def tools_of_list(self, rules: RuleList) -> tuple[str, ...]:
        """The known tools that some entry of a list matches."""
        found = {name for entry in rules.entries for name in self.tools_of(entry)}
        return tuple(name for name in self.known if name in found)

    def of_list(self, rules: RuleList) -> ToolTotal:
        """How many of the known tools some entry of a list matches."""
        return ToolTotal(len(self.tools_of_list(rules)), len(self.known))

    @cached_property
    def _matched(self) -> dict[Entry, tuple[str, ...]]:
        rules = self._policy.rules
        every = [entry for each in (*rules.allowed_tools, *rules.denied_tools) for entry in each.entries]
        servers = known_servers(self._policy.known_servers, every)
        matching: list[Callable[[str], tuple[Entry, ...]]] = [
            DenyingList([entry for each in rules.denied_tools for entry in each.entries]).all,
            *(AllowingList(each.entries, servers).all for each in rules.allowed_tools),
        ]
        found: dict[Entry, list[str]] = {}
        for name in self.known:
            for entries_of in matching:
                for entry in entries_of(name):
                    found.setdefault(entry, []).append(name)
        return {entry: tuple(names) for entry, names in found.items()}
