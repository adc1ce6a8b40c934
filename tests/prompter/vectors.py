"""The vectors of the gate, and how one is run through a front."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

VECTORS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "gate.jsonl").read_text(encoding="utf-8").splitlines()
]
Ask = Callable[[str, dict[str, Any]], Any]
"""A front: a method of the gate and its arguments by name, to the answer."""


def lay_out(vector: dict[str, Any], root: Path) -> None:
    for name, content in vector["files"].items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def run(vector: dict[str, Any], ask: Ask) -> None:
    for number, step in enumerate(vector["steps"]):
        answer = ask(step["do"], step["with"])
        where = f"{vector['id']}, step {number}"
        for key, wanted in step.get("want", {}).items():
            found = answer[key]
            if key == "calls":
                found = [{name: call[name] for name in ("id", "effect", "ruleId")} for call in found]
            assert found == wanted, where
        if "message" in step:
            assert answer["message"] == {"role": "user", "content": step["message"]}, where
        if "results" in step:
            assert [call["id"] for call in answer["calls"] if "result" in call] == step["results"], where
            assert all(call["result"].startswith("Error: ") for call in answer["calls"] if "result" in call), where
        if "notices" in step:
            assert answer["notices"] == step["notices"], where
        if "approvalJob" in step:
            assert answer["approval"]["job"] == step["approvalJob"], where
