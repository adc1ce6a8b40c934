"""Whatever a caller hands in has an answer, and never an open door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.prompter.support import Place, bash, claimed

DEEP: dict[str, Any] = {"command": "rm a"}
for _ in range(100_000):
    DEEP = {"command": "rm a", "more": DEEP}
CIRCLE: dict[str, Any] = {"command": "rm a"}
CIRCLE["more"] = CIRCLE


@pytest.mark.parametrize(
    "call",
    [
        {"id": "1", "tool": "Bash", "arguments": DEEP},
        {"id": "1", "tool": "Bash", "arguments": CIRCLE},
        {"id": "1", "tool": "\ud800", "arguments": {}},
        {"id": "1", "tool": "", "arguments": {}},
        {"id": "1", "tool": "Bash", "arguments": []},
        {"id": "1", "tool": None},
        {"id": 1, "tool": "Bash"},
        {"id": "1", "tool": "Write", "arguments": {"file_path": 3}},
        "rm a",
        None,
    ],
    ids=lambda call: None,
)
def test_a_call_that_makes_no_sense_is_denied(call: Any, tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    answer = gate.before_tools("j", [call])
    assert [each["effect"] for each in answer["calls"]] == ["deny"]
    assert gate.before_tools("j", [bash("ls")])["batch"] == "run"


@pytest.mark.parametrize("calls", [None, "x", 3, {"id": "1"}])
def test_calls_that_are_no_list_are_no_batch_that_runs(calls: Any, tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    assert gate.before_tools("j", calls)["batch"] == "held"


@pytest.mark.parametrize("completion", [None, "x", {"text": 3}, {"calls": "x"}, {"calls": [{}]}])
def test_a_completion_that_makes_no_sense_is_refused(completion: Any, tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    assert gate.before_completion("j", completion)["decision"] == "refuse"
    assert gate.before_completion("j", {"text": "x", "calls": ["end"]})["decision"] == "accept"


def test_names_that_the_store_cannot_hold_let_nothing_run(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    answer = gate.claim_job("\ud800", "p", "m", "j")
    assert answer["error"] == "the store failed: a name holds half of a character"
    assert gate.before_tools("j", [bash("ls")])["calls"][0]["effect"] == "deny"
