"""What a mere onlooker is told of the rules' counters, and that looking changes nothing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rules_lsp.prompter.activity import Activity, rule_activity
from tests.prompter.support import ADVISING, ASKING, Place, bash, claimed


def seen(place: Place) -> dict[str, Activity]:
    return dict(rule_activity(os.path.realpath(place.root), str(place.store), place.now))


def files(directory: Path) -> Iterator[tuple[str, int]]:
    for path in sorted(directory.rglob("*")):
        if path.is_file() and not path.name.endswith("-shm"):
            yield path.name, path.stat().st_mtime_ns


def test_fires_are_told_of_the_last_task_and_movement(tmp_path: Path) -> None:
    place = Place(tmp_path, ADVISING)
    gate = place.gate()
    for task, movement, job in (("t", "m", "a"), ("t", "n", "b"), ("u", "m", "c"), ("u", "n", "d")):
        gate.claim_job(task, "p", movement, job)
        place.now += 1
        gate.before_tools(job, [bash("ls")])
    gate.before_tools("d", [bash("ls", "2")])
    found = seen(place)
    assert found == {"tip": Activity(total=5, in_task=3, in_movement=2, last_fired=1_000_004.0)}
    assert (found["tip"].fires("task"), found["tip"].fires("movement")) == (3, 2)
    gate.close()
    assert seen(place) == found


def test_approvals_that_wait_are_counted_until_they_expire(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a"), bash("rm b", "2")])
    assert seen(place)["ask"].pending == 2
    place.now += 24 * 3600
    assert seen(place)["ask"].pending == 0
    gate.close()


def test_another_project_has_no_activity(tmp_path: Path) -> None:
    place = Place(tmp_path, ADVISING)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("ls")])
    gate.close()
    assert dict(rule_activity(str(tmp_path / "other"), str(place.store))) == {}


def test_looking_makes_and_changes_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path, ADVISING)
    assert seen(place) == {}
    assert list(files(tmp_path / "state")) == []
    assert not (tmp_path / "state").exists()
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("ls")])
    during = list(files(tmp_path))
    assert seen(place)["tip"].total == 1
    assert list(files(tmp_path)) == during
    gate.close()
    at_rest = list(files(tmp_path))
    assert seen(place)["tip"].total == 1
    assert list(files(tmp_path)) == at_rest


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 2000])
def test_a_store_that_cannot_be_read_tells_nothing(tmp_path: Path, content: bytes) -> None:
    place = Place(tmp_path)
    place.store.parent.mkdir()
    place.store.write_bytes(content)
    assert seen(place) == {}
    assert place.store.read_bytes() == content


def test_a_store_that_somebody_writes_is_read_all_the_same(tmp_path: Path) -> None:
    place = Place(tmp_path, ADVISING)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("ls")])
    with closing(sqlite3.connect(place.store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE counters SET fires = 99")
        assert seen(place)["tip"].total == 1
        other.execute("ROLLBACK")
    gate.close()


def test_names_that_no_file_has_tell_nothing(tmp_path: Path) -> None:
    assert dict(rule_activity(str(tmp_path), "a\0b")) == {}
    assert dict(rule_activity(str(tmp_path), str(tmp_path))) == {}
