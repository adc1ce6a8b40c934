"""What a question to a running server costs: questions.py [--files N] [--rounds N].

`rulesLsp.isFileAllowed` about one file against a command that does nothing but come back (`rulesLsp.showFiles` of a
document that is not open), and about 10,000 paths against the same Python matching them with pathspec alone, and after
`os.path.realpath` of each, which a program does that must not be fooled by links.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.measure import HEADER, OURS, Board, environment, machine
from tests.bench.session import Session
from tests.bench.trees import EXCLUDE, INCLUDE, NAME, paths_of, rules, write_project

COMMAND = "rulesLsp.isFileAllowed"
MOST_PATHS = 10_000
ROUND_TRIP_BAR, MATCH_BAR, RESOLVE_BAR = 1.3, 8.0, 0.5
_FLOOR = """
import json, os, sys, time, pathspec
asked = json.load(sys.stdin)
include, exclude = (pathspec.GitIgnoreSpec.from_lines(asked[name]) for name in ("include", "exclude"))
def allowed(path):
    return include.match_file(path) and not exclude.match_file(path)
def resolved(path):
    return os.path.relpath(os.path.realpath(os.path.join(asked["root"], path)), asked["root"])
told = {}
for name, answer in (("match", allowed), ("realpath + match", lambda path: allowed(resolved(path)))):
    began = time.perf_counter()
    answers = [bool(answer(path)) for path in asked["paths"]]
    told[name] = [time.perf_counter() - began, sum(answers)]
json.dump(told, sys.stdout)
"""


def bench_round_trip(session: Session, paths: list[str], rounds: int) -> None:
    """The row of one question: medians of a hundred, so that one round is about one moment of the machine."""
    nowhere = {"uri": "file:///nowhere", "position": {"line": 0, "character": 0}}

    def asked(path: str) -> float:
        session.command(COMMAND, {"path": path})
        return session.seconds

    def empty(_: str) -> float:
        session.command("rulesLsp.showFiles", nowhere)
        return session.seconds

    board = Board(f"`{COMMAND}`, one path")
    some = paths[:100]
    contenders: dict[str, Callable[[], float]] = {
        OURS: lambda: 1000 * median(map(asked, some)),
        "empty command": lambda: 1000 * median(map(empty, some)),
    }
    board.run(contenders, rounds)
    print(board.row("empty command", ROUND_TRIP_BAR), flush=True)


def bench_batch(session: Session, paths: list[str], rounds: int) -> None:
    """The rows of a batch, in microseconds a path."""
    question = {"root": str(session.root), "paths": paths, "include": INCLUDE, "exclude": EXCLUDE}
    board = Board(f"`{COMMAND}`, {len(paths):,} paths", unit="µs a path")
    for number in range(rounds + 1):
        answers = session.command(COMMAND, {"paths": paths})["answers"]
        allowed = sum(answer["allowed"] for answer in answers)
        took = {OURS: session.seconds}
        done = subprocess.run(
            [sys.executable, "-c", _FLOOR],
            input=json.dumps(question),
            capture_output=True,
            text=True,
            env=environment(),
            check=True,
        )
        for name, (seconds, others) in json.loads(done.stdout).items():
            took[name] = seconds
            if allowed != others:
                raise RuntimeError(f"we allow {allowed} paths where pathspec takes {others}")
        for name, seconds in took.items() if number else ():
            board.samples.setdefault(name, []).append(1e6 * seconds / len(paths))
    print(board.row("match", MATCH_BAR))
    print(board.row("realpath + match", RESOLVE_BAR), flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000, help="files of the project (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of each metric (default: %(default)s)")
    options = parser.parse_args(arguments)
    paths = [path for path in paths_of(options.files) if "." not in path[:1]][:MOST_PATHS]
    with tempfile.TemporaryDirectory(prefix="questions-") as directory:
        root = Path(directory).resolve()
        write_project(root, paths, git=False)
        (root / NAME).write_text(rules())
        print(f"{options.files:,} files; {machine()}\n\n{HEADER}", flush=True)
        with Session(root) as session:
            session.initialize()
            session.settled()
            bench_round_trip(session, paths, options.rounds)
            bench_batch(session, paths, options.rounds)


if __name__ == "__main__":
    main()
