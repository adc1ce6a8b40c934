"""Whatever a caller hands in has an answer, and never an open door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompter.front import answer
from rules_lsp.prompter.gate import PolicyGate
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


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("none")


@pytest.mark.parametrize("arguments", [{1: 2, "a": 3}, {(1, 2): 3}, {"a": Unprintable()}], ids=lambda arguments: None)
def test_arguments_that_no_json_holds_are_denied_by_a_rule_that_asks(arguments: Any, tmp_path: Path) -> None:
    place = Place(tmp_path, "version: 1\nrules:\n  - {id: ask, when: tool.before, action: request_approval}\n")
    gate = place.gate()
    claimed(gate)
    answer = gate.before_tools("j", [{"id": "1", "tool": "odd", "arguments": arguments}])
    assert [each["effect"] for each in answer["calls"]] == ["deny"]
    assert gate.before_tools("j", [{"id": "1", "tool": "odd", "arguments": {"a": 3}}])["batch"] == "held"


@pytest.mark.parametrize("job", [[], {}, None, 3])
def test_a_job_whose_name_is_no_text_lets_nothing_run(job: Any, tmp_path: Path) -> None:
    gate = Place(tmp_path).gate()
    assert gate.claim_job("t", "p", "m", job)["error"].startswith("a job has the texts")
    assert [each["effect"] for each in gate.before_tools(job, [bash("ls")])["calls"]] == ["deny"]
    assert gate.before_completion(job, {"text": "done"})["decision"] == "refuse"
    assert gate.release(job)["released"] is False


@pytest.mark.parametrize("roles", ["member", 5, [5], {"member": 1}])
def test_roles_that_are_no_list_of_texts_do_not_get_past_a_rule_for_a_role(roles: Any, tmp_path: Path) -> None:
    rules = (
        "version: 1\nrules:\n  - {id: no, when: tool.before, condition: {role: [member]}, action: deny_current_tool}\n"
    )
    gate = Place(tmp_path, rules).gate()
    claimed(gate, roles=roles)
    assert [each["effect"] for each in gate.before_tools("j", [bash("ls")])["calls"]] == ["deny"]
    claimed(gate, "k", roles=["admin"])
    assert gate.before_tools("k", [bash("ls")])["batch"] == "run"


@pytest.mark.parametrize("text", ["done", 5])
def test_every_control_call_of_a_completion_that_is_not_judged_has_a_result(text: Any, tmp_path: Path) -> None:
    gate = Place(tmp_path).gate()
    answer = gate.before_completion("nobody", {"text": text, "calls": [{"id": "x"}, "y", 3]})
    told = [(call["id"], call["effect"], call["result"]) for call in answer["calls"]]
    result = "Error: not completed: the job was not claimed"
    assert told == [("x", "deny", result), ("y", "deny", result)]


def test_a_listener_that_fails_changes_no_decision(tmp_path: Path) -> None:
    gate = Place(tmp_path).gate()
    told: list[Any] = []

    def failing(notice: Any) -> None:
        raise RuntimeError("none")

    gate.listen(failing)
    gate.listen(told.append)
    claimed(gate)
    assert gate.before_tools("j", [bash("rm a")])["batch"] == "held"
    assert [notice["ruleId"] for notice in told] == ["ask"]


def test_a_store_whose_path_is_none_denies(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = PolicyGate.open(str(place.root), "a\0b")
    assert claimed(gate)["error"] == "the store failed: its path is none"
    assert [each["effect"] for each in gate.before_tools("j", [bash("ls")])["calls"]] == ["deny"]


def test_an_end_of_a_job_that_is_off_opens_no_database(tmp_path: Path) -> None:
    place = Place(tmp_path, "version: 1\nenabled: false\n")
    assert place.gate().release("j") == {"released": False, "reason": "Auto Prompter is switched off"}
    assert not place.store.parent.exists()


@pytest.mark.parametrize(("cwd", "effect"), [("infra", "deny"), ("./src/../infra", "deny"), ("src", "allow")])
def test_a_working_directory_below_the_root_counts_for_the_files_of_a_command(
    cwd: str, effect: str, tmp_path: Path
) -> None:
    rule = "{id: no, when: tool.before, condition: {files: [infra/**]}, action: deny_current_tool}"
    rules = f"version: 1\nrules:\n  - {rule}\n"
    place = Place(tmp_path, rules)
    for name in ("infra", "src"):
        (place.root / name).mkdir()
    gate = place.gate()
    claimed(gate)
    answer = gate.before_tools("j", [{**bash("cat x"), "cwd": cwd}])
    assert [each["effect"] for each in answer["calls"]] == [effect]


def test_whoever_looks_for_requests_where_none_was_ever_made_makes_no_database(tmp_path: Path) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    assert gate.approvals() == []
    nothing = "there is nothing of that kind any more"
    assert gate.decide("a", True) == {"decided": False, "reason": nothing}
    assert gate.consume("a", "b", "c") == {"consumed": False, "reason": nothing}
    assert not place.store.parent.exists()


@pytest.mark.parametrize("root", ["a\0b", "/a/\ud800"], ids=["nul", "half"])
def test_a_root_that_is_no_path_denies_everything(root: str, tmp_path: Path) -> None:
    gate = PolicyGate.open(root, str(tmp_path / "state" / "prompter.db"))
    reason = "the path of the project is none: it holds a NUL or half of a character"
    assert claimed(gate) == {"job": None, "enabled": True, "activeRules": 0, "preamble": "", "error": reason}
    answer = gate.before_tools("j", [bash("ls")])
    assert [each["result"] for each in answer["calls"]] == [f"Error: denied: {reason}"]
    assert gate.before_completion("j", {"text": "done"})["decision"] == "refuse"
    assert gate.release("j") == {"released": False, "reason": reason}
    assert gate.decide("a", True) == {"decided": False, "reason": reason}
    assert gate.consume("a", "b", "c") == {"consumed": False, "reason": reason}
    assert gate.approvals() == reason
    assert gate.status() == {"available": True, "enabled": True, "rules": [], "error": reason}
    assert list(gate.events()) == []
    assert PolicyGate.open(root, available=False).status()["available"] is False


@pytest.mark.parametrize("identity", [float("nan"), float("inf"), [float("nan")], {"a": 1}])
def test_an_id_that_json_does_not_have_is_not_echoed(identity: Any, tmp_path: Path) -> None:
    gate = Place(tmp_path).gate()
    assert answer(gate, {"id": identity, "do": "status"}) == {"error": "the `id` of a request is a text or a number"}
    claimed(gate)
    calls = gate.before_tools("j", [{"id": identity, "tool": "Bash"}])["calls"]
    assert [(each["id"], each["effect"]) for each in calls] == [(None, "deny")]


@pytest.mark.parametrize("identity", ["a", 3, 1.5, None])
def test_an_id_that_json_has_comes_back(identity: Any, tmp_path: Path) -> None:
    assert answer(Place(tmp_path).gate(), {"id": identity, "do": "x"})["id"] == identity


@pytest.mark.parametrize(
    ("parent", "effect"), [("child", "deny"), ("nobody", "deny"), ("second", "deny"), ("top", "approval")]
)
def test_the_parent_of_a_delegate_is_another_job_that_can_wait(parent: str, effect: str, tmp_path: Path) -> None:
    gate = Place(tmp_path).gate()
    claimed(gate, "top")
    claimed(gate, "second", delegate=True, parent="child")
    claimed(gate, "child", delegate=True, parent=parent)
    told = gate.before_tools("child", [bash("rm a")])
    assert [each["effect"] for each in told["calls"]] == [effect]
    if effect == "deny":
        assert told["calls"][0]["result"].endswith("a delegate without a parent cannot wait for approval")
    else:
        assert told["approval"]["job"] == "top"
