"""The vectors through Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompter.gate import PolicyGate
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
