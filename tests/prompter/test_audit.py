"""The audit, its masks, and the notices."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rules_lsp.prompter.audit import SEEN, AuditLog, FirstSeen
from rules_lsp.prompter.gate import PolicyGate
from rules_lsp.prompter.masking import masked, summary_of
from rules_lsp.prompter.places import audit_directory, project_name
from rules_lsp.prompter.recording import record_change
from tests.prompter.support import ASKING, Place, bash, claimed

AUDITING = ASKING.replace("request_approval", "audit_only")
DAY = 86_400.0


def log_of(place: Place, retention_days: int = 90) -> AuditLog:
    name = project_name(str(place.root.resolve()))
    return AuditLog(audit_directory(str(place.store), name), retention_days)


def test_what_an_event_holds(tmp_path: Path) -> None:
    place = Place(tmp_path, AUDITING)
    gate = place.gate()
    snapshot = claimed(gate)["snapshotId"]
    version = claimed(gate)["rules"][0]["version"]
    gate.before_tools("j", [bash("rm -f secret-plan.txt")])
    (event,) = log_of(place).read()
    assert event.pop("eventId").isalnum()
    assert event == {
        "type": "policy_action",
        "createdAt": "1970-01-12T13:46:40Z",
        "task": "t",
        "piece": "p",
        "movement": "m",
        "job": "j",
        "snapshotId": snapshot,
        "ruleId": "ask",
        "ruleVersion": version,
        "ruleName": "Confirm deletions",
        "when": "tool.before",
        "action": "audit_only",
        "outcome": "observed",
        "method": "deterministic",
        "tool": "Bash",
        "targetLabel": "Bash, deletes",
    }


def test_a_retry_has_the_same_event_id_and_readers_keep_the_first(tmp_path: Path) -> None:
    place = Place(tmp_path, AUDITING)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a")])
    place.now += 5
    gate.before_tools("j", [bash("rm a")])
    gate.before_tools("j", [bash("rm a", "2")])
    lines = [line for path in Path(log_of(place).directory).iterdir() for line in path.read_text().splitlines()]
    assert len(lines) == 3
    assert [event["createdAt"] for event in log_of(place).read()] == ["1970-01-12T13:46:40Z", "1970-01-12T13:46:45Z"]


def test_lines_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path))
    (tmp_path / "2020-01-01.jsonl").write_text('{"eventId": "a"}\nno\n[]\n{"eventId": 1}\n{"eventId": "b"}\n{"eve')
    assert [event["eventId"] for event in log.read()] == ["a", "b"]


def test_what_is_written_after_half_a_line_begins_a_line_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AuditLog(str(tmp_path))
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:8]))
    assert log.append({"eventId": "a"}, 0.0) == "the audit failed: the disk is full"
    monkeypatch.undo()
    assert log.append_all([{"eventId": "b"}, {"eventId": "c"}], 0.0) is None
    assert [event["eventId"] for event in log.read()] == ["b", "c"]


def test_the_retention_drops_whole_days(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path), retention_days=2)
    for day in range(5):
        assert log.append({"eventId": str(day)}, day * DAY) is None
    assert [event["eventId"] for event in log.read()] == ["2", "3", "4"]


def test_a_failing_audit_says_so_and_lets_the_call_go_on(tmp_path: Path) -> None:
    place = Place(tmp_path, AUDITING + "  - {id: no, when: tool.before, action: deny_current_tool}\n")
    gate = place.gate()
    claimed(gate)
    (tmp_path / "state" / "audit").write_text("")
    heard: list[object] = []
    gate.listen(heard.append)
    answer = gate.before_tools("j", [bash("rm a")])
    assert answer["auditError"] == "the audit failed: not a directory"
    assert (answer["calls"][0]["effect"], answer["notices"], heard) == ("deny", [], [])
    # What was not written was not seen: the retry is told.
    (tmp_path / "state" / "audit").unlink()
    assert [notice["ruleId"] for notice in gate.before_tools("j", [bash("rm a")])["notices"]] == ["no"]
    assert len(heard) == 1


def test_a_notice_has_these_fields_and_comes_once(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    (notice,) = gate.before_tools("j", [bash("rm a")])["notices"]
    assert list(notice) == [
        *("type", "eventId", "ruleId", "ruleName", "action", "outcome", "targetLabel", "createdAt"),
    ]
    assert (notice["type"], notice["outcome"], notice["targetLabel"]) == (
        "policy_action",
        "waiting_for_approval",
        "Bash, deletes",
    )
    assert gate.before_tools("j", [bash("rm a")])["notices"] == []
    gate.release("j")
    claimed(gate)
    assert gate.before_tools("j", [bash("rm a")])["notices"] == [notice]


def test_audit_only_is_in_the_audit_and_in_no_notice(tmp_path: Path) -> None:
    place = Place(tmp_path, AUDITING)
    gate = place.gate()
    claimed(gate)
    assert gate.before_tools("j", [bash("rm a")])["notices"] == []
    assert len(list(log_of(place).read())) == 1


def test_the_queue_of_seen_events_is_bounded_and_dropped_when_a_job_is_done() -> None:
    seen = FirstSeen()
    assert seen.is_new("j", "first")
    assert not seen.is_new("j", "first")
    assert seen.is_new("k", "first")
    assert all(seen.is_new("j", str(number)) for number in range(SEEN))
    assert seen.is_new("j", "first")
    seen.done("j")
    assert seen.is_new("j", "first")


def test_a_change_of_settings_is_recorded_with_ids_only(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path))
    assert record_change(log, "Mia", ["enabled", "ask"], 1_000_000.0) is None
    (event,) = log.read()
    assert event.pop("eventId").isalnum()
    assert event == {
        "type": "settings_changed",
        "createdAt": "1970-01-12T13:46:40Z",
        "who": "Mia",
        "what": ["ask", "enabled"],
    }


SECRETS = [
    "deploy --token hunter2secret",
    "deploy --api-key=hunter2secret",
    "PASSWORD=hunter2secret deploy",
    "export DB_PASSWORD='hunter2secret'",
    "curl -H 'Authorization: Bearer hunter2secret' x",
    "curl https://me:hunter2secret@example.com",
    "mysql -u root -phunter2secret db",
    'echo {"password": "hunter2secret"}',
    "git clone https://hunter2secret@github.com/o/r",
]  # fmt: skip


@pytest.mark.parametrize("line", SECRETS)
def test_secrets_are_masked_in_a_command(line: str) -> None:
    assert "hunter2secret" not in masked(line)
    assert "***" in masked(line)


@pytest.mark.parametrize("form", ["ghp_" + "a1" * 18, "sk-" + "a1" * 12, "AKIA" + "ABCD1234" * 2, "eyJ" + "a1" * 20])
@pytest.mark.parametrize("line", ["{}", "x {} y", "a={}", "'{}'", "--x {}", "https://e/?q={}", "-H x:{}"])
def test_tokens_are_masked_wherever_they_stand(form: str, line: str) -> None:
    assert form not in masked(line.format(form))


@pytest.mark.parametrize(
    "line", ["rm -rf build", "git push --force origin main", "find . -print -path ./a", "ls author"]
)
def test_what_is_no_secret_is_shown(line: str) -> None:
    assert masked(line) == line


def test_arguments_that_are_secrets_are_masked_at_every_depth() -> None:
    arguments = {"a": "x", "password": "hunter2", "deep": [{"apiKey": "hunter2", "b": ["--token hunter2"]}]}
    assert summary_of("s/t", arguments, []) == (
        's/t {"a": "x", "password": ***, "deep": [{"apiKey": ***, "b": ["--token ***"]}]}'
    )


def test_neither_the_store_nor_the_audit_holds_a_secret_of_an_argument(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a --token hunter2secret")])
    gate.close()
    for path in (tmp_path / "state").rglob("*"):
        if path.is_file():
            assert b"hunter2secret" not in path.read_bytes(), path


def test_a_judge_is_heard_and_changes_nothing(tmp_path: Path) -> None:
    rules = "version: 1\nrules:\n  - {id: odd, when: tool.before, condition: {text: odd, judge: shadow}, action: "
    place = Place(tmp_path, rules + "deny_current_tool}\n")
    for verdict in ("match", "no_match", "nonsense"):
        asked: list[tuple[str, str, str]] = []

        def judge(rule: str, condition: str, text: object, verdict: str = verdict) -> str:
            asked.append((rule, condition, getattr(text, "text", "")))  # noqa: B023
            return verdict

        gate: PolicyGate = place.gate(judge=judge)
        claimed(gate, verdict)
        answer = gate.before_tools(verdict, [bash("rm a")])
        assert (answer["batch"], answer["calls"][0]["effect"], answer["notices"]) == ("run", "allow", [])
        assert asked == [("odd", "odd", "Bash: rm a")]
    events = list(log_of(place).read())
    assert [event["verdict"] for event in events] == ["match", "no_match", "unknown"]
    assert all(event["milliseconds"] >= 0 and event["method"] == "shadow" for event in events)
    assert "rm a" not in json.dumps(events)


def test_a_loop_that_uses_an_id_again_hides_no_later_denial(tmp_path: Path) -> None:
    rule = "{id: no, when: tool.before, condition: {command: {kinds: [deletes]}}, action: deny_current_tool}"
    place = Place(tmp_path, f"version: 1\nrules:\n  - {rule}\n")
    gate = place.gate()
    claimed(gate)
    told = [len(gate.before_tools("j", [bash(line, "1")])["notices"]) for line in ("rm a", "rm b", "rm a")]
    assert told == [1, 1, 0]
    ids = [event["eventId"] for event in gate.events()]
    assert len(ids) == len(set(ids)) == 2
    assert "rm a" not in "".join(path.read_text() for path in tmp_path.rglob("*.jsonl"))
