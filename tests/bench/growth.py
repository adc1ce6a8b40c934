"""How much slower the server is in a large project: growth.py [--files SMALL LARGE] [--rounds N] [--edits N].

One rule file of a hundred lines, in a project of a thousand files and in one of a hundred thousand. The projects take
turns, each with a server of its own, so that a slow minute hits both; each sample is the median of a session's
measurements once the files are known. A ratio of 1 is a server that does not mind.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.measure import HEADER, OURS, Board, machine
from tests.bench.session import Session
from tests.bench.trees import NAME, paths_of, rules, write_project

BAR = 1.3
METRICS = ("initialize", "keystroke", "hover", "completion", "lens")
_FORMS = ("{}/**/*.py", "{}/*.ts", "**/{}/*.md", "/{}/")
_AREAS = ("api", "core", "web", "auth", "billing", "search", "report", "worker", "queue", "admin", "theme", "mail")


def rule_file() -> str:
    """A hundred lines: globs of every shape, few of which take many files."""
    globs = tuple(form.format(f"src/{area}") for form, area in product(_FORMS, _AREAS))
    return rules((*globs, "src/**", "*.md"), (*(f"src/{area}/private_*" for area in _AREAS), "*.log", "**/.env") * 3)


def session_of(root: Path, edits: int) -> dict[str, float]:
    """The median of each metric in one session, in milliseconds."""
    text = rule_file()
    (root / NAME).write_text(text)
    samples: dict[str, list[float]] = {metric: [] for metric in METRICS}
    began = time.perf_counter()
    with Session(root) as session:
        session.initialize()
        samples["initialize"].append(1000 * (time.perf_counter() - began))
        uri = session.open(NAME, text)
        session.settled()
        document = {"uri": uri}
        last = len(text.splitlines()) - 1
        for number in range(2, edits + 2):
            where = {"line": last, "character": len(text.splitlines()[last]) - 1}
            change = {"range": {"start": where, "end": where}, "text": str(number % 10)}
            text = text.rstrip("\n")[:-1] + f'{number % 10}"\n'
            session.notified.clear()
            began = time.perf_counter()
            session.notify(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": number}, "contentChanges": [change]},
            )
            while session.notification("textDocument/publishDiagnostics").get("version") != number:
                continue
            samples["keystroke"].append(1000 * (time.perf_counter() - began))
        for number in range(edits):
            glob = {"line": 3 + number % 40, "character": 10}
            session.request("textDocument/hover", {"textDocument": document, "position": glob})
            samples["hover"].append(1000 * session.seconds)
            session.request("textDocument/completion", {"textDocument": document, "position": glob})
            samples["completion"].append(1000 * session.seconds)
            lenses = session.request("textDocument/codeLens", {"textDocument": document})
            took = session.seconds
            session.request("codeLens/resolve", lenses[number % len(lenses)])
            samples["lens"].append(1000 * (took + session.seconds))
    return {metric: median(found) for metric, found in samples.items()}


def main(arguments: list[str] | None = None) -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs=2, default=(1_000, 100_000), metavar="N", help="of both projects")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of sessions (default: %(default)s)")
    parser.add_argument("--edits", type=int, default=50, help="measurements of a session (default: %(default)s)")
    options = parser.parse_args(arguments)
    small, large = options.files
    boards = {metric: Board(f"{metric} at {large:,} files") for metric in METRICS}
    with tempfile.TemporaryDirectory(prefix="growth-") as directory:
        measured: dict[str, Callable[[], dict[str, float]]] = {}
        for name, number in ((f"{small:,} files", small), (OURS, large)):
            root = Path(directory).resolve() / str(number)
            root.mkdir()
            write_project(root, paths_of(number), git=False)
            measured[name] = partial(session_of, root, options.edits)
        print(f"{machine()}\n\n{HEADER}", flush=True)
        for number in range(options.rounds + 1):
            for name, session in measured.items():
                found = session()
                for metric, sample in found.items() if number else ():
                    boards[metric].samples.setdefault(name, []).append(sample)
    for board in boards.values():
        print(board.row(f"{small:,} files", BAR))


if __name__ == "__main__":
    main()
