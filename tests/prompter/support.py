"""Projects, gates and calls for the tests of Auto Prompter."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules_lsp.prompter.gate import PolicyGate

ROOT = Path(__file__).resolve().parents[2]
ASKING = """version: 1
rules:
  - id: ask
    name: Confirm deletions
    when: tool.before
    condition: {command: {kinds: [deletes]}}
    action: request_approval
    instruction: Say what is lost.
"""
ADVISING = """version: 1
rules:
  - id: tip
    name: Tip
    when: tool.before
    action: inject_instruction
    instruction: Look first.
    limit: {fires: 1000, per: task}
"""


class Place:
    """A project and its store below one directory, with a clock that stands still."""

    def __init__(self, directory: Path, rules: str | None = ASKING) -> None:
        self.root = directory / "root"
        self.root.mkdir(exist_ok=True)
        self.store = directory / "state" / "prompter.db"
        self.now = 1_000_000.0
        if rules is not None:
            self.write(rules)

    def write(self, rules: str) -> None:
        (self.root / ".auto-prompter.yaml").write_text(rules, encoding="utf-8")

    def gate(self, **options: Any) -> PolicyGate:
        return PolicyGate.open(str(self.root), str(self.store), clock=lambda: self.now, **options)


def claimed(gate: PolicyGate, job: str = "j", **more: Any) -> dict[str, Any]:
    return gate.claim_job("t", "p", "m", job, **more)


def bash(command: str, identity: str = "1") -> dict[str, Any]:
    return {"id": identity, "tool": "Bash", "arguments": {"command": command}}


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process with this program, its pipes open."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def outputs(processes: list[subprocess.Popen[str]]) -> Iterator[str]:
    for process in processes:
        output, errors = process.communicate(timeout=60)
        assert errors == ""
        yield output.strip()
