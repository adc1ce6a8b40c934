"""`rules-lsp export`: the rules in a host's own permission settings."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from rules_lsp.agents.export import HOST_FILES, FileChange, Loss, Plan, Refused, plan_export
from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.names import shortened
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.cli.render import printable, use_any_encoding
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.server_files import read_server_files

DESCRIPTION = f"""Write the rules into a host's own permission settings: a second line of defence behind the hook.

Without --write the content is shown and nothing changes. What these settings cannot say is reported with each run.
What others wrote in the file stays; our part of it is renewed. With --check the exit code is 1 where the file is not
what would be written now.

hosts: {", ".join(f"{host} ({file})" for host, file in HOST_FILES.items())}"""
EXAMPLE = "rules-lsp export claude --write\n  rules-lsp export cursor --check"
_TITLES = {
    "lets-through": "it lets through",
    "denies-more": "it denies more than the rules",
    "asks": "it asks",
    "notice": "note",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("host", choices=tuple(HOST_FILES), metavar="HOST", help="the host of the agent, see above")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="write the host's file")
    action.add_argument("--check", action="store_true", help="only say whether the host's file is current")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the report")
    add_project_options(parser)
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show, check or write the export, and say what is lost."""
    use_any_encoding()
    policy = project_of(arguments).policy()
    name = shortened(policy.root.absolute(HOST_FILES[arguments.host]))
    try:
        plan = plan_export(arguments.host, policy, Catalogue.of_files(read_server_files(policy.root.real)))
    except Refused as error:
        raise UsageError(f"{name}: it is left as it is: {error}") from None
    if arguments.write:
        _write(plan)
    if arguments.format == "json":
        print(json.dumps(_as_json(plan, arguments.write), indent=2, ensure_ascii=False))
    else:
        _print(plan, arguments)
    return FOUND if arguments.check and not plan.is_current else OK


def _print(plan: Plan, arguments: argparse.Namespace) -> None:
    name = shortened(plan.file.path)
    if plan.is_current:
        print(f"{name}: it is current" if plan.file.after is not None else f"{name}: there is nothing to write")
    elif arguments.check:
        print(f"{name}: it is not what the rules say: run `rules-lsp export {plan.host} --write`")
    elif arguments.write:
        print(f"{name}: written")
    else:
        print(f"{name} would hold:\n\n{_content(plan.file) or ''}")
    if plan.losses:
        print("\nwhat these settings do not say of the rules:")
    for loss in plan.losses:
        print(f"  {_loss_line(loss)}")


def _loss_line(loss: Loss) -> str:
    entries = f" ({', '.join(f'`{printable(entry)}`' for entry in loss.entries)})" if loss.entries else ""
    return f"{_TITLES[loss.effect]}: {loss.message}{entries} [{loss.code}]"


def _as_json(plan: Plan, written: bool) -> dict[str, Any]:
    return {
        "host": plan.host,
        "path": plan.file.path,
        "current": plan.is_current or written,
        "content": _content(plan.file),
        "losses": [loss.as_json() for loss in plan.losses],
    }


def _content(change: FileChange) -> str | None:
    return None if change.after is None else change.after.decode("utf-8")


def _write(plan: Plan) -> None:
    """The note first: an entry that is noted and not there harms nothing, one that is not noted is never removed."""
    if plan.note is not None:
        _replace(plan.note)
    _replace(plan.file)


def _replace(change: FileChange) -> None:
    from rules_lsp.cli.write_file import ChangedMeanwhile, create_whole, replace_content

    if change.is_current or change.after is None:
        return
    name = shortened(change.path)
    try:
        if change.before is None:
            os.makedirs(os.path.dirname(os.path.realpath(change.path)), exist_ok=True)
            create_whole(change.path, change.after)
        else:
            replace_content(change.path, change.before, change.after)
    except ChangedMeanwhile:
        raise UsageError(f"{name}: it has changed meanwhile, and is left as it is") from None
    except OSError as error:
        raise UsageError(f"{name}: it cannot be written ({(error.strerror or 'unknown cause').lower()})") from None
