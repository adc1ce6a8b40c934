"""Which findings are told, and how grave they are: `--select`, `--ignore` and `--severity`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from difflib import get_close_matches

from rules_lsp.checks import CHECKS, Diagnostic, Subject, run_checks
from rules_lsp.checks.common.settings import LEVELS, CheckSettings, Level
from rules_lsp.cli.main import UsageError
from rules_lsp.source.records import dataclass, field

_LEVELS = ", ".join(LEVELS)


@dataclass(frozen=True, slots=True)
class Selection:
    """What the command line says of codes. `selected` is None where it selects none in particular: then all count."""

    selected: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()
    settings: CheckSettings = field(default_factory=lambda: CheckSettings({}))

    def find(self, subject: Subject) -> list[Diagnostic]:
        """What is to be told of a subject: what is chosen, and the fault for which the whole file is not read."""
        found = run_checks(subject, also=self.selected or frozenset(), settings=self.settings)
        return [each for each in found if self._chosen(each) or subject.is_error(each.code, each.span)]

    def find_to_fix(self, subject: Subject) -> list[Diagnostic]:
        """What is to be repaired in a subject: what is chosen, however much it is."""
        found = run_checks(subject, also=self.selected or frozenset(), settings=self.settings, most=None)
        return [each for each in found if self._chosen(each)]

    def _chosen(self, found: Diagnostic) -> bool:
        return found.code not in self.ignored and (self.selected is None or found.code in self.selected)


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """`--select`, `--ignore` and `--severity`."""
    parser.add_argument("--select", metavar="CODES", action="append", help="tell these codes only, with commas between")
    parser.add_argument("--ignore", metavar="CODES", action="append", help="leave these codes out")
    parser.add_argument("--severity", metavar="CODE=LEVEL", action="append", help=f"how grave a code is: {_LEVELS}")


def selection_of(arguments: argparse.Namespace) -> Selection:
    """The selection as the options say. Raises `UsageError` for a code or a level that does not exist."""
    selected = None if arguments.select is None else frozenset(_codes(arguments.select))
    if selected is not None and not selected:
        raise UsageError("--select names no check: leave it out, or name one")
    levels = dict(_level(text) for text in arguments.severity or ())
    return Selection(selected, frozenset(_codes(arguments.ignore or ())), CheckSettings(levels))


def _level(text: str) -> tuple[str, Level]:
    code, _, name = text.partition("=")
    level = next((level for level in LEVELS if level == name), None)
    if level is None:
        raise UsageError(f"--severity {text}: write CODE=LEVEL, the level one of {_LEVELS}")
    return known_code(code), level


def _codes(lists: Iterable[str]) -> Iterable[str]:
    return [known_code(code.strip()) for text in lists for code in text.split(",") if code.strip()]


def known_code(code: str) -> str:
    """The code, where a check has it. Raises `UsageError` with the nearest one where none has."""
    codes = [check.code for check in CHECKS]
    if code in codes:
        return code
    near = get_close_matches(code.casefold().replace("_", "-"), codes, n=1)
    hint = f"did you mean `{near[0]}`?" if near else "`rules-lsp rule` lists all"
    raise UsageError(f"there is no check `{code}`: {hint}")
