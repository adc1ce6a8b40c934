"""A call as rules look at it: its categories, its command lines, the files that it touches. All of it is lazy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property, lru_cache

from rules_lsp.policy.config import Config
from rules_lsp.policy.decide_file import excluding_entries
from rules_lsp.policy.model import Entry, RuleList, Rules
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import AskedPath, asked_path
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.shell.kinds import CommandLook, look_at_command
from rules_lsp.policy.shell.patterns import CommandPattern, program_of
from rules_lsp.policy.shell.programs import PROGRAMS
from rules_lsp.policy.shell.tools import command_lines, lines_at
from rules_lsp.policy.shell.wrappers import unwrapped
from rules_lsp.policy.tools.paths import Touched, touched_paths
from rules_lsp.prompter.categories import categories_of, is_targeted
from rules_lsp.prompter.model import Rule
from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import read_shell
from rules_lsp.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LINE_KEYS = ("command", "cmd", "commands", "script", "input")


@dataclass(frozen=True)
class Call:
    """One tool call of an assistant's message. `control` is a call that ends or moves the work, and no tool."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    control: bool = False
    cwd: str | None = None


class LookedAt:
    """A call under one policy and one project's dangerous commands.

    `patterns` are the file patterns of all rules together: each path is looked at once for all of them. `resolver` is
    that of the batch.
    """

    def __init__(
        self,
        call: Call,
        policy: Policy,
        dangerous: tuple[CommandPattern, ...],
        patterns: tuple[str, ...],
        resolver: Resolver,
    ) -> None:
        self.call = call
        self._policy = policy
        self._dangerous = dangerous
        self._patterns = patterns
        self._resolver = resolver

    @cached_property
    def lines(self) -> list[str]:
        """The command lines that the call runs."""
        known = command_lines(self.call.tool, self.call.arguments)
        if known or "command_execution" not in categories_of(self.call.tool, frozenset(), None, frozenset()):
            return known
        return lines_at(self.call.arguments, _LINE_KEYS)

    @cached_property
    def looks(self) -> tuple[CommandLook, ...]:
        """The command lines as they were understood."""
        return tuple(look_at_command(line, self._dangerous) for line in self.lines)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of all command lines."""
        return frozenset(kind for look in self.looks for kind in look.kinds)

    @cached_property
    def label(self) -> str:
        """What people are told of the call: its tool, and the kinds of its command lines."""
        return ", ".join((self.call.tool, *sorted(self.kinds)))

    @cached_property
    def touched(self) -> Touched:
        """The paths of the call's arguments, those of command lines left out."""
        return touched_paths(self.call.tool, self.call.arguments, self._policy.rules.tool_paths)

    @cached_property
    def _paths(self) -> tuple[tuple[str, str], ...]:
        """The paths of the call with their operations, those of command lines included."""
        found: list[tuple[str, str]] = []
        for path in self.touched.paths:
            found.append((path.path, path.operation))
            if path.new_path is not None:
                found.append((path.new_path, "write"))
        return tuple(found)

    @cached_property
    def categories(self) -> frozenset[str]:
        """The categories of the call."""
        operations = frozenset(operation for _, operation in self._paths)
        look = None
        if self.looks:
            programs = frozenset(name for each in self.looks for name in each.programs)
            look = CommandLook(self.kinds, programs, all(each.whole for each in self.looks))
        return categories_of(self.call.tool, operations, look, self._policy.known_servers)

    def is_target_of(self, rule: Rule) -> bool:
        """Whether the call is among those that a rule is about: of one of its categories, or one of its tools."""
        if not rule.has_target or rule.unsupported_category is not None:
            return True
        if rule.categories and not rule.categories.isdisjoint(self.categories):
            return True
        return bool(rule.tools) and is_targeted(self.call.tool, rule.tools)

    def touches(self, patterns: tuple[str, ...]) -> bool:
        """Whether a path of the call is covered by a pattern. A line that was not understood may touch any."""
        if any(not look.whole for look in self.looks):
            return True
        return not self._covering.isdisjoint(patterns)

    @cached_property
    def _covering(self) -> frozenset[str]:
        """The patterns that cover a path of the call."""
        own = self._policy
        policy = _excluding(own.root.given, own.root.real, self._patterns, own.fold_case, own.config.path_map)
        if policy.broken_exclude is not None:
            return frozenset(self._patterns)
        found: set[str] = set()
        # A working directory that is not absolute is taken from the root.
        base = None if self.call.cwd is None else os.path.join(own.root.given, self.call.cwd)
        for path in dict.fromkeys((*(path for path, _ in self._paths), *self._words)):
            asked = asked_path(path, base, policy.root, policy.config)
            if isinstance(asked, AskedPath):
                found.update(entry.text for entry in excluding_entries(policy, asked, self._resolver))
        return frozenset(found)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """The files that well-known programs of the command lines name."""
        found: dict[str, None] = {}
        for line in self.lines:
            for command in read_shell(line).commands:
                for redirection in command.redirections:
                    found.update(dict.fromkeys([redirection.target.text or ""]))
                words = unwrapped(command.words)
                program = PROGRAMS.get(program_of(words[0])) if words else None
                uses = program(words[1:]) if program is not None else ()
                found.update((word.text or "", None) for word, _ in uses)
        return tuple(os.path.expanduser(text) for text in found if text)


@lru_cache(maxsize=64)
def _excluding(
    given: str, real: str, patterns: tuple[str, ...], fold_case: bool, path_map: tuple[tuple[str, str], ...]
) -> Policy:
    """A policy that excludes what the patterns cover, and knows nothing else."""
    from rules_lsp.policy.roots import Root

    place = Span(0, 0)
    entries = tuple(Entry(text, place, "file_patterns.exclude", at) for at, text in enumerate(patterns))
    rules = Rules("", (), (), (), (RuleList("file_patterns.exclude", place, entries),))
    root = Root(given, real)
    config = Config(path_map=path_map)
    return Policy(root, config, None, None, rules, None, False, (), (), frozenset(), fold_case)
