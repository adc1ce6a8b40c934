"""`rules-lsp prompt`: all that an agent is told, and where each line comes from."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator

from rules_lsp.cli.costs import cost
from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.cli.printable import printable
from rules_lsp.policy.files import read_file
from rules_lsp.prompt.as_json import view_as_json
from rules_lsp.prompt.compose import compose
from rules_lsp.prompt.view import BUDGETED, Part, PromptView
from rules_lsp.prompt.wording import WORDINGS

DESCRIPTION = f"""Show what an agent is told in this project before it is asked anything: the host's own system prompt,
the project that is active, what the rules in force add, the rules of Auto Prompter that hold always, the tools of the
MCP servers; then, as messages, the instructions of the folders on the way to a path, and those of the project. Behind
`|` stands what a file says, behind `~` what is said around it. What is left out is told with the reason.

A budget is SECTION=TOKENS for one of {", ".join(BUDGETED)}. Nothing is cut; the exit code is 1 where one is exceeded,
else 0."""
EXAMPLE = """rules-lsp prompt --for src/api/app.py
  rules-lsp prompt --format json --budget total=8000 --budget project_instructions=2000"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--for", dest="target", metavar="PATH", help="the file or folder that the agent works on")
    parser.add_argument("--base", metavar="FILE", help="a file with the host's own system prompt")
    parser.add_argument("--inactive", action="store_true", help="as where the project of Agent Zero is not active")
    parser.add_argument("--templates", metavar="DIR", help="a folder with templates that replace those of the package")
    parser.add_argument("--budget", action="append", default=[], metavar="SECTION=TOKENS", help="what it may cost")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print everything."""
    here = os.getcwd()
    view = compose(
        project_of(arguments),
        None if arguments.target is None else os.path.join(here, arguments.target),
        base=None if arguments.base is None else os.path.join(here, arguments.base),
        active=not arguments.inactive,
        budgets=dict(map(_budget, arguments.budget)),
        templates=None if arguments.templates is None else _templates(os.path.join(here, arguments.templates)),
    )
    if arguments.format == "json":
        print(json.dumps(view_as_json(view), indent=2))
    else:
        for line in _lines(view):
            # A tab is the author's indentation, and speaks to no terminal.
            print("\t".join(map(printable, line.split("\t"))))
    return FOUND if view.over_budget else OK


def _budget(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if name not in BUDGETED:
        raise UsageError(f"--budget {printable(text)}: write SECTION=TOKENS, with one of {', '.join(BUDGETED)}")
    if not (number.isascii() and number.isdecimal()):
        raise UsageError(f"--budget {printable(text)}: behind `=` stands a whole number of tokens")
    return name, int(number)


def _templates(directory: str) -> dict[str, str]:
    if not os.path.isdir(directory):
        raise UsageError(f"--templates {printable(directory)}: there is no such folder")
    found: dict[str, str] = {}
    for name in WORDINGS:
        content = read_file(os.path.join(directory, name))
        text, problem = content.text()
        if problem is not None:
            raise UsageError(f"--templates {printable(directory)}: {name}: {problem}")
        if content.exists:
            found[name] = text
    if not found:
        raise UsageError(f"--templates {printable(directory)}: it holds none of {', '.join(WORDINGS)}")
    return found


def _lines(view: PromptView) -> Iterator[str]:
    for part in view.parts:
        yield f"{part.section}: {_place(part)}"
        yield f"  {cost(part.characters, part.tokens)}: {part.why}"
        yield from (f"  ~ {line}".rstrip() for line in part.before.strip("\n").split("\n") if part.before.strip())
        yield from (f"  | {line}".rstrip() for line in part.text.splitlines())
        yield ""
    if view.left_out:
        yield "left out:"
        yield from (f"  {each.name}: {each.why}" for each in view.left_out)
    for folder in view.listed:
        number = len(folder.files)
        amount = f"{number:,} file{'' if number == 1 else 's'}{'' if folder.complete else ' and more'}"
        yield f"not told, but there: {folder.name}, {amount}"
    for over in view.over_budget:
        yield f"over budget: {over.section} costs about {over.tokens:,} tokens and may cost {over.budget:,}"
    yield f"in all {cost(view.characters, view.tokens)}"


def _place(part: Part) -> str:
    if part.source is None or part.span is None or part.path is None:
        return part.name
    first, last = (part.source.line_of(at) + 1 for at in (part.span.start, max(part.span.start, part.span.end - 1)))
    return f"{part.name}:{first}" + (f"-{last}" if last > first else "")
