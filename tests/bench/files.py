"""How fast files are found, beside the tools that people use for it: files.py [--files N] [--rounds N] [--glob GLOB …].

Whole commands over a made-up repository: `rules-lsp files GLOB` against `git ls-files`, `rg --files` (where it is
installed) and a plain program of pathspec and `os.walk`; then the lens of a new glob in a running server against
that `git ls-files`, and `rules-lsp files` without a glob, which asks the policy about every file. A peer that does not
find as many files as we do is no peer, and its row says so.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.measure import HEADER, OURS, PROGRAM, Board, command_ms, environment, machine
from tests.bench.session import Session
from tests.bench.trees import NAME, paths_of, rules, write_project

UNANCHORED = ("**/*.md", "*.test.ts", "docs/")
ANCHORED = ("src/**/*.py", "packages/*/*/**", "/README.md", "node_modules/**")
BARS = {"rg": (2.0, None), "git": (1.6, 4.0), "pathspec": (0.7, 0.7)}
"""Peer → the bars of unanchored and of anchored globs; a command is mostly listing, so the second one prunes."""
LENS_BAR = 0.5
_WALK = """
import os, sys, pathspec
spec = pathspec.GitIgnoreSpec.from_lines([sys.argv[1]])
for here, folders, names in os.walk("."):
    if ".git" in folders:
        folders.remove(".git")
    prefix = "" if here == "." else here[2:] + "/"
    found = [prefix + name for name in names if spec.match_file(prefix + name)]
    if found:
        print("\\n".join(found))
"""


def commands_of(glob: str) -> dict[str, tuple[str, ...]]:
    """The command of each contender."""
    body = glob.rstrip("/")
    git = f":(glob){'' if '/' in body else '**/'}{body.lstrip('/')}{'/**' if glob.endswith('/') else ''}"
    commands = {
        OURS: (*PROGRAM, "files", glob),
        "git": ("git", "ls-files", "-co", "--", git),
        "pathspec": (sys.executable, "-c", _WALK, glob),
    }
    if shutil.which("rg"):
        # A glob overrides all else that ripgrep knows, so that the last word takes Git's own directory away again.
        commands["rg"] = ("rg", "--files", "--no-ignore", "--hidden", "-g", glob, "-g", "!/.git")
    return commands


def bench_commands(root: Path, rounds: int, chosen: list[str]) -> None:
    """The rows of whole commands."""
    for anchored, globs in ((False, UNANCHORED), (True, ANCHORED)):
        for glob in filter(chosen.__contains__, globs):
            commands = commands_of(glob)
            found = {name: _lines(command, root) for name, command in commands.items()}
            peers = [name for name, number in found.items() if number == found[OURS] and name != OURS]
            board = Board(f"`files {glob}`")
            board.run({name: partial(command_ms, commands[name], root) for name in (OURS, *peers)}, rounds)
            for name in peers:
                print(board.row(name, BARS[name][anchored]), flush=True)
            for name in found.keys() - {OURS, *peers}:
                print(f"| {board.metric} | | {found[OURS]:,} files | {name}: {found[name]:,} files | | | no peer |")


def _lines(command: tuple[str, ...], root: Path) -> int:
    done = subprocess.run(command, cwd=root, env=environment(), capture_output=True, check=False)
    return done.stdout.count(b"\n")


def bench_policy(root: Path, rounds: int) -> None:
    """The row of the policy over every file, beside the same files under the glob `**`."""
    board = Board("`files` (policy over all)")
    contenders: dict[str, Callable[[], float]] = {
        OURS: partial(command_ms, (*PROGRAM, "files"), root),
        "files '**'": partial(command_ms, (*PROGRAM, "files", "**"), root),
    }
    board.run(contenders, rounds)
    print(board.row("files '**'"), flush=True)


def bench_lens(root: Path, rounds: int, chosen: list[str]) -> None:
    """The rows of a new glob's lens: the keystroke that writes the glob, and the lens resolved."""
    for glob in chosen:
        with Session(root) as session:
            session.initialize()
            uri = session.open(NAME, rules())
            session.settled()
            versions = iter(range(2, 10_000))
            board = Board(f"lens of a new `{glob}`")
            git = commands_of(glob)["git"]
            contenders: dict[str, Callable[[], float]] = {
                OURS: lambda: _new_lens(session, uri, glob, next(versions)),  # noqa: B023
                "git": partial(command_ms, git, root),
            }
            board.run(contenders, rounds)
            print(board.row("git", LENS_BAR), flush=True)


def _new_lens(session: Session, uri: str, glob: str, version: int) -> float:
    """Milliseconds from the keystroke to the number; each version spells the glob in a way that was never seen."""
    spelt = f"{glob[:-1]}{{{glob[-1]},no-{version}}}" if not glob.endswith(("/", "*")) else f"{{{glob},no-{version}}}"
    text = rules((spelt,))
    session.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
    )
    lenses = session.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    first = session.seconds
    lens = next(each for each in lenses if each["range"]["start"]["line"] == 2)
    title = str(session.request("codeLens/resolve", lens)["command"]["title"])
    if " file" not in title:
        raise RuntimeError(f"the lens of {spelt} says `{title}`")
    return 1000 * (first + session.seconds)


def main(arguments: list[str] | None = None) -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100_000, help="files of the project (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of each metric (default: %(default)s)")
    every = [*UNANCHORED, *ANCHORED]
    parser.add_argument("--glob", choices=every, action="append", help="only this one; may be given again")
    options = parser.parse_args(arguments)
    chosen = options.glob or every
    with tempfile.TemporaryDirectory(prefix="files-") as directory:
        root = Path(directory).resolve()
        write_project(root, paths_of(options.files))
        (root / NAME).write_text(rules())
        print(f"{options.files:,} files; {machine('git', 'rg')}\n\n{HEADER}", flush=True)
        bench_commands(root, options.rounds, chosen)
        bench_policy(root, options.rounds)
        bench_lens(root, options.rounds, chosen)


if __name__ == "__main__":
    main()
