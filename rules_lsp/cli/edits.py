"""`rules-lsp edits`: a batch of structured edits is checked, made, or ended after a crash."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING

from rules_lsp.cli.main import FAILED, FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of, root_of
from rules_lsp.cli.printable import printable
from rules_lsp.cli.progress import ProgressBar
from rules_lsp.cli.write_file import ended_in_order

if TYPE_CHECKING:
    from rules_lsp.prompt.edits.model import CheckedEdits, EditAnswer

DESCRIPTION = """Check a batch of edits, or make all of them or none.

The batch is a JSON array of {"file_path", "search_block", "replace_block", "explanation"}. Each block must stand
exactly once in its file as it is now; an empty search_block creates a file; edits that leave nothing of a file delete
it. Paths start at the project's root.

The exit code is 1 where an edit is refused: then nothing is changed."""
EXAMPLE = """rules-lsp edits --check edits.json
  rules-lsp edits --apply --target 'src/**/*.py' < edits.json
  rules-lsp edits --recover"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("file", nargs="?", help="the batch (default: standard input)")
    parser.add_argument(
        "--answer",
        action="store_true",
        help="take the batch out of a model's answer: a fence or text may stand around it",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="only say what would become of each edit (the default)")
    action.add_argument("--apply", action="store_true", help="make all edits, or none where one cannot be made")
    action.add_argument("--recover", action="store_true", help="end an apply that was cut short, by all edits or none")
    parser.add_argument(
        "--target",
        action="append",
        metavar="PATH|GLOB",
        help="a file, a directory or a pattern that may be edited; may be given several times (default: every file)",
    )
    parser.add_argument("--cwd", metavar="DIR", help="where relative paths start (default: the project's root)")
    parser.add_argument("--allow-delete", action="store_true", help="let edits that leave nothing of a file delete it")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people or for programs")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry out one action."""
    if arguments.recover:
        return _recover(arguments)
    from rules_lsp.prompt.edits.applying import apply_structured_edits
    from rules_lsp.prompt.edits.checking import check_edits
    from rules_lsp.prompt.edits.targets import read_targets

    project = project_of(arguments)
    targets = read_targets(arguments.target)
    if isinstance(targets, str):
        raise UsageError(targets)
    batch = _batch(arguments.file, in_answer=arguments.answer)
    cwd = None if arguments.cwd is None else _directory(arguments.cwd)
    total = len(batch) * (2 if arguments.apply else 1)
    with ended_in_order(), ProgressBar("edits", total) as bar:
        if arguments.apply:
            found = apply_structured_edits(
                project, batch, arguments.target, cwd=cwd, allow_delete=arguments.allow_delete, progress=bar
            )
        else:
            found = check_edits(
                project, batch, arguments.target, cwd=cwd, allow_delete=arguments.allow_delete, progress=bar
            )
    if arguments.format == "json":
        from rules_lsp.prompt.edits.as_json import edits_as_json

        print(json.dumps(edits_as_json(found)))
    else:
        _print(found)
        if found.allowed and not found.applied and found.answers:
            print("run again with --apply to make them")
    if found.refusal is not None:
        return FAILED
    return OK if found.allowed else FOUND


def _recover(arguments: argparse.Namespace) -> int:
    from rules_lsp.prompt.edits.recovering import recover_structured_edits

    unused = [name for name in ("file", "target", "cwd") if getattr(arguments, name) is not None]
    if unused or arguments.allow_delete or arguments.answer:
        raise UsageError("--recover takes no batch and no options of one: they are in its journal")
    with ended_in_order():
        found = recover_structured_edits(root_of(arguments))
    if arguments.format == "json":
        print(json.dumps(found.as_json()))
    else:
        print(printable(found.reason), file=sys.stderr if found.outcome == "failed" else sys.stdout)
        for name in found.left:
            print(printable(f"{name}: changed meanwhile, left as it is"))
    if found.outcome == "failed":
        return FAILED
    return FOUND if found.left else OK


def _batch(path: str | None, *, in_answer: bool) -> list[object]:
    from rules_lsp.prompt.edits.reading import parsed_edits, read_edits

    if path is None:
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    value, problem = _of_answer(data) if in_answer else parsed_edits(data)
    if problem is None:
        problem = read_edits(value)[1]
    if problem is not None:
        raise UsageError(problem)
    assert isinstance(value, list)
    return value


def _of_answer(data: bytes) -> tuple[object, str | None]:
    from rules_lsp.prompt.personas.answers import parse_edits_answer

    try:
        answer = parse_edits_answer(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None, "the answer is not UTF-8"
    return answer.edits, answer.reason


def _directory(path: str) -> str:
    if not os.path.isdir(path):
        raise UsageError(f"--cwd {path}: there is no such directory")
    return os.path.abspath(path)


def _print(found: CheckedEdits) -> None:
    for answer in found.answers:
        print(printable(_line(answer)))
        for note in answer.notes:
            print(printable(f"  {note}"))
    print(printable(found.reason), file=sys.stdout if found.refusal is None else sys.stderr)


def _line(answer: EditAnswer) -> str:
    decision = answer.decision
    name = decision.path or "?"
    if not decision.allowed:
        return f"edit {answer.edit}: {answer.status}: {decision.reason}"
    place = answer.place
    where = f"{name}:{place.text.line_of(place.span.start) + 1}" if place is not None else name
    verb = {"create": "creates", "delete": "deletes"}.get(decision.operation, "changes")
    return f"edit {answer.edit}: {answer.status}: {verb} {where}"
