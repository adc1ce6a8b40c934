"""`rules-lsp check`: what is wrong in rule files, for people and for programs, and its repair."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TextIO

from rules_lsp.cli.as_json import findings_as_json
from rules_lsp.cli.checking import CheckedFile, CheckedTarget, check_target
from rules_lsp.cli.github import workflow_commands
from rules_lsp.cli.main import FAILED, FOUND, OK, UsageError
from rules_lsp.cli.names import Base
from rules_lsp.cli.options import add_project_options, root_of
from rules_lsp.cli.parallel import mapped
from rules_lsp.cli.progress import ProgressBar
from rules_lsp.cli.render import counted, printable, rendered, style_for, summary, use_any_encoding
from rules_lsp.cli.repair import Repaired, coloured, differences, repair
from rules_lsp.cli.selection import Selection, add_selection_options, selection_of
from rules_lsp.cli.targets import Target, targets_of, weight_of
from rules_lsp.cli.ticking import TickingBar

DESCRIPTION = """Find what is wrong in the rules of projects, and repair it.

A directory stands for itself and for every project below it: each directory that holds a rule file, or a config.yaml
with our section. Links, directories that begin with a dot, node_modules and virtual environments of Python are not
entered. Without a PATH it is the project of the working directory.

The exit code is 1 where there is an error or a warning (with --diff: where something would change), else 0."""
EXAMPLE = """rules-lsp check
  rules-lsp check --fix
  rules-lsp check services docs/rules.md --format sarif > rules.sarif"""
FORMATS = ("text", "json", "sarif", "github")
# Below it, starting processes costs more than they save.
SPREAD_FROM_BYTES = 400_000
SPREAD_FROM_TARGETS = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a directory or a rule file")
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print the findings")
    parser.add_argument("--fix", action="store_true", help="make the safe fixes in the rule files")
    parser.add_argument("--unsafe", action="store_true", help="with --fix or --diff: those too that are guesses")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    add_selection_options(parser)
    parser.add_argument(
        "--skip", metavar="DIR", action="append", default=[], help="do not look for projects in a directory"
    )
    parser.add_argument("--no-color", action="store_true", help="print without colours")
    add_project_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings or the differences; see the description for the exit code."""
    use_any_encoding()
    selection = selection_of(arguments)
    _refuse_senseless(arguments)
    notes: list[str] = []
    targets = targets_of(arguments, notes.append)
    spread = len(targets) >= SPREAD_FROM_TARGETS or sum(map(weight_of, targets)) >= SPREAD_FROM_BYTES
    if arguments.diff:
        return _show_differences(arguments, targets, selection, spread)
    repaired = Repaired()
    if arguments.fix:
        repaired = repair(targets, selection, unsafe=arguments.unsafe, spread=spread)
    checked = _checked(targets, selection, spread)
    files = list(_once(checked))
    notes += [note for each in checked for note in each.notes]
    _PRINTERS[arguments.format](arguments, files, notes, repaired)
    for failure in repaired.failures:
        print(f"rules-lsp: {printable(failure)}", file=sys.stderr)
    severities = {diagnostic.severity for file in files for diagnostic in file.diagnostics}
    if repaired.failures:
        return FAILED
    return FOUND if severities & {"error", "warning"} else OK


def _checked(targets: Sequence[Target], selection: Selection, spread: bool) -> list[CheckedTarget]:
    if len(targets) == 1:
        with TickingBar("checking, files so far") as progress:
            return [check_target(targets[0], selection, progress)]
    found: list[CheckedTarget] = []
    with ProgressBar("projects checked", len(targets)) as progress:
        for each in mapped(partial(check_target, selection=selection), targets, spread=spread):
            found.append(each)
            progress(len(found))
    return found


def _refuse_senseless(arguments: argparse.Namespace) -> None:
    if arguments.unsafe and not (arguments.fix or arguments.diff):
        raise UsageError("--unsafe goes with --fix or --diff")
    if arguments.diff and arguments.fix:
        raise UsageError("--diff shows what --fix would change: use one of them")
    if arguments.diff and arguments.format != "text":
        raise UsageError(f"--diff prints a diff and no findings: leave out --format {arguments.format}")


def _show_differences(
    arguments: argparse.Namespace, targets: Sequence[Target], selection: Selection, spread: bool
) -> int:
    style = style_for(sys.stdout, arguments.no_color)
    status = OK
    for difference in differences(targets, selection, unsafe=arguments.unsafe, spread=spread):
        status = FOUND
        if sys.stdout.isatty():
            print(coloured(difference, style), end="")
        else:
            # A patch holds the bytes of the files, whatever the encoding of the output.
            sys.stdout.flush()
            sys.stdout.buffer.write(difference.encode("utf-8"))
    return status


def _once(checked: Iterable[CheckedTarget]) -> Iterator[CheckedFile]:
    """Each file once, though several targets hold it."""
    seen: set[str | None] = set()
    for file in (file for each in checked for file in each.files):
        if file.path not in seen:
            seen.add(file.path)
            yield file


def _print_text(
    arguments: argparse.Namespace, files: Sequence[CheckedFile], notes: Sequence[str], repaired: Repaired
) -> None:
    style = style_for(sys.stdout, arguments.no_color)
    _print_repairs(repaired, sys.stdout)
    for file in files:
        for diagnostic in file.diagnostics:
            print("\n".join(rendered(diagnostic, file.name, file.text, style)), end="\n\n")
    for note in notes:
        print(printable(note))
    if files:
        print(summary((diagnostic.severity for file in files for diagnostic in file.diagnostics), len(files)))


def _print_json(
    arguments: argparse.Namespace, files: Sequence[CheckedFile], notes: Sequence[str], repaired: Repaired
) -> None:
    _print_aside(notes, repaired)
    print(json.dumps(findings_as_json(files), indent=2))


def _print_sarif(
    arguments: argparse.Namespace, files: Sequence[CheckedFile], notes: Sequence[str], repaired: Repaired
) -> None:
    # The documentation of the checks is written out for this format alone.
    from rules_lsp.cli.sarif import sarif_log

    _print_aside(notes, repaired)
    print(json.dumps(sarif_log(files, Base(root_of(arguments)), notes), indent=2))


def _print_github(
    arguments: argparse.Namespace, files: Sequence[CheckedFile], notes: Sequence[str], repaired: Repaired
) -> None:
    base = Base(os.environ.get("GITHUB_WORKSPACE") or root_of(arguments))
    for command in workflow_commands(files, base):
        print(command)
    _print_aside(notes, repaired)


def _print_aside(notes: Sequence[str], repaired: Repaired) -> None:
    """What is no part of the format, where it does not disturb it."""
    _print_repairs(repaired, sys.stderr)
    for note in notes:
        print(printable(note), file=sys.stderr)


def _print_repairs(repaired: Repaired, stream: TextIO) -> None:
    for line in (*repaired.done, *repaired.left):
        print(line, file=stream)
    if repaired.done:
        files = counted(len(repaired.files), "file")
        print(f"made {counted(len(repaired.done), 'fix', 'fixes')} in {files}\n", file=stream)


_PRINTERS = {"text": _print_text, "json": _print_json, "sarif": _print_sarif, "github": _print_github}
