"""New events of an audit: as a reader that goes on, and as the command in a pipe."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rules_lsp.prompter.audit import AuditLog
from rules_lsp.prompter.following import AuditFollower
from tests.prompter.support import ROOT, Place, bash, claimed

DAY = 86_400.0


def ids(follower: AuditFollower) -> list[str]:
    return [event["eventId"] for event in follower.new_events()]


def test_what_is_there_comes_first_and_then_what_is_new_once(tmp_path: Path) -> None:
    log, follower = AuditLog(str(tmp_path / "audit")), AuditFollower(str(tmp_path / "audit"))
    assert ids(follower) == []
    log.append({"eventId": "a"}, DAY)
    log.append({"eventId": "b"}, DAY)
    assert (ids(follower), ids(follower)) == (["a", "b"], [])
    log.append({"eventId": "b"}, DAY)
    # The next day's file; a retry may stand there too.
    log.append({"eventId": "a"}, 2 * DAY)
    log.append({"eventId": "c"}, 2 * DAY)
    assert (ids(follower), ids(follower)) == (["c"], [])


def test_a_line_comes_once_it_is_whole_and_bad_lines_are_passed_over(tmp_path: Path) -> None:
    file, follower = tmp_path / "2020-01-01.jsonl", AuditFollower(str(tmp_path))
    file.write_text('no\n[]\n{"eventId": "a"}\n{"event')
    assert ids(follower) == ["a"]
    with file.open("a") as more:
        more.write('Id": "b"}')
    assert ids(follower) == []
    with file.open("a") as more:
        more.write('\n{"eventId": "c"}\n')
    assert ids(follower) == ["b", "c"]


def test_retention_and_truncation_do_not_stop_it(tmp_path: Path) -> None:
    log, follower = AuditLog(str(tmp_path), retention_days=2), AuditFollower(str(tmp_path))
    for day in range(3):
        log.append({"eventId": str(day)}, day * DAY)
    assert ids(follower) == ["0", "1", "2"]
    log.append({"eventId": "3"}, 3 * DAY)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [f"1970-01-0{day}.jsonl" for day in (2, 3, 4)]
    assert ids(follower) == ["3"]
    (tmp_path / "1970-01-04.jsonl").write_text('{"eventId": "3"}\n')
    os.truncate(tmp_path / "1970-01-04.jsonl", 0)
    assert ids(follower) == []
    # What retention dropped is forgotten: an id of it would be new.
    log.append({"eventId": "0"}, 3 * DAY)
    assert ids(follower) == ["0"]


def test_many_events_are_read_in_pieces(tmp_path: Path) -> None:
    line = json.dumps({"eventId": "x", "ruleName": "n" * 1_000})
    file = tmp_path / "2020-01-01.jsonl"
    file.write_text("".join(line.replace("x", str(number), 1) + "\n" for number in range(3_000)))
    follower = AuditFollower(str(tmp_path))
    events = follower.new_events()
    assert next(events)["eventId"] == "0"
    events.close()
    # Whoever stops in the middle goes on behind what came.
    assert ids(follower) == [str(number) for number in range(1, 3_000)]


def test_the_retention_of_the_operator_is_applied_by_the_gate(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for day, job in enumerate(("a", "b", "c", "d")):
        place.now = 1_000_000.0 + day * DAY
        gate = place.gate(retention_days=2)
        claimed(gate, job)
        gate.before_tools(job, [bash(f"rm {job}")])
    assert [event["job"] for event in gate.events()] == ["b", "c", "d"]
    assert [event["job"] for event in gate.follow().new_events()] == ["b", "c", "d"]


@pytest.mark.parametrize(("whose", "kept"), [("operator", ["b", "c", "d"]), ("project", ["a", "b", "c", "d"])])
def test_the_retention_counts_in_the_operators_configuration_only(whose: str, kept: list[str], tmp_path: Path) -> None:
    place = Place(tmp_path)
    own = place.root / "config.yaml"
    config = tmp_path / "operator.yaml" if whose == "operator" else own
    config.write_text("project_agent_rules: {prompter_retention_days: 2}\n", encoding="utf-8")
    for day, job in enumerate(("a", "b", "c", "d")):
        place.now = 1_000_000.0 + day * DAY
        gate = place.gate(config=str(config))
        claimed(gate, job)
        gate.before_tools(job, [bash(f"rm {job}")])
    assert [event["job"] for event in gate.events()] == kept


def test_a_configuration_that_cannot_be_read_drops_no_day(tmp_path: Path) -> None:
    rule = "{id: say, when: completion.before_accept, action: audit_only}"
    place = Place(tmp_path, f"version: 1\nrules:\n  - {rule}\n")
    config = tmp_path / "operator.yaml"
    config.write_text("project_agent_rules: [", encoding="utf-8")
    for days in (0, 1000):
        place.now = 1_000_000.0 + days * DAY
        gate = place.gate(config=str(config))
        claimed(gate)
        gate.before_completion("j", {"text": str(days)})
    assert len(list((tmp_path / "state" / "audit").rglob("*.jsonl"))) == 2


@contextmanager
def following(place: Place, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "rules_lsp", "prompter", "audit", "--follow", *options]
    where = ["--root", str(place.root), "--store", str(place.store)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONUNBUFFERED", None)
    with subprocess.Popen(
        [*command, *where], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_tells_each_event_as_it_comes_and_ends_cleanly(number: signal.Signals, tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a")])
    told = "1970-01-12T13:46:40Z  waiting_for_approval  Confirm deletions  Bash, deletes\n"
    with following(place) as process:
        assert line(process) == told
        place.now += 1
        gate.before_tools("j", [bash("rm a")])
        gate.before_tools("j", [bash("rm b", "2")])
        # The retry of the first has its id; the second call is new, though the other process wrote both.
        assert line(process) == told.replace("40Z", "41Z")
        place.now += DAY
        gate.before_tools("j", [bash("rm c", "3")])
        assert line(process) == "1970-01-13T13:46:41Z  waiting_for_approval  Confirm deletions  Bash, deletes\n"
        process.send_signal(number)
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == 0


def test_the_command_waits_for_an_audit_that_is_not_there_yet(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    with following(place, "--format", "json") as process:
        gate.before_tools("j", [bash("rm a")])
        assert json.loads(line(process))["ruleId"] == "ask"


def test_the_command_ends_where_nobody_reads_any_more(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a")])
    with following(place) as process:
        assert line(process) != ""
        assert process.stdout is not None
        process.stdout.close()
        # No event comes: it is the closed pipe that ends it.
        assert process.wait(timeout=30) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("status", "--follow"), "rules-lsp: --follow goes with `audit` only\n"),
        (("audit", "--retention-days", "1"), "unrecognized arguments: --retention-days 1\n"),
    ],
)
def test_options_that_make_no_sense(arguments: tuple[str, ...], error: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rules_lsp", "prompter", *arguments, "--root", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr.endswith(error)) == (2, "", True)
