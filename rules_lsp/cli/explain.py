"""`rules-lsp explain`: one decision, and every rule that spoke on the way to it."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.features.explaining import explained_as_json, explained_in_markdown, explained_in_text
from rules_lsp.policy.query import decide
from rules_lsp.policy.requests import OPERATIONS, printable
from rules_lsp.policy.resolve import Resolver

DESCRIPTION = "Say whether a file or a tool is allowed, and which rules spoke, in the order in which they were weighed."
EXAMPLE = "rules-lsp explain file secrets/key.pem --operation read\n  rules-lsp explain tool github/delete_file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("kind", choices=("file", "tool"), help="what is asked about")
    parser.add_argument("name", help="a path (from the working directory), or a tool's name")
    parser.add_argument("--operation", choices=OPERATIONS, default="write", help="what is done to the file")
    parser.add_argument("--new-path", metavar="PATH", help="where a rename goes")
    parser.add_argument("--arguments", metavar="JSON", help="the arguments of the tool call, a JSON object")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown"), default="text", help="how to print the answer"
    )
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the decision; the exit code is 0 where it allows and 1 where it denies."""
    policy = project_of(arguments).policy()
    decision = decide(policy, _query(arguments), Resolver(policy.root))
    if arguments.format == "json":
        print(json.dumps(explained_as_json(decision), indent=2))
    elif arguments.format == "markdown":
        print(explained_in_markdown(decision, arguments.name), end="")
    else:
        print("\n".join(map(printable, explained_in_text(decision, arguments.name))))
    return OK if decision.allowed else FOUND


def _query(arguments: argparse.Namespace) -> dict[str, Any]:
    if not arguments.name:
        raise UsageError("an empty name names nothing: give a path, or the name of a tool")
    if arguments.kind == "file":
        _refuse_half_a_rename(arguments)
        asked = {"path": arguments.name, "operation": arguments.operation, "cwd": os.getcwd()}
        if arguments.new_path is not None:
            asked["newPath"] = arguments.new_path
        return asked
    if arguments.new_path is not None:
        raise UsageError("--new-path is for a file: leave it out")
    query: dict[str, Any] = {"tool": arguments.name, "cwd": os.getcwd()}
    if arguments.arguments is not None:
        try:
            query["arguments"] = json.loads(arguments.arguments)
        except ValueError as error:
            raise UsageError(f"--arguments is no JSON: {error}") from None
        except RecursionError:
            raise UsageError("--arguments is nested too deeply") from None
        if not isinstance(query["arguments"], dict):
            raise UsageError('--arguments is no JSON object: write one, such as {"path": "src/app.py"}')
    return query


def _refuse_half_a_rename(arguments: argparse.Namespace) -> None:
    """What the engine would refuse too, in the terminal's words."""
    if arguments.operation == "rename" and arguments.new_path is None:
        raise UsageError("a rename needs --new-path")
    if arguments.operation != "rename" and arguments.new_path is not None:
        raise UsageError(f"--new-path goes with --operation rename, and not with {arguments.operation}")
    if arguments.arguments is not None:
        raise UsageError("--arguments are those of a tool: leave them out")
