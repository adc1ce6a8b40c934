"""The bench of the language server runs, beside no other: what it prints is measured elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent / "bench" / "language_server.py"


def test_the_bench_measures_our_server_alone(tmp_path: Path) -> None:
    # A path without the peer: its programs are none of ours.
    environment = {**os.environ, "PATH": str(tmp_path)}
    command = [sys.executable, str(BENCH), "--rounds", "1", "--count", "4", "--lines", "30"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in done.stdout.splitlines() if re.search(r"\d", line)]
    assert rows[:-1] == [
        "spawn → initialize, 30 lines",
        "spawn → first diagnostics, 30 lines",
        "keystroke → diagnostics, 30 lines",
        "hover, 30 lines",
        "completion, 30 lines",
        "edit, completion, 30 lines",
        "memory, 30 lines",
    ]
