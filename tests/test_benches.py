"""That the benches run and print their rows: what they measure is no matter of a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHES = Path(__file__).resolve().parent / "bench"


def rows(*command: str) -> list[str]:
    done = subprocess.run([sys.executable, str(BENCHES / command[0]), *command[1:]], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[3] == "| --- | --- | --- | --- | --- | --- | --- |"
    assert all(line.count("|") == 8 for line in lines[2:])
    return [line.split("|")[1].strip() for line in lines[4:]]


def test_questions() -> None:
    batch = "`rulesLsp.isFileAllowed`, 119 paths"
    found = rows("questions.py", "--files", "120", "--rounds", "1")
    assert found == ["`rulesLsp.isFileAllowed`, one path", batch, batch]


def test_edits() -> None:
    found = rows("edits.py", "--edits", "20", "--files", "5", "--rounds", "1")
    assert found == ["check 20 edits of 5 files", "apply 20 edits of 5 files"]


def test_growth() -> None:
    metrics = ["initialize", "keystroke", "hover", "completion", "lens"]
    found = rows("growth.py", "--files", "50", "120", "--rounds", "1", "--edits", "2")
    assert found == [f"{metric} at 120 files" for metric in metrics]


def test_files() -> None:
    found = rows("files.py", "--files", "120", "--rounds", "1", "--glob", "**/*.md")
    commands = found.count("`files **/*.md`")
    # One row for each peer; ripgrep is not everywhere.
    assert commands in (2, 3)
    assert found[commands:] == ["`files` (policy over all)", "lens of a new `**/*.md`"]


def test_prompter() -> None:
    found = rows("prompter.py", "--rounds", "1", "--batches", "20")
    asked = "`before_tools`, 50 rules, 8 calls"
    # In the second mix something is stored, so there is a second peer.
    quiet = [f"{asked}, quiet, {cut}" for cut in ("p50", "p95")]
    counting = [f"{asked}, counting, {cut}" for cut in ("p50", "p50", "p95", "p95")]
    assert found == [*quiet, *counting, "a gate that is off"]
