"""`rules-lsp context`: the files that a prompt takes in, and what each of them costs."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator

from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.cli.printable import printable
from rules_lsp.prompt.context.as_json import selection_as_json
from rules_lsp.prompt.context.density import count_by_directory
from rules_lsp.prompt.context.model import ContextFile, ContextSelection
from rules_lsp.prompt.context.selecting import STANDARD_INPUT, select_context

DESCRIPTION = """Choose the files of a prompt: those that an agent is to change (-f, -F), those that it is to know (-r),
and SHAFT.md here and at home, which come along by themselves. Each is a file, a folder with all below it, or a pattern,
in quotes so that the shell leaves it alone; patterns start at the working directory. Variables and ~ are replaced.

What the rules deny is refused: to be written for -f and -F, to be read for all. The exit code is 1 where something is
refused, missing or not to be read, else 0."""
EXAMPLE = """rules-lsp context -f 'src/**/*.py' -r docs --format json
  git diff --name-only | rules-lsp context -F - --count-by-dir"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "-f", "--file", action="append", default=[], metavar="PATH", help="a file, folder or pattern to change"
    )
    listed = "a list of them, one a line (-: the input)"
    parser.add_argument("-F", "--file-list", action="append", default=[], metavar="FILE", help=listed)
    parser.add_argument(
        "-r", "--ref", action="append", default=[], metavar="PATH", help="a file, folder or pattern to know"
    )
    parser.add_argument("--no-automatic", action="store_true", help="leave out the files that come along by themselves")
    parser.add_argument("--count-by-dir", action="store_true", help="print how many files each folder contributes")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the files")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the files, and what is wrong with what was asked for."""
    selection = selection_of(arguments, automatic=not arguments.no_automatic)
    if arguments.format == "json":
        print(json.dumps(selection_as_json(selection, by_directory=arguments.count_by_dir), indent=2))
    else:
        for line in _counts(selection) if arguments.count_by_dir else _lines(selection):
            print(printable(line))
        for line in complaints(selection):
            print(printable(line), file=sys.stderr)
    return OK if selection.complete else FOUND


def selection_of(arguments: argparse.Namespace, *, automatic: bool) -> ContextSelection:
    """The selection that the options of files describe, from the working directory. Raises `UsageError`."""
    if arguments.file_list.count(STANDARD_INPUT) > 1:
        raise UsageError("-F - reads the input, which is there only once")
    return select_context(
        project_of(arguments),
        arguments.file,
        arguments.file_list,
        arguments.ref,
        cwd=os.getcwd(),
        automatic=automatic,
        standard_input=sys.stdin.buffer.read() if STANDARD_INPUT in arguments.file_list else b"",
    )


def complaints(selection: ContextSelection) -> Iterator[str]:
    """What is refused and what is not there, a line each."""
    for refused in selection.refused:
        yield f"refused: {refused.decision.operation} {refused.shown}: {refused.decision.reason}"
    for finding in selection.findings:
        yield f"{finding.code}: {finding.message}"


def _lines(selection: ContextSelection) -> Iterator[str]:
    width = max((len(_name(file)) for file in selection.files), default=0)
    for file in selection.files:
        also = "".join(f"; also {reason}" for reason in file.also)
        yield f"{file.role:9}  {_name(file):{width}}  {_cost(file.size, file.tokens)}  {file.reason}{also}"
    for left in selection.left_out:
        yield f"left out   {left.shown}: {left.reason}"
    yield _total(selection)


def _name(file: ContextFile) -> str:
    return file.shown if file.link is None else f"{file.shown} -> {file.link}"


def _counts(selection: ContextSelection) -> Iterator[str]:
    for count in count_by_directory(selection):
        yield f"{count.files:6,}  {_cost(count.size, count.tokens)}  {count.directory}"
    yield _total(selection)


def _cost(size: int, tokens: int) -> str:
    return f"{size:9,} bytes {tokens:8,} tokens"


def _total(selection: ContextSelection) -> str:
    files = selection.files
    number = f"{len(files):,} file{'' if len(files) == 1 else 's'}"
    return f"{number}, {sum(file.size for file in files):,} bytes, about {sum(file.tokens for file in files):,} tokens"
