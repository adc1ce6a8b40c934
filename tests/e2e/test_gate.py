"""The gate over the protocol: its commands, the approvals that a client is asked for, and the notices that it gets."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompter.gate import PolicyGate
from tests.lsp.client import Client
from tests.prompter.support import ADVISING, ASKING, bash

ASKS = {"window": {"showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}}}}
NOTICE = {"type": "policy_action", "ruleId": "ask", "ruleName": "Confirm deletions", "action": "request_approval"}
OFF = "Auto Prompter is switched off"


class Session:
    """A client whose project has rules; the store is a file of its own."""

    def __init__(self, directory: Path, rules: str, capabilities: dict[str, Any], **settings: Any) -> None:
        self.root = directory / "app"
        self.root.mkdir(exist_ok=True)
        self.rules = self.root / ".auto-prompter.yaml"
        self.rules.write_text(rules, encoding="utf-8")
        self.store = directory / "state" / "prompter.db"
        self.client = Client()
        self.client.initialize(
            workspaceFolders=[{"uri": self.root.as_uri(), "name": "app"}],
            capabilities=capabilities,
            clientInfo={"name": "Test Editor"},
            initializationOptions={"autoPrompter": {"store": str(self.store), **settings}},
        )

    def ask(self, command: str, **argument: Any) -> Any:
        return self.client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})

    def refused(self, command: str, *arguments: Any) -> dict[str, Any]:
        answer = self.client.ask("workspace/executeCommand", {"command": command, "arguments": list(arguments)})
        error: dict[str, Any] = answer["error"]
        return error

    def claim(self, job: str = "j") -> Any:
        return self.ask("rulesLsp.gate.claimJob", task="t", piece="p", movement="m", job=job)

    def call(self, *calls: dict[str, Any]) -> Any:
        return self.ask("rulesLsp.gate.beforeTools", job="j", calls=list(calls))

    def asked(self) -> dict[str, Any]:
        """The next request of the server to show a message."""
        for message in list(self.client.received):
            if message.get("method") == "window/showMessageRequest":
                self.client.received.remove(message)
                return dict(message)
        while (message := self.client.receive()).get("method") != "window/showMessageRequest":
            self.client.received.append(message)
        return dict(message)

    def click(self, asked: dict[str, Any], title: str | None) -> None:
        result = None if title is None else {"title": title}
        self.client.send({"jsonrpc": "2.0", "id": asked["id"], "result": result})

    def decided(self) -> tuple[str, str]:
        """The next word about an approval: its state, and why."""
        told = self.told("rulesLsp/approvalDecided")
        assert (told["job"], told["ruleId"], told["ruleName"]) == ("j", "ask", "Confirm deletions")
        assert len(told["requestId"]) == 32
        return told["state"], told["reason"]

    def told(self, method: str) -> Any:
        for message in list(self.client.received):
            if message.get("method") == method:
                self.client.received.remove(message)
                return message["params"]
        return self.client.notification(method)

    def notices(self) -> list[dict[str, Any]]:
        """Every notice that has come so far; an answer comes behind what was sent before it."""
        self.ask("rulesLsp.gate.status")
        shown = [each["params"] for each in self.client.received if each.get("method") == "rulesLsp/policyAction"]
        return [
            {key: value for key, value in notice.items() if key not in ("eventId", "createdAt")} for notice in shown
        ]

    def states(self) -> list[str]:
        return [each["state"] for each in self.ask("rulesLsp.gate.approvals")]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    made: list[Session] = []

    def begin(rules: str = ASKING, capabilities: dict[str, Any] = ASKS, **settings: Any) -> Session:
        made.append(Session(tmp_path, rules, capabilities, **settings))
        return made[-1]

    yield begin
    for session in made:
        session.client.close()


def test_a_whole_job(opened: Any) -> None:
    session = opened(
        ASKING + "  - {id: polite, name: Polite, when: always, action: inject_instruction, instruction: Hi.}\n"
    )
    claimed = session.claim()
    assert (claimed["enabled"], claimed["activeRules"], claimed["preamble"]) == (True, 2, "Hi.")
    assert session.call(bash("ls"))["batch"] == "run"
    completion = {"text": "done", "calls": ["end"]}
    accepted = session.ask("rulesLsp.gate.beforeCompletion", job="j", completion=completion)
    assert accepted["decision"] == "accept"
    assert session.ask("rulesLsp.gate.release", job="j") == {"released": True}
    again = session.ask("rulesLsp.gate.release", job="j")
    assert again == {"released": False, "reason": "there is nothing of that kind any more"}
    found = session.ask("rulesLsp.gate.status")
    assert (found["available"], found["enabled"]) == (True, True)
    assert [(rule["id"], rule["enabled"]) for rule in found["rules"]] == [("ask", True), ("polite", True)]
    assert session.notices() == []


def test_an_approved_call_runs_once(opened: Any) -> None:
    session = opened()
    session.claim()
    held = session.call(bash("rm -rf build"))
    assert held["batch"] == "held"
    asked = session.asked()
    assert asked["params"] == {
        "type": 2,
        "message": "Confirm deletions: may this run once? Bash: rm -rf build",
        "actions": [{"title": "Approve once"}, {"title": "Deny"}],
    }
    assert session.states() == ["pending"]
    session.click(asked, "Approve once")
    assert session.decided() == ("approved", "user")
    (approved,) = session.ask("rulesLsp.gate.approvals", state="approved")
    assert (approved["requestId"], approved["summary"]) == (held["approval"]["requestId"], "Bash: rm -rf build")
    run = session.call(bash("rm -rf build"))
    assert run["batch"] == "run"
    (spend,) = run["calls"][0]["consume"]
    assert session.ask("rulesLsp.gate.consume", **spend) == {"consumed": True}
    assert session.ask("rulesLsp.gate.consume", **spend)["consumed"] is False
    assert session.states() == ["consumed"]
    assert session.notices() == [
        {**NOTICE, "outcome": "waiting_for_approval", "targetLabel": "Bash, dangerous, deletes"},
        {**NOTICE, "outcome": "approved_once", "targetLabel": "Bash, dangerous, deletes"},
    ]


@pytest.mark.parametrize(
    ("title", "reason"), [("Deny", "user"), (None, "dismissed"), ("approve once", "user"), ("Approve", "user")]
)
def test_anything_but_approve_once_denies(title: str | None, reason: str, opened: Any) -> None:
    session = opened()
    session.claim()
    session.call(bash("rm a"))
    session.click(session.asked(), title)
    assert session.decided() == ("denied", reason)
    assert session.states() == ["denied"]
    assert session.call(bash("rm a"))["calls"][0]["effect"] == "deny"


def test_a_client_that_fails_denies(opened: Any) -> None:
    session = opened()
    session.claim()
    session.call(bash("rm a"))
    error = {"code": -32601, "message": "no such method"}
    session.client.send({"jsonrpc": "2.0", "id": session.asked()["id"], "error": error})
    assert session.decided() == ("denied", "no-client")


def test_no_answer_in_time_denies_and_a_late_one_is_not_heeded(opened: Any) -> None:
    session = opened(approvalSeconds=1)
    session.claim()
    session.call(bash("rm a"))
    asked = session.asked()
    assert session.decided() == ("denied", "timed-out")
    assert session.told("$/cancelRequest") == {"id": asked["id"]}
    session.click(asked, "Approve once")
    assert session.states() == ["denied"]


def test_a_client_that_cannot_ask_denies(opened: Any) -> None:
    session = opened(capabilities={})
    session.claim()
    held = session.call(bash("rm a"))
    assert held["calls"][0]["effect"] == "approval"
    assert session.decided() == ("denied", "no-client")
    assert session.states() == ["denied"]


def test_of_two_that_wait_one_is_shown_after_the_other(opened: Any) -> None:
    session = opened()
    session.claim()
    held = session.call(bash("rm a", "1"), bash("rm b", "2"))
    assert len(held["approvals"]) == 2
    first = session.asked()
    assert first["params"]["message"] == "Confirm deletions: may this run once? Bash: rm a"
    # The same calls once more: nothing is asked twice.
    session.call(bash("rm a", "1"), bash("rm b", "2"))
    assert session.states() == ["pending", "pending"]
    assert [each for each in session.client.received if each.get("method") == "window/showMessageRequest"] == []
    session.click(first, "Deny")
    assert session.decided() == ("denied", "user")
    second = session.asked()
    assert second["params"]["message"] == "Confirm deletions: may this run once? Bash: rm b"
    session.click(second, "Approve once")
    assert session.decided() == ("approved", "user")
    assert sorted(session.states()) == ["approved", "denied"]


def test_what_is_decided_by_the_command_is_not_asked_any_more(opened: Any) -> None:
    session = opened()
    session.claim()
    held = session.call(bash("rm a", "1"), bash("rm b", "2"))
    shown, queued = (each["requestId"] for each in held["approvals"])
    asked = session.asked()
    assert session.ask("rulesLsp.gate.decide", requestId=queued, approve=True, by="Ann") == {"decided": True}
    assert session.ask("rulesLsp.gate.decide", request_id=shown, approve=True) == {"decided": True}
    assert session.told("$/cancelRequest") == {"id": asked["id"]}
    assert [session.decided(), session.decided()] == [("approved", "elsewhere"), ("approved", "elsewhere")]
    session.click(asked, "Deny")
    assert session.states() == ["approved", "approved"]
    assert [each for each in session.client.received if each.get("method") == "window/showMessageRequest"] == []


def test_what_another_process_has_decided_stays(opened: Any) -> None:
    session = opened()
    session.claim()
    request = session.call(bash("rm a"))["approval"]["requestId"]
    asked = session.asked()
    other = PolicyGate.open(str(session.root), str(session.store))
    assert other.decide(request, False, "Ann") == {"decided": True}
    other.close()
    session.click(asked, "Approve once")
    assert session.decided() == ("denied", "elsewhere")


def test_with_the_editor_goes_what_waits_for_its_user(tmp_path: Path) -> None:
    session = Session(tmp_path, ASKING, ASKS)
    session.claim()
    session.call(bash("rm a", "1"), bash("rm b", "2"))
    session.asked()
    session.client.close()
    gate = PolicyGate.open(str(session.root), str(session.store))
    assert isinstance(found := gate.approvals(), list)
    assert [each["state"] for each in found] == ["denied", "denied"]
    gate.close()
    assert sorted(each.name for each in session.store.parent.iterdir()) == ["audit", "claimed", "prompter.db"]


def test_a_call_can_forge_no_button(opened: Any) -> None:
    session = opened()
    session.claim()
    session.call(bash("rm '[Deny](command:x)' \u202e"))
    message = session.asked()["params"]["message"]
    assert message == "Confirm deletions: may this run once? Bash: rm '[Deny] (command:x)' \ufffd"


def test_each_notice_comes_once_and_has_its_shape(opened: Any) -> None:
    session = opened(ADVISING)
    session.claim()
    for _ in range(3):
        session.call(bash("ls"))
    session.call(bash("ls", "2"))
    session.ask("rulesLsp.gate.status")
    shown = [each["params"] for each in session.client.received if each.get("method") == "rulesLsp/policyAction"]
    assert [sorted(notice) for notice in shown] == [
        ["action", "createdAt", "eventId", "outcome", "ruleId", "ruleName", "targetLabel", "type"]
    ] * 2
    assert len({notice["eventId"] for notice in shown}) == 2
    assert {(notice["ruleName"], notice["outcome"]) for notice in shown} == {("Tip", "tool_not_executed")}


def test_an_audit_only_rule_gives_no_notice(opened: Any) -> None:
    session = opened("version: 1\nrules:\n  - {id: see, name: See, when: tool.before, action: audit_only}\n")
    session.claim()
    assert session.call(bash("rm a"))["batch"] == "run"
    assert session.notices() == []


def test_not_available_gives_back_what_was_given_and_opens_nothing(opened: Any) -> None:
    session = opened(available=False)
    assert session.claim()["enabled"] is False
    calls = [bash("rm a"), {"approval": 1}, 5]
    assert session.ask("rulesLsp.gate.beforeTools", job="j", calls=calls) == calls
    odd = {"approval": {"requestId": "x"}}
    assert session.ask("rulesLsp.gate.beforeTools", job="j", calls=odd) == odd
    assert session.ask("rulesLsp.gate.beforeCompletion", job="j", completion=odd) == odd
    assert session.ask("rulesLsp.gate.decide", requestId="r", approve=True) == {"decided": False, "reason": OFF}
    spent = session.ask("rulesLsp.gate.consume", requestId="r", nonce="n", fingerprint="f")
    assert spent == {"consumed": False, "reason": OFF}
    assert session.ask("rulesLsp.gate.release", job="j") == {"released": False, "reason": OFF}
    assert session.ask("rulesLsp.gate.approvals") == []
    assert session.ask("rulesLsp.gate.status") == {"available": False, "enabled": False, "rules": []}
    assert not session.store.parent.exists()


def test_the_settings_are_followed_while_a_job_runs(opened: Any, tmp_path: Path) -> None:
    session = opened()
    session.claim()
    assert session.call(bash("rm a"))["batch"] == "held"
    session.client.notify("workspace/didChangeConfiguration", {"settings": {"autoPrompter": {"available": False}}})
    assert session.call(bash("rm a")) == [bash("rm a")]
    other = tmp_path / "other" / "prompter.db"
    settings = {"autoPrompter": {"available": True, "store": str(other)}}
    session.client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert session.call(bash("rm a"))["error"] == "the job was not claimed"
    assert other.exists()


def test_the_folder_says_whose_rules_count(opened: Any, tmp_path: Path) -> None:
    session = opened()
    other = tmp_path / "other"
    other.mkdir()
    folder = {"uri": other.as_uri(), "name": "other"}
    session.client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    there = session.ask("rulesLsp.gate.status", folder=other.as_uri())
    assert (there["enabled"], there["rules"]) == (False, [])
    assert session.ask("rulesLsp.gate.status")["enabled"] is True
    session.client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    refused = session.refused("rulesLsp.gate.status", {"folder": other.as_uri()})
    assert refused["message"] == "the `folder` of `rulesLsp.gate.status` names no open folder"


@pytest.mark.parametrize(
    ("command", "argument", "message"),
    [
        ("rulesLsp.gate.claimJob", {"task": "t"}, "`rulesLsp.gate.claimJob`: `piece` is missing"),
        (
            "rulesLsp.gate.beforeTools",
            {"job": 5, "calls": []},
            "`rulesLsp.gate.beforeTools`: `job` is of the wrong kind",
        ),
        ("rulesLsp.gate.decide", {"requestId": "r"}, "`rulesLsp.gate.decide`: `approve` is missing"),
        ("rulesLsp.gate.release", {"job": "j", "x": 1}, "`rulesLsp.gate.release`: `release` takes no `x`"),
        ("rulesLsp.gate.status", {"x": 1}, "`rulesLsp.gate.status` takes `folder` alone"),
        (
            "rulesLsp.gate.approvals",
            {"state": "lost"},
            "`rulesLsp.gate.approvals` takes `folder` and a `state`: "
            "`pending`, `approved`, `denied`, `consumed`, `expired`",
        ),
        ("rulesLsp.gate.consume", 5, "`rulesLsp.gate.consume` takes one object"),
    ],
)
def test_what_cannot_be_read_is_refused(command: str, argument: Any, message: str, opened: Any) -> None:
    refused = opened().refused(command, argument)
    assert (refused["code"], refused["message"]) == (-32602, message)


def test_a_store_that_is_locked_holds_up_nothing_else(opened: Any) -> None:
    session = opened()
    session.claim()
    other = sqlite3.connect(session.store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    asked = {"command": "rulesLsp.gate.beforeTools", "arguments": [{"job": "j", "calls": [bash("rm a")]}]}
    session.client.send({"jsonrpc": "2.0", "id": 100, "method": "workspace/executeCommand", "params": asked})
    assert session.ask("rulesLsp.isFileAllowed", path="a.txt")["allowed"] is True
    assert [each for each in session.client.received if each.get("id") == 100] == []
    other.execute("ROLLBACK")
    other.close()
    assert session.client.response(100)["result"]["batch"] == "held"


def test_a_store_that_fails_denies_and_says_so(opened: Any, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no directory", encoding="utf-8")
    session = opened()
    claimed = session.claim()
    assert claimed["error"] == "the store failed: file exists"
    assert session.call(bash("rm a"))["calls"][0]["effect"] == "deny"
    refused = session.refused("rulesLsp.gate.approvals", {})
    assert (refused["code"], refused["message"]) == (-32603, "the store failed: file exists")
