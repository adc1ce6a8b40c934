"""`rules-lsp explain`: one decision, and every rule that spoke on the way to it."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.policy.decision import Decision, FileDecision, RuleReference
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import decide
from rules_lsp.policy.requests import OPERATIONS, printable, shown
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
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the answer")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the decision; the exit code is 0 where it allows and 1 where it denies."""
    policy = project_of(arguments).policy()
    decision = decide(policy, _query(arguments), Resolver(policy.root))
    if arguments.format == "json":
        print(json.dumps({**decision.as_json(), "weighed": _weighed(decision)}, indent=2))
    else:
        print("\n".join(map(printable, _lines(decision))))
    return OK if decision.allowed else FOUND


def _query(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.kind == "file":
        asked = {"path": arguments.name, "operation": arguments.operation, "cwd": os.getcwd()}
        if arguments.new_path is not None:
            asked["newPath"] = arguments.new_path
        return asked
    query: dict[str, Any] = {"tool": arguments.name, "cwd": os.getcwd()}
    if arguments.arguments is not None:
        try:
            query["arguments"] = json.loads(arguments.arguments)
        except ValueError as error:
            raise UsageError(f"--arguments is no JSON: {error}") from None
        except RecursionError:
            raise UsageError("--arguments is nested too deeply") from None
    return query


def _weighed(decision: Decision) -> list[dict[str, Any]]:
    return [
        {
            "effect": step.effect,
            "sentence": step.sentence,
            "rule": step.rule.as_json("utf-16") if step.rule is not None else None,
        }
        for step in decision.weighed
    ]


def _lines(decision: Decision) -> list[str]:
    policy = decision.policy
    verdict = "allowed" if decision.allowed else "denied"
    if isinstance(decision, FileDecision):
        asked = f"{decision.operation} {shown(decision.path or '')}".rstrip()
    else:
        asked = f"call {shown(decision.tool or '')}".rstrip()
    lines = [f"{verdict}: {asked}", f"  {decision.reason} ({decision.code})", "weighed:"]
    places = [_place(policy, step.rule) if step.rule is not None else "" for step in decision.weighed]
    width = max((len(place) for place in places), default=0)
    for step, place in zip(decision.weighed, places, strict=True):
        lines.append(
            f"  {step.effect:6}  {place:{width}}  {step.sentence}" if width else f"  {step.effect:6}  {step.sentence}"
        )
    lines.append(f"rules: {_source(policy)}")
    lines += [f"warning: {error.message}" for error in policy.errors]
    return lines


def _source(policy: Policy) -> str:
    if policy.source is None:
        return "none: the project has no rule file"
    name = policy.root.relative(policy.source.path) or policy.source.path
    return name if policy.enabled else f"{name} (switched off)"


def _place(policy: Policy, rule: RuleReference) -> str:
    start = rule.document.text.position(rule.span.start, "utf-32")
    name = policy.root.relative(rule.document.path) or rule.document.path
    return f"{name}:{start.line + 1}:{start.character + 1}"
