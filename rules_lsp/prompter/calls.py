"""A call as rules look at it: its categories, its command lines, the files that it touches. All of it is lazy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property

from rules_lsp.policy.policy import Policy
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.shell.kinds import EVERY_KIND, CommandLook, look_at_command
from rules_lsp.policy.shell.mentions import Mention, mentions_of
from rules_lsp.policy.shell.patterns import CommandPattern
from rules_lsp.policy.shell.tools import command_lines, runs_lines
from rules_lsp.policy.tools.paths import Touched, touched_paths
from rules_lsp.prompter.categories import categories_of, is_targeted, runs_commands
from rules_lsp.prompter.command_arguments import lines_of, paths_of, places_of
from rules_lsp.prompter.covering import Covering
from rules_lsp.prompter.model import Rule
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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
        tool, arguments = self.call.tool, self.call.arguments
        if not runs_lines(tool) and not runs_commands(tool):
            return []
        return list(dict.fromkeys((*command_lines(tool, arguments), *lines_of(arguments))))

    @cached_property
    def is_unreadable(self) -> bool:
        """Whether the call runs something, and no line of its arguments tells what."""
        call = self.call
        return not self.lines and bool(call.arguments) and (runs_lines(call.tool) or runs_commands(call.tool))

    @cached_property
    def looks(self) -> tuple[CommandLook, ...]:
        """The command lines as they were understood."""
        if self.is_unreadable:
            return (CommandLook(EVERY_KIND, frozenset(), False),)
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
        """Whether something that the call may touch is covered by a pattern. Where none can be read, it is."""
        return not patterns or not self._covering.isdisjoint(patterns)

    @cached_property
    def _covering(self) -> frozenset[str]:
        """The patterns that cover something that the call mentions; all, where it may touch any file."""
        call = self.call
        looks = [mentions_of(line) for line in self.lines]
        if any(not look.whole for look in self.looks) or any(look.anything for look in looks):
            return frozenset(self._patterns)
        covering = Covering(self._policy, self._patterns, self._resolver)
        named = dict.fromkeys(Mention(path) for path, _ in self._paths)
        named.update(dict.fromkeys(paths_of(call.tool, call.arguments)))
        found = covering.of(named, call.cwd)
        if not looks:
            return found
        for place in places_of(call.arguments) or [""]:
            started = os.path.join(call.cwd or "", place) or None
            # What a program does where it runs is not told by its words.
            here = () if started is None else (Mention(".", place=True),)
            found |= covering.of((*here, *(mention for look in looks for mention in look.paths)), started)
        return found
