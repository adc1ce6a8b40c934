"""The vectors through Python and through the language server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompter.gate import PolicyGate
from tests.lsp.client import Client
from tests.prompter.vectors import VECTORS, lay_out, run


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_vector_through_python(vector: dict[str, Any], tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    lay_out(vector, root)
    now = [1_000_000.0]
    gate = PolicyGate.open(str(root), str(tmp_path / "state" / "prompter.db"), clock=lambda: now[0])

    def ask(method: str, arguments: dict[str, Any]) -> Any:
        if method == "wait":
            now[0] += arguments["seconds"]
            return {}
        return getattr(gate, method)(**arguments)

    run(vector, ask)
    gate.close()


SERVER = """
import pathlib, sys, time
clock = pathlib.Path(sys.argv.pop(1))
time.time = lambda: float(clock.read_text())
from rules_lsp.cli.entry import main
sys.exit(main())
"""
"""A server whose clock stands still, at the time that a file says."""
COMMANDS = {
    "claim_job": "claimJob",
    "before_tools": "beforeTools",
    "before_completion": "beforeCompletion",
    "decide": "decide",
    "consume": "consume",
    "release": "release",
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_vector_through_the_language_server(vector: dict[str, Any], tmp_path: Path) -> None:
    root, clock = tmp_path / "root", tmp_path / "clock"
    root.mkdir()
    lay_out(vector, root)
    clock.write_text("1000000", encoding="utf-8")
    client = Client(program=("-c", SERVER, str(clock)))
    client.initialize(
        workspaceFolders=[{"uri": root.as_uri(), "name": "root"}],
        # The user takes time to answer: it is the vector that decides.
        capabilities={"window": {"showMessage": {}}},
        initializationOptions={"autoPrompter": {"store": str(tmp_path / "state" / "prompter.db")}},
    )

    def ask(method: str, arguments: dict[str, Any]) -> Any:
        if method == "wait":
            clock.write_text(str(float(clock.read_text()) + arguments["seconds"]), encoding="utf-8")
            return {}
        asked = {"command": f"rulesLsp.gate.{COMMANDS[method]}", "arguments": [arguments]}
        return client.request("workspace/executeCommand", asked)

    run(vector, ask)
    client.close()
