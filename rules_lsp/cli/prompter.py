"""`rules-lsp prompter`: the gate for programs, and what people may see and decide."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from typing import TYPE_CHECKING

from rules_lsp.cli import prompter_audit
from rules_lsp.cli.main import FAILED, FOUND, OK, UsageError
from rules_lsp.cli.options import add_project_options, operator_config_of, root_of
from rules_lsp.cli.printable import printable

if TYPE_CHECKING:
    from rules_lsp.prompter.gate import PolicyGate

DESCRIPTION = """The rules of .auto-prompter.yaml, which act while an agent works.

status     show the switch and every rule of the file
gate       answer an agent's loop: JSON lines in, JSON lines out, {"do": "before_tools", "with": {…}}
approvals  list what waits for approval; --approve or --deny one of the requests
audit      show what fired; --follow goes on with each new event until it is interrupted

The exit code is 1 where a request to approve or deny does not wait any more, 2 where something cannot be read."""
EXAMPLE = """rules-lsp prompter status
  rules-lsp prompter approvals --approve 2094c24ddbb39f7bb96e477ca36c9936
  rules-lsp prompter audit --follow --format json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("action", choices=("status", "gate", "approvals", "audit"), help="what to do")
    add_project_options(parser)
    parser.add_argument("--store", metavar="FILE", help="the database (default: in the user's state folder)")
    parser.add_argument("--follow", action="store_true", help="of audit: go on with each new event")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people or for programs")
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument("--approve", metavar="ID", help="approve a request once")
    decision.add_argument("--deny", metavar="ID", help="deny a request")


def run(arguments: argparse.Namespace) -> int:
    """Carry out one action."""
    from rules_lsp.prompter.gate import PolicyGate

    if arguments.follow and arguments.action != "audit":
        raise UsageError("--follow goes with `audit` only")
    if arguments.action != "approvals" and (arguments.approve, arguments.deny) != (None, None):
        raise UsageError("--approve and --deny go with `approvals` only")
    gate = PolicyGate.open(root_of(arguments), arguments.store, config=operator_config_of(arguments))
    as_json = arguments.format == "json"
    try:
        if arguments.action == "gate":
            return _gate(gate)
        if arguments.action == "status":
            return _status(gate, as_json)
        if arguments.action == "audit":
            return (prompter_audit.follow if arguments.follow else prompter_audit.show)(gate, as_json)
        return _approvals(gate, arguments, as_json)
    finally:
        gate.close()


def _gate(gate: PolicyGate) -> int:
    from rules_lsp.prompter.front import answer

    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            request: object = json.loads(line)
        except (ValueError, RecursionError):
            request = None
        sys.stdout.write(json.dumps(answer(gate, request)) + "\n")
        sys.stdout.flush()
    return OK


def _status(gate: PolicyGate, as_json: bool) -> int:
    found = gate.status()
    if as_json:
        print(json.dumps(found))
    else:
        print(f"Auto Prompter is {'on' if found['enabled'] else 'off'}")
        for rule in found["rules"]:
            state = "broken" if "broken" in rule else "on" if rule["enabled"] else "off"
            print(printable(f"  {rule['id']}: {rule['name']} ({state}; {rule['when']}, {rule['action']})"))
        if "error" in found:
            print(f"  {printable(found['error'])}", file=sys.stderr)
    return FAILED if "error" in found else OK


def _approvals(gate: PolicyGate, arguments: argparse.Namespace, as_json: bool) -> int:
    request = arguments.deny if arguments.approve is None else arguments.approve
    if request is not None:
        done = gate.decide(request, arguments.approve is not None, _user())
        print(json.dumps(done) if as_json else "done" if done["decided"] else printable(f"not done: {done['reason']}"))
        return OK if done["decided"] else FOUND
    found = gate.approvals("pending")
    if isinstance(found, str):
        print(f"rules-lsp: {printable(found)}", file=sys.stderr)
        return FAILED
    for each in found:
        print(json.dumps(each) if as_json else printable(f"{each['requestId']}  {each['ruleName']}: {each['summary']}"))
    return OK


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
