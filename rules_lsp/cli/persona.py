"""`rules-lsp persona`: what a model would be told by a persona."""

from __future__ import annotations

import argparse
import json
import os
import sys

from rules_lsp.cli.context import complaints
from rules_lsp.cli.main import FAILED, FOUND, OK, UsageError
from rules_lsp.cli.names import shortened
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.cli.printable import printable
from rules_lsp.policy.files import read_file
from rules_lsp.prompt.context.as_json import selection_as_json
from rules_lsp.prompt.personas.finding import SUFFIX, find_persona, personas
from rules_lsp.prompt.personas.preview import preview_persona
from rules_lsp.prompt.personas.reading import read_persona
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Text

DESCRIPTION = """Show what a model would be told by a persona: its system message, its message rendered for files, and
the schema of its answer. A persona is a JSON file, or the name of one in ./.shaft/…/templates, ~/.shaft/…/templates or
this package; without a name, all are listed.

The template runs in a process of its own without files, with little time and memory. What the rules deny to be read is
not in the text. The exit code is 1 where a file is refused or missing, 2 where the persona cannot be rendered."""
EXAMPLE = "rules-lsp persona editor --for src/app.py -r docs --task 'Name the units'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("persona", nargs="?", metavar="NAME|FILE", help="the persona (default: list all)")
    parser.add_argument(
        "--for",
        action="append",
        default=[],
        dest="targets",
        metavar="TARGET",
        help="a file, folder or pattern to change",
    )
    parser.add_argument(
        "-r", "--ref", action="append", default=[], metavar="PATH", help="a file, folder or pattern to know"
    )
    parser.add_argument("--task", metavar="TEXT", help="what is asked for")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the messages, and why something is not in them."""
    as_json = arguments.format == "json"
    if arguments.persona is None:
        return _list(as_json)
    path = _path_of(arguments.persona)
    text, unreadable = read_file(path).text()
    if unreadable is not None:
        raise UsageError(f"{arguments.persona}: {unreadable}")
    reading = read_persona(Text(text))
    preview = preview_persona(
        reading, project_of(arguments), arguments.targets, arguments.ref, cwd=os.getcwd(), task=arguments.task
    )
    rendered = preview.rendered
    notes = [problem for problem in reading.problems if problem not in rendered.problems]
    problems = [*rendered.problems, *notes]
    if as_json:
        answer = {
            "persona": path,
            **preview.as_json(),
            "problems": [_problem(problem, reading.text) for problem in problems],
            "context": selection_as_json(preview.selection),
        }
        print(json.dumps(answer, indent=2))
    else:
        if preview.text is not None:
            print("\n".join(map(printable, preview.text.split("\n"))))
        for problem in problems:
            start = reading.text.position(problem.span.start, "utf-32")
            place = f"{shortened(path)}:{start.line + 1}:{start.character + 1}"
            print(printable(f"{place}: {problem.severity}[{problem.code}] {problem.message}"), file=sys.stderr)
        for line in complaints(preview.selection):
            print(printable(line), file=sys.stderr)
    if rendered.user is None:
        return FAILED
    return OK if preview.selection.complete else FOUND


def _list(as_json: bool) -> int:
    found = personas(os.getcwd())
    if as_json:
        print(json.dumps([{"name": each.name, "path": each.path, "hidden": each.hidden} for each in found], indent=2))
    else:
        width = max(len(each.name) for each in found)
        for each in found:
            hidden = "  (hidden by the one above of this name)" if each.hidden else ""
            print(printable(f"{each.name:{width}}  {shortened(each.path)}{hidden}"))
    return OK


def _path_of(asked: str) -> str:
    path = os.path.abspath(os.path.expanduser(asked))
    if os.path.isfile(path):
        return path
    if os.path.lexists(path) and asked.endswith(SUFFIX):
        raise UsageError(f"{asked}: it is no file")
    found = find_persona(asked, os.getcwd())
    if found is None:
        raise UsageError(f"{asked}: there is no such file and no persona of this name: `rules-lsp persona` lists all")
    return found


def _problem(problem: Problem, text: Text) -> dict[str, object]:
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        "range": text.range(problem.span, "utf-16").as_json(),
    }
