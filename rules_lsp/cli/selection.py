"""Which findings are told, and how grave they are: `--select`, `--ignore` and `--severity`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from rules_lsp.checks import CHECKS, Diagnostic, Subject, run_checks
from rules_lsp.cli.main import UsageError
from rules_lsp.source.problem import Severity

LEVELS: dict[str, Severity | None] = {
    "off": None,
    "information": "information",
    "warning": "warning",
    "error": "error",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What the command line says of codes. `selected` is None where it selects none in particular: then all count."""

    selected: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()
    levels: Mapping[str, Severity | None] = field(default_factory=dict)

    def find(self, subject: Subject) -> list[Diagnostic]:
        """What is wrong in a subject, as far as it is told."""
        also = (self.selected or frozenset()) | self.levels.keys()
        return [found for each in run_checks(subject, also=also) if (found := self._kept(each)) is not None]

    def _kept(self, found: Diagnostic) -> Diagnostic | None:
        if found.code in self.ignored or (self.selected is not None and found.code not in self.selected):
            return None
        level = self.levels.get(found.code, found.severity)
        return None if level is None else replace(found, severity=level)


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """`--select`, `--ignore` and `--severity`."""
    parser.add_argument("--select", metavar="CODES", action="append", help="tell these codes only, with commas between")
    parser.add_argument("--ignore", metavar="CODES", action="append", help="leave these codes out")
    parser.add_argument(
        "--severity", metavar="CODE=LEVEL", action="append", help=f"how grave a code is: {', '.join(LEVELS)}"
    )


def selection_of(arguments: argparse.Namespace) -> Selection:
    """The selection as the options say. Raises `UsageError` for a code or a level that does not exist."""
    selected = None if arguments.select is None else frozenset(_codes(arguments.select))
    levels: dict[str, Severity | None] = {}
    for text in arguments.severity or ():
        code, separator, level = text.partition("=")
        if not separator or level not in LEVELS:
            raise UsageError(f"--severity {text}: write CODE=LEVEL, the level one of {', '.join(LEVELS)}")
        levels[known_code(code)] = LEVELS[level]
    return Selection(selected, frozenset(_codes(arguments.ignore or ())), levels)


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
