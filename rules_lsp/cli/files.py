"""`rules-lsp files`: which files of a project a glob takes, and which the policy."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from rules_lsp.cli.main import OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, project_of
from rules_lsp.cli.progress import ProgressBar
from rules_lsp.cli.render import printable
from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.glob import Glob
from rules_lsp.policy.patterns import never_matches_in, read_pattern
from rules_lsp.policy.patterns.matchers import composed_path
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import OPERATIONS, asked_path
from rules_lsp.policy.resolve import Resolver
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.walk import walk

DESCRIPTION = """List files of a project, one a line: with a GLOB those that it takes, read as in a rule file; without
one those that the rules allow to be written. Git-ignored files are files too."""
EXAMPLE = "rules-lsp files '**/*.sql'\n  rules-lsp files --denied --operation read -0 | xargs -0 ls -l"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# A request to rename needs a second name.
_ASKED = tuple(operation for operation in OPERATIONS if operation != "rename")
_BATCH = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("glob", nargs="?", metavar="GLOB", help="a pattern, taken from the project's directory")
    verdict = parser.add_mutually_exclusive_group()
    verdict.add_argument("--allowed", action="store_true", help="only what the rules allow (the default without GLOB)")
    verdict.add_argument("--denied", action="store_true", help="only what the rules deny")
    parser.add_argument("--operation", choices=_ASKED, default="write", help="what is done to the files")
    parser.add_argument("--count", action="store_true", help="print how many there are")
    parser.add_argument(
        "-0", "--null", action="store_true", help="end each name with a null byte, and print it as it is"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the files")
    add_project_options(parser)
    add_volume_option(parser)


@dataclass(frozen=True, slots=True)
class _Found:
    """A file, and what the policy says of it where it was asked."""

    path: str
    decision: FileDecision | None


def run(arguments: argparse.Namespace) -> int:
    """Print the files as they are found."""
    if arguments.null and arguments.format == "json":
        raise UsageError("-0 is for text: leave `--format json` out")
    policy = project_of(arguments).policy()
    glob = None if arguments.glob is None else _glob(arguments.glob, policy)
    unreadable: list[str] = []
    streams = not arguments.count
    with ProgressBar("files looked at", shown=not (streams and sys.stdout.isatty())) as progress:
        found = _found(policy, glob, _wanted(arguments), arguments.operation, progress, unreadable.append)
        count = sum(1 for _ in found) if arguments.count else 0
        if not arguments.count:
            _print(found, arguments)
    # The line of the progress is gone by now.
    if arguments.count:
        print(json.dumps({"count": count}) if arguments.format == "json" else count)
    for path in unreadable:
        print(f"{printable(path)}: cannot be looked into", file=sys.stderr)
    return OK


def _glob(text: str, policy: Policy) -> Glob:
    if text.startswith("!"):
        raise UsageError(f"`{printable(text)}` negates: write the pattern alone")
    pattern = read_pattern(text, "file_patterns.include")
    if pattern.glob is None:
        raise UsageError(f"`{printable(text)}` {pattern.broken}")
    never = never_matches_in(pattern, policy.root.given, policy.root.real)
    if never is not None:
        meant = "" if never.rewritten is None else f": did you mean `{printable(never.rewritten)}`?"
        print(f"`{printable(text)}` can match no path as it is written{meant}", file=sys.stderr)
    return pattern.glob


def _wanted(arguments: argparse.Namespace) -> bool | None:
    """The verdict that is asked for, or None where every file of a glob is."""
    if arguments.denied:
        return False
    return True if arguments.allowed or arguments.glob is None else None


def _found(
    policy: Policy,
    glob: Glob | None,
    wanted: bool | None,
    operation: str,
    progress: ProgressBar,
    unreadable: Callable[[str], None],
) -> Iterator[_Found]:
    resolver = Resolver(policy.root)
    composed = None if glob is None else glob.composed
    for number, path in enumerate(walk(policy.root.real, _start(glob), unreadable), 1):
        progress(number)
        if number % _BATCH == 0:
            # What a resolver remembers is the state of the disk: for a while only.
            resolver = Resolver(policy.root)
        if composed is not None and not composed.covers(composed_path(path), False):
            continue
        if wanted is None:
            yield _Found(path, None)
            continue
        asked = asked_path(path, None, policy.root, policy.config)
        decision = decide_file(policy, FileRequest(asked, operation), resolver, full=False)
        if decision.allowed == wanted:
            yield _Found(path, decision)


def _start(glob: Glob | None) -> str:
    """Where the search begins: outside of it the glob takes nothing. A name beyond ASCII may be spelt otherwise."""
    if glob is None or not glob.text.isascii() or not glob.anchored:
        return ""
    return glob.literal_path or glob.literal_prefix


def _print(found: Iterator[_Found], arguments: argparse.Namespace) -> None:
    out: BinaryIO = sys.stdout.buffer
    if arguments.format == "json":
        separator = b"[\n  "
        for each in found:
            out.write(separator + json.dumps(_as_json(each)).encode("ascii"))
            separator = b",\n  "
        out.write(b"[]\n" if separator == b"[\n  " else b"\n]\n")
    else:
        terminal = sys.stdout.isatty()
        for each in found:
            out.write(os.fsencode(each.path) + b"\0" if arguments.null else _line(each.path, terminal))
    out.flush()


def _line(path: str, terminal: bool) -> bytes:
    """A path as a line. A control character is written as its number: it would break the line or the terminal."""
    if terminal:
        return os.fsencode(printable(path)) + b"\n"
    return os.fsencode(_CONTROL.sub(lambda match: f"<U+{ord(match.group()):04X}>", path)) + b"\n"


def _as_json(each: _Found) -> dict[str, str | bool]:
    if each.decision is None:
        return {"path": each.path}
    return {"path": each.path, "allowed": each.decision.allowed, "code": each.decision.code}
