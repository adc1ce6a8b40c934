"""Real hosts start `rules-lsp mcp` by themselves, and their models get the engine's answers from it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hosts.hands import HANDS
from tests.hosts.hosts import make_place
from tests.hosts.model.script import Script
from tests.hosts.project import RULES, write_project
from tests.hosts.session import CHECKOUT

# Codex hands its own environment to no server.
SERVER = {
    "rules": {
        "command": sys.executable,
        "args": ["-m", "rules_lsp", "mcp"],
        "env": {"PYTHONPATH": str(CHECKOUT)},
    }
}


@pytest.mark.parametrize("host", [pytest.param(host, marks=getattr(pytest.mark, host)) for host in HANDS])
def test_its_model_asks_what_it_may_do(tmp_path: Path, host: str) -> None:
    hand = HANDS[host]
    place = make_place(host, tmp_path, SERVER)
    write_project(place.project, RULES)
    place.install_hook()
    denied = hand.ask("denied", "rules", "check_file", {"path": "secrets/key.pem"})
    allowed = hand.ask("allowed", "rules", "check_file", {"path": "src/app.py"})
    tool = hand.ask("tool", "rules", "check_tool", {"tool": "stubfs/make_file"})
    results = place.play(Script([*denied, *allowed, *tool])).results
    assert "`secrets/key.pem` is excluded by `secrets/**`" in results["denied"]
    assert "`src/app.py` is included by `src/**`" in results["allowed"]
    assert "`stubfs/make_file` is denied by `stubfs/make_file`" in results["tool"]
