"""What outlives a process, and what happens where processes race or die."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from rules_lsp.prompter.store.database import SCHEMA_VERSION
from tests.prompter.support import ADVISING, ASKING, Place, bash, claimed, outputs, started

CONSUME = """
import sys
from rules_lsp.prompter.gate import PolicyGate
root, store, *approval = sys.argv[1:]
gate = PolicyGate.open(root, store, busy_milliseconds=30_000, clock=lambda: 1_000_001.0)
gate.approvals()
print("ready", flush=True)
sys.stdin.readline()
print(gate.consume(*approval)["consumed"], flush=True)
"""
DYING = """
import os, signal, sys
import rules_lsp.prompter.store.{module} as module
from rules_lsp.prompter.gate import PolicyGate
root, store = sys.argv[1:]
gate = PolicyGate.open(root, store, clock=lambda: 1_000_000.0)
if {claims}:
    gate.claim_job("t", "p", "m", "j")
real = {target}
def dying(*arguments, **named):
    real(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)
{target} = dying
gate.claim_job("t", "p", "m", "j")
gate.before_tools("j", [{{"id": "1", "tool": "Bash", "arguments": {{"command": "rm a"}}}}])
"""


def test_of_sixteen_racing_consumers_exactly_one_wins(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    approval = gate.before_tools("j", [bash("rm a")])["approval"]
    assert gate.decide(approval["requestId"], True) == {"decided": True}
    parts = (approval["requestId"], approval["nonce"], approval["fingerprint"])
    processes = [started(CONSUME, str(place.root), str(place.store), *parts) for _ in range(16)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sorted(outputs(processes)) == ["False"] * 15 + ["True"]
    states = gate.approvals()
    assert [each["state"] for each in states if isinstance(each, dict)] == ["consumed"]


@pytest.mark.parametrize(
    ("rules", "module", "target", "claims"),
    [
        (ASKING, "jobs", "module.claim", False),
        (ADVISING, "counters", "module.Counters.fire", True),
        (ASKING, "approvals", "module.ask", True),
    ],
    ids=["claim", "fire count", "approval"],
)
def test_a_process_that_is_killed_in_the_middle_leaves_what_was_there_before(
    rules: str, module: str, target: str, claims: bool, tmp_path: Path
) -> None:
    place = Place(tmp_path, rules)
    process = started(DYING.format(module=module, target=target, claims=claims), str(place.root), str(place.store))
    process.communicate(timeout=60)
    assert process.returncode == -9
    with sqlite3.connect(place.store) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("counters", "approvals")
        ]
        assert counts == [0, 0]
        assert connection.execute("SELECT count(*) FROM jobs").fetchone()[0] == (1 if claims else 0)
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    gate = place.gate()
    claimed(gate)
    assert gate.before_tools("j", [bash("rm a")])["batch"] == "held"


def test_a_job_that_is_claimed_again_after_an_edit_gets_the_old_snapshot(tmp_path: Path) -> None:
    place = Place(tmp_path)
    first = claimed(place.gate())
    place.write("version: 1\nrules: []\n")
    again = place.gate()
    assert claimed(again) == first
    assert again.before_tools("j", [bash("rm a")])["batch"] == "held"
    assert claimed(again, "next")["activeRules"] == 0
    assert again.before_tools("next", [bash("rm a")])["batch"] == "run"


def test_a_process_that_did_not_claim_a_job_finds_its_snapshot(tmp_path: Path) -> None:
    place = Place(tmp_path)
    claimed(place.gate())
    place.write("version: 1\nrules: []\n")
    assert place.gate().before_tools("j", [bash("rm a")])["batch"] == "held"


def test_counters_survive_a_restart_and_are_shared_by_the_jobs_of_a_task(tmp_path: Path) -> None:
    place = Place(tmp_path, ADVISING.replace("1000", "2"))
    for job in ("j", "k"):
        gate = place.gate()
        claimed(gate, job)
        assert gate.before_tools(job, [bash("ls")])["batch"] == "held"
        gate.close()
    last = place.gate()
    assert last.before_tools("j", [bash("ls", "2")])["batch"] == "run"


def test_a_waiting_approval_is_resumed_by_another_process(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    snapshot = claimed(gate)["snapshotId"]
    waiting = gate.before_tools("j", [bash("rm a")])["approval"]
    assert waiting["snapshotId"] == snapshot
    other = place.gate()
    assert other.before_tools("j", [bash("rm a")])["approval"] == waiting
    assert place.gate().decide(waiting["requestId"], True) == {"decided": True}
    answer = other.before_tools("j", [bash("rm a")])
    told = {key: waiting[key] for key in ("requestId", "nonce", "fingerprint")}
    assert (answer["batch"], answer["calls"][0]["consume"]) == ("run", [told])


@pytest.mark.parametrize("change", ["command", "rule", "task", "movement", "retry"])
def test_another_call_another_version_or_a_retry_needs_a_new_approval(change: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    first = gate.before_tools("j", [bash("rm a")])["approval"]
    gate.decide(first["requestId"], True)
    command, job = "rm a", "j"
    if change == "command":
        command = "rm b"
    elif change == "rule":
        place.write(ASKING.replace("what is lost", "why"))
        gate.claim_job("t", "p", "m", "k")
        job = "k"
    elif change == "task":
        gate.claim_job("u", "p", "m", "j")
    elif change == "movement":
        gate.claim_job("t", "p", "n", "j")
    else:
        assert gate.consume(first["requestId"], first["nonce"], first["fingerprint"]) == {"consumed": True}
    again = gate.before_tools(job, [bash(command)])
    assert again["batch"] == "held"
    assert again["approval"]["requestId"] != first["requestId"]


def test_another_job_of_the_task_may_use_the_approval(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    claimed(gate, "k")
    first = gate.before_tools("j", [bash("rm a")])["approval"]
    gate.decide(first["requestId"], True)
    assert gate.before_tools("k", [bash("rm a")])["calls"][0]["consume"][0]["requestId"] == first["requestId"]


@pytest.mark.parametrize("part", ["requestId", "nonce", "fingerprint"])
def test_an_approval_is_spent_with_all_three_marks_only(part: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    approval = gate.before_tools("j", [bash("rm a")])["approval"]
    gate.decide(approval["requestId"], True)
    names = ("requestId", "nonce", "fingerprint")
    wrong = ["0" if name == part else approval[name] for name in names]
    assert gate.consume(*wrong)["consumed"] is False
    assert gate.consume(*(approval[name] for name in names)) == {"consumed": True}


def test_repeat_after_denial(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING + "    limit: {repeat_after_denial: 1}\n")
    gate = place.gate()
    claimed(gate)
    for _ in range(2):
        waiting = gate.before_tools("j", [bash("rm a")])["approval"]
        assert gate.decide(waiting["requestId"], False) == {"decided": True}
    assert gate.before_tools("j", [bash("rm a")])["calls"][0]["effect"] == "deny"
    assert gate.before_tools("j", [bash("rm b")])["batch"] == "held"


def test_an_approval_expires(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    approval = gate.before_tools("j", [bash("rm a")])["approval"]
    gate.decide(approval["requestId"], True)
    place.now += 24 * 3600
    assert gate.consume(approval["requestId"], approval["nonce"], approval["fingerprint"])["consumed"] is False
    assert gate.before_tools("j", [bash("rm a")])["approval"]["requestId"] != approval["requestId"]


@pytest.mark.parametrize("kind", ["full", "locked"])
def test_a_store_that_fails_closes_the_controls_and_opens_the_rest(kind: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    claimed(place.gate())
    gate = place.gate(busy_milliseconds=1)
    assert gate.before_tools("j", [bash("ls")])["calls"][0]["effect"] == "allow"
    blocker = sqlite3.connect(place.store, isolation_level=None)
    if kind == "locked":
        blocker.execute("BEGIN IMMEDIATE")
    else:
        # The bound is never below what the file has now; requests fill it.
        gate = place.gate(most_pages=1)
        answers = (gate.before_tools("j", [bash(f"rm {number}")]) for number in range(1_000))
        assert next(answer for answer in answers if answer["calls"][0]["effect"] != "approval")
    answer = gate.before_tools("j", [bash("rm " + "b" * 5_000), bash("ls", "2")])
    reason = "database is locked" if kind == "locked" else "database or disk is full"
    assert [call["effect"] for call in answer["calls"]] == ["deny", "allow"]
    assert answer["error"] == f"the store failed: {reason}"
    assert answer["calls"][0]["result"] == (
        f"Error: denied by the rule `Confirm deletions`: the store failed: {reason}"
    )
    blocker.close()


def test_a_claim_without_a_store_lets_nothing_run(tmp_path: Path) -> None:
    place = Place(tmp_path)
    (tmp_path / "state").write_text("")
    gate = place.gate()
    assert claimed(gate)["error"] == "the store failed: file exists"
    assert gate.before_tools("j", [bash("ls")])["calls"][0]["effect"] == "deny"
    assert gate.before_completion("j", {"text": "x", "calls": ["end"]})["decision"] == "refuse"


def test_an_older_store_is_brought_up_to_date_and_a_newer_one_is_refused(tmp_path: Path) -> None:
    place = Place(tmp_path)
    first = place.gate()
    claimed(first)
    first.close()
    with sqlite3.connect(place.store) as connection:
        connection.execute("ALTER TABLE approvals DROP COLUMN decided_by")
        connection.execute("PRAGMA user_version = 1")
    second = place.gate()
    approval = second.before_tools("j", [bash("rm a")])["approval"]
    assert second.decide(approval["requestId"], True, "mia") == {"decided": True}
    second.close()
    with sqlite3.connect(place.store) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("SELECT decided_by FROM approvals").fetchone()[0] == "mia"
        connection.execute("PRAGMA user_version = 99")
    assert claimed(place.gate())["error"] == "the store is of a newer version (99): update rules-lsp"


def test_the_store_is_its_owners_alone_and_nothing_is_in_the_workspace(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a")])
    assert place.store.stat().st_mode & 0o777 == 0o600
    assert place.store.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in place.root.iterdir()] == [".auto-prompter.yaml"]
