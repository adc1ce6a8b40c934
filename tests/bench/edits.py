"""What a batch of structured edits costs: edits.py [--edits N] [--files N] [--rounds N].

A batch over many files checked, and applied, against the same Python that writes the same files plainly and brings each
down to the disk with fsync. Start-up is left out on both sides.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.measure import HEADER, OURS, Board, environment, machine

CHECK_BAR, APPLY_BAR = 3.0, 6.0
_LINES = 400
_OURS = """
import json, sys, time
from rules_lsp.prompt.edits.applying import apply_structured_edits
from rules_lsp.prompt.edits.checking import check_edits
from rules_lsp.workspace.project import Project
asked = json.load(sys.stdin)
project = Project(asked["root"])
began = time.perf_counter()
checked = check_edits(project, asked["edits"])
middle = time.perf_counter()
applied = apply_structured_edits(project, asked["edits"], state=asked["state"])
ended = time.perf_counter()
json.dump([middle - began, ended - middle, checked.allowed and applied.applied], sys.stdout)
"""
_FLOOR = """
import json, os, sys, time
asked = json.load(sys.stdin)
began = time.perf_counter()
for path in asked["paths"]:
    with open(os.path.join(asked["root"], path), "rb") as file:
        data = file.read()
    with open(os.path.join(asked["root"], path), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
json.dump([time.perf_counter() - began], sys.stdout)
"""


def asked(program: str, question: dict[str, object]) -> list[float]:
    """What a program tells of the seconds that it took."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    told: list[float] = json.loads(done.stdout)
    return told


def write_files(root: Path, paths: list[str]) -> None:
    """The files as they are before each round, with a rule file."""
    root.mkdir(exist_ok=True)
    (root / ".coding-agent-rules.yaml").write_text("file_patterns:\n  exclude: ['*.pem', secrets/]\n")
    for number, path in enumerate(paths):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("".join(f"line_{line} = {number}\n" for line in range(_LINES)))


def main(arguments: list[str] | None = None) -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=1_000, help="edits of the batch (default: %(default)s)")
    parser.add_argument("--files", type=int, default=200, help="files that they are for (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of each metric (default: %(default)s)")
    options = parser.parse_args(arguments)
    paths = [f"src/part{number % 20}/file{number}.py" for number in range(options.files)]
    edits = []
    for index in range(options.edits):
        number, line = index % options.files, index // options.files * 7 % _LINES
        block, by = f"line_{line} = {number}\n", f"line_{line} = changed\n"
        edits.append({"file_path": paths[number], "search_block": block, "replace_block": by})
    about = f"{options.edits:,} edits of {options.files:,} files"
    check, apply = Board(f"check {about}"), Board(f"apply {about}")
    print(f"{about}; {machine()}\n\n{HEADER}", flush=True)
    with tempfile.TemporaryDirectory(prefix="edits-") as directory:
        root, state = Path(directory).resolve() / "root", Path(directory) / "state"
        for number in range(options.rounds + 1):
            write_files(root, paths)
            (floor,) = asked(_FLOOR, {"root": str(root), "paths": paths})
            checking, applying, whole = asked(_OURS, {"root": str(root), "state": str(state), "edits": edits})
            if not whole:
                raise RuntimeError("the batch was not applied")
            for board, seconds in ((check, checking), (apply, applying)) if number else ():
                board.samples.setdefault(OURS, []).append(1000 * seconds)
                board.samples.setdefault("write + fsync", []).append(1000 * floor)
    print(check.row("write + fsync", CHECK_BAR))
    print(apply.row("write + fsync", APPLY_BAR), flush=True)


if __name__ == "__main__":
    main()
