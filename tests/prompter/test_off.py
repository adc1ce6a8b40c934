"""Off is off: the very objects come back, and nothing is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prompter.support import ASKING, Place, bash, claimed, outputs, started

PROGRAM = """
import sys
from rules_lsp.prompter.gate import PolicyGate
root, store, available, claim = sys.argv[1:]
gate = PolicyGate.open(root, store, available=available == "yes")
calls = [{"id": "1", "tool": "Bash", "arguments": {"command": "rm a"}}]
completion = {"text": "done", "calls": ["end"]}
def work():
    return gate.before_tools("j", calls) is calls and gate.before_completion("j", completion) is completion
if claim == "before":
    gate.claim_job("t", "p", "m", "j")
seen = []
def hook(event, arguments):
    if event in ("open", "import") or event.startswith(("sqlite3.", "os.", "subprocess.", "socket.")):
        seen.append(event)
sys.addaudithook(hook)
if claim == "after":
    gate.claim_job("t", "p", "m", "j")
same = all(work() for _ in range(1000))
if claim == "after":
    gate.decide("r", True), gate.consume("r", "n", "f"), gate.release("j"), gate.approvals()
print(same, sorted(set(seen)))
"""


@pytest.mark.parametrize(
    ("enabled", "available", "claim"),
    [("true", "no", "after"), ("true", "no", "never"), ("false", "yes", "before")],
)
def test_off_returns_the_same_objects_and_opens_nothing(
    enabled: str, available: str, claim: str, tmp_path: Path
) -> None:
    place = Place(tmp_path, ASKING.replace("rules:", f"enabled: {enabled}\nrules:"))
    process = started(PROGRAM, str(place.root), str(place.store), available, claim)
    assert list(outputs([process])) == ["True []"]
    assert not place.store.parent.exists()


def test_a_claim_while_the_switch_is_off_reads_no_rule_and_opens_no_database(tmp_path: Path) -> None:
    place = Place(tmp_path, "version: 1\nenabled: false\nrules: [{id: A, what: is this}]\n")
    gate = place.gate()
    assert claimed(gate) == {
        "job": "j",
        "enabled": False,
        "activeRules": 0,
        "preamble": "",
        "snapshotId": None,
        "rules": [],
    }
    calls = [bash("rm a")]
    assert gate.before_tools("j", calls) is calls
    assert gate.before_tools("unclaimed", calls) is calls
    assert gate.release("j") == {"released": False, "reason": "Auto Prompter is switched off"}
    assert not place.store.parent.exists()


def test_without_a_file_the_gate_is_off(tmp_path: Path) -> None:
    place = Place(tmp_path, None)
    gate = place.gate()
    claimed(gate)
    calls = [bash("rm a")]
    assert gate.before_tools("j", calls) is calls
    assert not place.store.parent.exists()


def test_a_file_that_is_removed_in_the_middle_of_a_job_does_not_set_it_free(tmp_path: Path) -> None:
    place = Place(tmp_path)
    claimed(place.gate())
    (place.root / ".auto-prompter.yaml").unlink()
    again = place.gate()
    assert claimed(again)["activeRules"] == 1
    assert again.before_tools("j", [bash("rm a")])["batch"] == "held"


@pytest.mark.parametrize(
    "text", ["enabled: 'false'", "enabled: no", "enabled: [false]", "enabled: false\nenabled: true"]
)
def test_what_is_no_plain_false_does_not_switch_off(text: str, tmp_path: Path) -> None:
    place = Place(tmp_path, f"version: 1\n{text}\nrules: []\n")
    gate = place.gate()
    assert claimed(gate)["enabled"] is True
    assert gate.before_tools("j", [bash("ls")])["calls"][0]["effect"] == "deny"


@pytest.mark.parametrize("kind", ["sound", "corrupt"])
def test_the_store_of_another_project_says_nothing_about_one_without_a_file(kind: str, tmp_path: Path) -> None:
    other = Place(tmp_path)
    gate = other.gate()
    claimed(gate)
    gate.close()
    if kind == "corrupt":
        other.store.write_bytes(b"no database" * 1000)
    (tmp_path / "second").mkdir()
    place = Place(tmp_path / "second", None)
    place.store = other.store
    calls = [bash("rm a")]
    gate = place.gate()
    assert claimed(gate)["enabled"] is False
    assert gate.before_tools("j", calls) is calls
    assert gate.before_tools("never claimed", calls) is calls


def test_a_project_whose_jobs_are_all_released_is_off_without_its_file(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    (place.root / ".auto-prompter.yaml").unlink()
    calls = [bash("rm a")]
    assert place.gate().before_tools("j", calls)["batch"] == "held"
    assert gate.release("j") == {"released": True}
    assert claimed(place.gate())["enabled"] is False
    assert place.gate().before_tools("j", calls) is calls


def test_a_store_that_breaks_does_not_free_a_job_whose_file_is_gone(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.close()
    (place.root / ".auto-prompter.yaml").unlink()
    place.store.write_bytes(b"no database" * 1000)
    assert [each["effect"] for each in place.gate().before_tools("j", [bash("rm a")])["calls"]] == ["deny"]
    assert "error" in claimed(place.gate())
