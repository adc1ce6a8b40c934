"""What kind of command a command line is: what it deletes, overwrites, whose permissions it changes, how dangerous.

The table `data/command_kinds.json` has the patterns of each kind (`patterns` says what one means), each with why. A
program that no pattern names is of no kind: scripts and interpreters are not looked into. What only the shell can tell
(a program in a variable, a shell that reads its commands from a pipe) is of every kind, and so is a line that the
grammar does not understand, an `awk` program that runs others, rules of `make` from its input, and a line of PowerShell
that is more than commands and plain words.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from rules_lsp.policy.shell.inner import HIDDEN, Inner
from rules_lsp.policy.shell.patterns import CommandPattern, parse_command_pattern, program_of
from rules_lsp.policy.shell.running import inner_commands
from rules_lsp.policy.shell.variables import line_of_variable, lines_of_assigning_words
from rules_lsp.policy.shell.wrappers import WRAPPERS, base_name, inner_words
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass
from rules_lsp.source.shell import SimpleCommand, Word, read_shell

KINDS = ("deletes", "overwrites", "changes_permissions", "dangerous")
EVERY_KIND = frozenset(KINDS)
_TABLE = os.path.join(os.path.dirname(__file__), "data", "command_kinds.json")
_DEEPEST = 6
_MOST_COMMANDS = 20_000
_OVERWRITING = frozenset({">", ">|", "&>", ">&"})
_WRITING = _OVERWRITING | {">>", "&>>", "<>"}
_NO_FILES = expression(r"/dev/(?:null|stdout|stderr|tty|zero|fd/\d+)\Z")
_DESCRIPTOR = expression(r"\d+-?\Z|-\Z")
_SAYS_NOTHING = frozenset({":", "true", ""})
# Bounded repetitions: no line may make the search long.
_FORK_BOMB = expression(r"(?<![\w:.])([\w:.]{1,40}) ?\(\)\s{0,9}\{[^}]{0,200}\1 ?\| ?\1")


@dataclass(frozen=True, slots=True)
class CommandLook:
    """A command line as it was understood: its kinds and the base names of the programs that it runs.

    `whole` is false where a part of it could not be told; it has every kind then.
    """

    kinds: frozenset[str]
    programs: frozenset[str]
    whole: bool


@dataclass(frozen=True, slots=True)
class DescribedPattern:
    """A row of the table: a pattern, and what is to be said of the commands that match."""

    pattern: CommandPattern
    why: str


@lru_cache(maxsize=512)
def look_at_command(line: str, dangerous: tuple[CommandPattern, ...] = ()) -> CommandLook:
    """The kinds of a command line; `dangerous` holds the project's own patterns."""
    look = _Look(dangerous)
    look.line(line, 0)
    return CommandLook(EVERY_KIND if look.lost else frozenset(look.kinds), frozenset(look.programs), not look.lost)


@cache
def kind_table() -> dict[str, tuple[DescribedPattern, ...]]:
    """The patterns of each kind, in the order of the table."""
    with open(_TABLE, encoding="utf-8") as table:
        rows = json.load(table)
    return {kind: tuple(_described(row) for row in rows[kind]) for kind in KINDS}


def _described(row: dict[str, str]) -> DescribedPattern:
    pattern = parse_command_pattern(row["command"])
    assert isinstance(pattern, CommandPattern), pattern
    return DescribedPattern(pattern, row["why"])


@cache
def _by_program() -> tuple[dict[str, list[tuple[str, CommandPattern]]], list[tuple[str, CommandPattern]]]:
    """The patterns under the names of their programs, and those whose program has a wildcard."""
    named: dict[str, list[tuple[str, CommandPattern]]] = {}
    wild: list[tuple[str, CommandPattern]] = []
    for kind, rows in kind_table().items():
        for row in rows:
            for program in row.pattern.programs:
                (wild if "*" in program else named.setdefault(program, [])).append((kind, row.pattern))
    return named, wild


class _Look:
    def __init__(self, dangerous: Sequence[CommandPattern]) -> None:
        self.kinds: set[str] = set()
        self.programs: set[str] = set()
        self.lost = False
        self._dangerous = dangerous
        self._left = _MOST_COMMANDS

    def line(self, text: str, depth: int) -> None:
        shell = read_shell(text)
        if shell.whole and _FORK_BOMB.search(text):
            self.kinds.add("dangerous")
        self.lost = self.lost or not shell.whole
        for name, value in shell.assignments:
            self._inner(line_of_variable(name, value), None, depth)
        for command in shell.commands:
            self._redirections(command)
            self._command(command, command.words, depth)

    def _command(self, command: SimpleCommand, words: Sequence[Word], depth: int) -> None:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            self.lost = True
        while words and not self.lost:
            if words[0].text is None or _is_wild_name(words[0]):
                self.lost = True
                return
            name = program_of(words[0])
            self.programs.add(name)
            self.kinds.update(self._own_kinds(name, words))
            for inner in inner_commands(command, words):
                self._inner(inner, command, depth)
            wrapper = WRAPPERS.get(base_name(words[0]))
            behind = () if wrapper is None else inner_words(words, wrapper)
            if wrapper is not None:
                for inner in lines_of_assigning_words(words[1 : len(words) - len(behind)]):
                    self._inner(inner, command, depth)
            words = behind

    def _inner(self, inner: Inner | None, command: SimpleCommand | None, depth: int) -> None:
        if inner is None:
            return
        if inner == HIDDEN:
            self.lost = True
        elif inner.line is not None:
            self._deeper(inner.line, depth)
        elif command is not None:
            self._command(command, inner.words, depth + 1)

    def _deeper(self, line: str, depth: int) -> None:
        self._left -= 1
        if depth >= _DEEPEST or self._left < 0:
            self.lost = True
        else:
            self.line(line, depth + 1)

    def _own_kinds(self, name: str, words: Sequence[Word]) -> Iterator[str]:
        named, wild = _by_program()
        for kind, pattern in named.get(name, ()):
            if kind not in self.kinds and pattern.matches_arguments(words):
                yield kind
        for kind, pattern in wild:
            if kind not in self.kinds and pattern.matches(words):
                yield kind
        if any(pattern.matches(words) for pattern in self._dangerous):
            yield "dangerous"

    def _redirections(self, command: SimpleCommand) -> None:
        for redirection in command.redirections:
            target = redirection.target.text
            if redirection.operator not in _WRITING:
                continue
            if target is not None and (_NO_FILES.match(target) or _is_descriptor(redirection.operator, target)):
                continue
            if (target or "").startswith("/dev/"):
                self.kinds.add("dangerous")
            if redirection.operator in _OVERWRITING:
                self.kinds.add("overwrites")
                if _says_nothing(command):
                    self.kinds.add("deletes")


def _is_descriptor(operator: str, target: str) -> bool:
    return operator == ">&" and _DESCRIPTOR.match(target) is not None


def _is_wild_name(word: Word) -> bool:
    """Whether the shell may put another program in the place of a name; a home directory in front is no doubt."""
    text = word.text or ""
    return word.wild and any(character in text for character in "*?[{")


def _says_nothing(command: SimpleCommand) -> bool:
    """Whether a command prints nothing, so that a file is left empty to which its output goes."""
    texts = [word.text for word in command.words]
    return not texts or texts[0] in _SAYS_NOTHING or texts == ["cat", "/dev/null"] or texts == ["echo", "-n"]
