"""What can be completed, read from the verbs' own parsers: the one source behind the scripts of every shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Literal

from rules_lsp.checks import CHECKS
from rules_lsp.checks.common.settings import LEVELS
from rules_lsp.cli.main import VERBS, parser_of, verb_named
from rules_lsp.source.records import dataclass

Kind = Literal["nothing", "words", "codes", "level", "file", "directory"]
"""What a value is: one of `words`, codes of checks with commas between, a code with `=` and a level, a file, a
directory, or something that cannot be completed."""
_KINDS: dict[str, Kind] = {
    "PATH": "file",
    "FILE": "file",
    "DIR": "directory",
    "GLOB": "file",
    "name": "file",
    "CODE": "words",
    "CODES": "codes",
    "CODE=LEVEL": "level",
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an option, or a positional argument; `many` may be repeated."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()
    many: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An option with its spellings; `value` is None where it takes none."""

    names: tuple[str, ...]
    help: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class VerbModel:
    """A verb with its options and positional arguments."""

    name: str
    summary: str
    options: tuple[Option, ...]
    positionals: tuple[Value, ...]


def model() -> tuple[VerbModel, ...]:
    """Every verb of the command; each of their modules is imported."""
    return tuple(_verb(name, entry.summary) for name, entry in VERBS.items())


def codes() -> tuple[str, ...]:
    """The codes of all checks."""
    return tuple(sorted(check.code for check in CHECKS))


def levels() -> tuple[str, ...]:
    """The levels that a check can be given."""
    return tuple(LEVELS)


def _verb(name: str, summary: str) -> VerbModel:
    actions = parser_of(name, verb_named(name))._actions
    options = tuple(_option(action) for action in actions if action.option_strings)
    positionals = tuple(_value(action) for action in actions if not action.option_strings)
    return VerbModel(name, summary, options, positionals)


def _option(action: argparse.Action) -> Option:
    takes_value = action.nargs != 0
    return Option(tuple(action.option_strings), action.help or "", _value(action) if takes_value else None)


def _value(action: argparse.Action) -> Value:
    name = action.metavar if isinstance(action.metavar, str) else action.dest
    many = action.nargs in ("*", "+")
    if action.choices is not None:
        return Value(name, "words", tuple(_texts(action.choices)), many)
    kind = _KINDS.get(name, "nothing")
    return Value(name, kind, codes() if kind == "words" else (), many)


def _texts(choices: object) -> Iterator[str]:
    if isinstance(choices, (tuple, list)):
        yield from map(str, choices)
