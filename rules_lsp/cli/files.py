"""`rules-lsp files`: which files of a project a glob takes, and which the policy."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator

from rules_lsp.cli.main import OK, UsageError
from rules_lsp.cli.options import add_project_options, add_volume_option, operator_config_of, project_of, root_of
from rules_lsp.cli.printable import printable
from rules_lsp.cli.progress import ProgressBar
from rules_lsp.policy.glob import Glob
from rules_lsp.policy.patterns.reading import never_matches_in, read_pattern
from rules_lsp.policy.roots import Root
from rules_lsp.workspace.glob_files import GlobFiles, start_of
from rules_lsp.workspace.walk import every_file, walk_chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.workspace.walk import Choose

DESCRIPTION = """List files of a project, one a line: with a GLOB those that it takes, read as in a rule file; without
one those that the rules allow to be written. Git-ignored files are files too."""
EXAMPLE = "rules-lsp files '**/*.sql'\n  rules-lsp files --denied --operation read -0 | xargs -0 ls -l"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# A request to rename needs a second name.
_ASKED = ("read", "write", "create", "delete")


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


def run(arguments: argparse.Namespace) -> int:
    """Print the files as they are found."""
    if arguments.null and arguments.format == "json":
        raise UsageError("-0 is for text: leave `--format json` out")
    wanted = _wanted(arguments)
    if wanted is None:
        # Which files a glob takes is no question to the rules, and reading them costs more than a short answer.
        operator_config_of(arguments)
        root, policy = Root.at(root_of(arguments)), None
    else:
        policy = project_of(arguments).policy()
        root = policy.root
    glob = None if arguments.glob is None else _glob(arguments.glob, root)
    unreadable: list[str] = []
    with ProgressBar("files looked at", shown=arguments.count or not sys.stdout.isatty()) as progress:
        choose = _told(every_file if glob is None else GlobFiles(glob), progress)
        found = walk_chosen(root.real, choose, "" if glob is None else start_of(glob), unreadable.append)
        if policy is None or wanted is None:
            count = _show(found, ({"path": path} for paths in found for path in paths), arguments)
        else:
            from rules_lsp.cli.files_decided import decided

            answers = decided(policy, found, wanted, arguments.operation)
            paths = ([answer.path for answer in piece] for piece in answers)
            count = _show(paths, (answer._asdict() for piece in answers for answer in piece), arguments)
    # The line of the progress is gone by now.
    if arguments.count:
        print(f'{{"count": {count}}}' if arguments.format == "json" else count)
    for path in unreadable:
        print(f"{printable(path)}: cannot be looked into", file=sys.stderr)
    return OK


def _told(choose: Choose, progress: ProgressBar) -> Choose:
    """Chooses the same, and tells how many files there were to choose from so far."""
    number = 0

    def counting(directory: str, names: list[str]) -> list[str]:
        nonlocal number
        number += len(names)
        progress(number)
        return choose(directory, names)

    return counting


def _glob(text: str, root: Root) -> Glob:
    if not text.strip():
        raise UsageError("an empty GLOB takes no file: leave it out for what the rules allow")
    if text.startswith("!"):
        raise UsageError(f"`{printable(text)}` negates: write the pattern alone")
    pattern = read_pattern(text, "file_patterns.include")
    if pattern.glob is None:
        raise UsageError(f"`{printable(text)}` {pattern.broken}")
    never = never_matches_in(pattern, root.given, root.real)
    if never is not None:
        meant = "" if never.rewritten is None else f": did you mean `{printable(never.rewritten)}`?"
        print(f"`{printable(text)}` can match no path as it is written{meant}", file=sys.stderr)
    return pattern.glob


def _wanted(arguments: argparse.Namespace) -> bool | None:
    """The verdict that is asked for, or None where every file of a glob is."""
    if arguments.denied:
        return False
    return True if arguments.allowed or arguments.glob is None else None


def _show(pieces: Iterator[list[str]], objects: Iterator[dict[str, str | bool]], arguments: argparse.Namespace) -> int:
    """Print the same files as paths or as objects, or only count them; the answer is their number where counted."""
    if arguments.count:
        return sum(map(len, pieces))
    if arguments.format == "json":
        _print_json(objects)
    else:
        _print_paths(pieces, null=arguments.null)
    return 0


def _print_json(objects: Iterable[dict[str, str | bool]]) -> None:
    # The import costs more than many a list of paths.
    import json

    out, separator = sys.stdout.buffer, b"[\n  "
    for each in objects:
        out.write(separator + json.dumps(each).encode("ascii"))
        separator = b",\n  "
    out.write(b"[]\n" if separator == b"[\n  " else b"\n]\n")
    out.flush()


def _print_paths(pieces: Iterable[list[str]], *, null: bool) -> None:
    out, terminal = sys.stdout.buffer, sys.stdout.isatty()
    end = "\0" if null else "\n"
    for paths in pieces:
        if not null and not "".join(paths).isprintable():
            paths = [_line(path, terminal) for path in paths]
        out.write(os.fsencode(end.join(paths) + end))
    out.flush()


def _line(path: str, terminal: bool) -> str:
    """A path as a line. A control character is written as its number: it would break the line or the terminal."""
    if terminal:
        return printable(path)
    return _CONTROL.sub(lambda match: f"<U+{ord(match.group()):04X}>", path)
