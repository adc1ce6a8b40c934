"""`rules-lsp hook`: answer an agent's host before a tool call, and put that answer into the host's configuration."""

from __future__ import annotations

import argparse
import os

from rules_lsp.agents.hosts import HOSTS
from rules_lsp.cli.main import OK, UsageError
from rules_lsp.cli.names import shortened
from rules_lsp.cli.options import root_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.agents.installing import Change

DESCRIPTION = f"""Make an agent obey the rules: its host runs this command before each tool call.

  hook install HOST     write the hook into the host's configuration; what is there stays as it is
  hook uninstall HOST   take it out again
  hook HOST             answer one call: the host's message comes on standard input

A call that is denied ends with 2 and is denied in the host's own form; one that is allowed ends with 0 without a word.
Whatever fails denies.

hosts: {", ".join(HOSTS)}"""
EXAMPLE = "rules-lsp hook install claude\n  rules-lsp hook install codex --user --dry-run"
INSTALL, UNINSTALL = "install", "uninstall"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("action", choices=(INSTALL, UNINSTALL, *HOSTS), metavar="ACTION", help="what to do, see above")
    parser.add_argument("host", nargs="?", choices=tuple(HOSTS), metavar="HOST", help="the host of the agent")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--project", action="store_true", help="install it for the project (default)")
    scope.add_argument("--user", action="store_true", help="install it for all projects of the user")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, as a patch")
    parser.add_argument("--no-shell-look", action="store_true", help="do not look at the paths in command lines")
    parser.add_argument(
        "--root",
        metavar="DIR",
        help="the project's directory (default: the git work tree's top; of a call: the host's)",
    )
    parser.add_argument("--config", metavar="FILE", help="of a call: the operator's config.yaml")
    parser.add_argument("--deadline", metavar="SECONDS", help="of a call: deny when there is no answer by then")


def run(arguments: argparse.Namespace) -> int:
    """Answer a call, or change the host's configuration and say what changed."""
    if arguments.action not in (INSTALL, UNINSTALL):
        return _answer(arguments)
    if arguments.host is None:
        raise UsageError(f"hook {arguments.action}: name a host, one of {', '.join(HOSTS)}")
    for option in ("config", "deadline"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for `rules-lsp hook HOST`")
    from rules_lsp.agents.installing import Refused, plan_install, plan_uninstall

    root = None if arguments.user else root_of(arguments)
    try:
        if arguments.action == INSTALL:
            change = plan_install(arguments.host, root, not arguments.no_shell_look)
        else:
            change = plan_uninstall(arguments.host, root)
    except Refused as error:
        from rules_lsp.agents.host_files import project_file, user_file

        path = user_file(arguments.host) if root is None else project_file(arguments.host, root)
        raise UsageError(f"{shortened(path)}: it is left as it is: {error}") from None
    return _patch(change) if arguments.dry_run else _write(arguments, change, root)


def _answer(arguments: argparse.Namespace) -> int:
    from rules_lsp.agents.hook import call

    if arguments.host is not None or arguments.user or arguments.project or arguments.dry_run:
        raise UsageError(f"hook {arguments.action}: it answers a call; to install it: hook install {arguments.action}")
    given = [
        f"--{name}={value}"
        for name in ("root", "config", "deadline")
        if (value := getattr(arguments, name)) is not None
    ]
    return call(arguments.action, [*given, *(["--no-shell-look"] if arguments.no_shell_look else [])])


def _patch(change: Change) -> int:
    from rules_lsp.cli.patch import change_as_patch

    before, after = (None if each is None else each.decode("utf-8") for each in (change.before, change.after))
    print(change_as_patch(shortened(change.path), before, after), end="")
    if change.before == change.after:
        print(f"{shortened(change.path)}: nothing would change")
    return OK


def _write(arguments: argparse.Namespace, change: Change, root: str | None) -> int:
    name = shortened(change.path)
    if change.before == change.after:
        there = "it is installed already" if arguments.action == INSTALL else "no hook of ours is in it"
        print(f"{name}: {there}, nothing changed")
        _say(change.notes)
        return OK
    from rules_lsp.cli.write_file import (
        ChangedMeanwhile,
        create_whole,
        make_executable,
        remove_content,
        replace_content,
    )

    try:
        if change.after is None:
            remove_content(change.path, change.before or b"")
            _drop_empty_directories(change.path, root)
        elif change.before is None:
            os.makedirs(os.path.dirname(os.path.realpath(change.path)), exist_ok=True)
            create_whole(change.path, change.after, change.mode)
        else:
            replace_content(change.path, change.before, change.after)
            if change.mode & 0o111:
                make_executable(change.path)
    except ChangedMeanwhile:
        raise UsageError(f"{name}: it has changed meanwhile, and is left as it is") from None
    except OSError as error:
        raise UsageError(f"{name}: it cannot be written ({(error.strerror or 'unknown cause').lower()})") from None
    print(f"{'installed' if arguments.action == INSTALL else 'uninstalled'} {arguments.host}: {name}")
    _say(change.notes)
    return OK


def _say(notes: tuple[str, ...]) -> None:
    for note in notes:
        print(note.replace("\n", "\n    "))


def _drop_empty_directories(path: str, root: str | None) -> None:
    """Remove the directories that held nothing but the file, up to the project's directory or the user's."""
    top = os.path.expanduser("~") if root is None else root
    directory = os.path.dirname(path)
    while directory.startswith(top + os.sep):
        try:
            os.rmdir(directory)
        except OSError:
            return
        directory = os.path.dirname(directory)
