"""Authoring the rules of Auto Prompter over standard streams."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.text import Text
from tests.lsp.client import Client
from tests.prompter.support import ASKING, Place, bash, claimed

CAPABILITIES: Any = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "refactor.rewrite"]}}},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}, "codeLens": {"refreshSupport": True}},
}


class Session:
    """A client with the rules of a project open; its store is one that a gate has used."""

    def __init__(self, place: Place, **settings: Any) -> None:
        self.place = place
        (place.root / ".git").mkdir()
        (place.root / ".git" / "config").write_text("[user]\n\tname = Ada\n")
        self.uri = (place.root / ".auto-prompter.yaml").as_uri()
        self.document = {"textDocument": {"uri": self.uri}}
        self.version = 1
        self.client = Client()
        self.client.initialize(
            workspaceFolders=[{"uri": place.root.as_uri(), "name": "app"}],
            capabilities=CAPABILITIES,
            initializationOptions={"autoPrompter": {"store": str(place.store), **settings}},
        )
        item = {"uri": self.uri, "languageId": "yaml", "version": 1, "text": ASKING}
        self.client.notify("textDocument/didOpen", {"textDocument": item})

    def ask(self, method: str, line: int | None = None, character: int = 0, **more: Any) -> Any:
        place = {} if line is None else {"position": {"line": line, "character": character}}
        return self.client.request(f"textDocument/{method}", {**self.document, **place, **more})

    def change(self, text: str) -> None:
        self.version += 1
        identity = {"uri": self.uri, "version": self.version}
        changes = [{"text": text}]
        self.client.notify("textDocument/didChange", {"textDocument": identity, "contentChanges": changes})

    def save(self) -> None:
        self.client.notify("textDocument/didSave", self.document)

    def actions(self, line: int) -> list[dict[str, Any]]:
        at = {"line": line, "character": 8}
        context = {"diagnostics": [], "only": ["refactor.rewrite"]}
        found = self.ask("codeAction", range={"start": at, "end": at}, context=context)
        return [action for action in found if action["kind"] == "refactor.rewrite"]

    def lenses(self) -> list[str]:
        return [self.client.request("codeLens/resolve", lens)["command"]["title"] for lens in self.ask("codeLens")]

    def audited(self) -> list[dict[str, Any]]:
        """What the audit has of settings, once the server has ended."""
        self.client.close()
        events = [
            json.loads(line)
            for file in sorted(self.place.store.parent.glob("audit/*/*.jsonl"))
            for line in file.read_text().splitlines()
        ]
        return [{"who": each["who"], "what": each["what"]} for each in events if each["type"] == "settings_changed"]


Opened = Callable[..., Session]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    made: list[Session] = []

    def start(**settings: Any) -> Session:
        place = Place(tmp_path)
        gate = place.gate()
        claimed(gate)
        gate.before_tools("j", [bash("rm -r x")])
        gate.close()
        made.append(Session(place, **settings))
        return made[-1]

    yield start
    for session in made:
        if session.client.process.poll() is None:
            session.client.close()


def test_hover_tells_what_a_rule_did(opened: Opened) -> None:
    shown = opened().ask("hover", 2, 11)
    assert shown["range"] == {"start": {"line": 2, "character": 8}, "end": {"line": 2, "character": 11}}
    text = shown["contents"]["value"]
    assert text.startswith("**Confirm deletions** `ask`\n\none call that it matches holds back all calls")
    assert text.endswith("it fired 1 time in the last task, 1 time in all, last at 1970-01-12 13:46 UTC")


def test_lenses_tell_of_the_switch_and_of_each_rule(opened: Opened) -> None:
    assert opened().lenses() == [
        "Auto Prompter: on · 1 of 1 rule active",
        "on · request_approval · fired 1 in the last task · last 1970-01-12 13:46 UTC",
    ]


def test_a_lens_of_a_rule_that_is_gone_says_nothing(opened: Opened) -> None:
    session = opened()
    _, lens = session.ask("codeLens")
    session.change("version: 1\n")
    assert session.client.request("codeLens/resolve", lens)["command"]["title"] == ""


def test_lenses_are_asked_for_anew_when_a_rule_did_something(opened: Opened) -> None:
    session = opened()
    client = session.client
    argument = {"task": "u", "piece": "p", "movement": "m", "job": "k"}
    client.request("workspace/executeCommand", {"command": "rulesLsp.gate.claimJob", "arguments": [argument]})
    asked = {"job": "k", "calls": [bash("rm -r x")]}
    client.request("workspace/executeCommand", {"command": "rulesLsp.gate.beforeTools", "arguments": [asked]})
    while not any(message.get("method") == "workspace/codeLens/refresh" for message in client.received):
        client.received.append(client.receive())
    assert "fired 1 in the last task" in session.lenses()[1]
    assert "1970" not in session.lenses()[1]


def test_colours_and_parts(opened: Opened) -> None:
    session = opened()
    session.change(ASKING.replace("    condition", "    target: {tools: [github/x]}\n    condition"))
    assert session.ask("semanticTokens/full")["data"] == [5, 21, 6, 0, 0, 0, 6, 1, 4, 0, 0, 1, 1, 1, 0]


def test_a_template_is_completed_and_documented(opened: Opened) -> None:
    session = opened()
    session.change(f"{ASKING}  - ")
    found = session.ask("completion", 8, 4)["items"]
    item = next(each for each in found if each["label"] == "Audit deletions")
    assert item["insertTextFormat"] == 2
    resolved = session.client.request("completionItem/resolve", item)
    assert resolved["documentation"]["value"].startswith("Commands that delete are recorded")
    session.change("version: 1\nrules:\n  - id: a\n    when: always\n    action: ")
    assert [each["label"] for each in session.ask("completion", 4, 12)["items"]] == ["inject_instruction"]


def test_the_outline_has_rules(opened: Opened) -> None:
    *_, rules = opened().ask("documentSymbol")
    (rule,) = rules["children"]
    assert (rule["name"], rule["detail"], rule["kind"]) == (
        "Confirm deletions",
        "ask, tool.before · request_approval",
        24,
    )


def test_folds_and_selections(opened: Opened) -> None:
    session = opened()
    assert [(fold["startLine"], fold["endLine"]) for fold in session.ask("foldingRange")] == [(1, 7)]
    (found,) = session.ask("selectionRange", positions=[{"line": 2, "character": 9}])
    assert found["range"] == {"start": {"line": 2, "character": 8}, "end": {"line": 2, "character": 11}}


def test_a_rule_is_switched_off(opened: Opened) -> None:
    session = opened()
    (action,) = session.actions(2)
    assert action["title"] == "switch the rule `ask` off"
    (change,) = action["edit"]["documentChanges"]
    (edit,) = change["edits"]
    assert edit["newText"] == "enabled: false\n    "
    assert edit["range"]["start"] == edit["range"]["end"] == {"line": 3, "character": 4}
    after = ASKING.replace("    name:", "    enabled: false\n    name:")
    assert [rule.enabled for rule in read_auto_prompter(Text(after)).rules.rules] == [False]


def test_where_the_feature_is_taken_away_only_what_reads_stays(opened: Opened) -> None:
    session = opened(available=False)
    assert (session.ask("completion", 8, 0), session.ask("codeLens"), session.actions(2)) == (None, [], [])
    assert "fired" not in session.ask("hover", 2, 9)["contents"]["value"]
    session.change("version: 2\n")
    shown = session.client.notification("textDocument/publishDiagnostics")
    while shown["version"] != 2:
        shown = session.client.notification("textDocument/publishDiagnostics")
    assert [each["code"] for each in shown["diagnostics"]] == ["unknown-value"]


def test_saves_are_recorded_by_name_and_ids(opened: Opened) -> None:
    session = opened()
    session.save()
    session.change(f"# a remark\n{ASKING}")
    session.save()
    session.change(f"enabled: false\n{ASKING}")
    session.save()
    session.change(f"enabled: false\n{ASKING}  - {{id: b, when: tool.before, action: audit_only}}\n")
    session.change(f"enabled: false\n{ASKING.replace('Say', 'Tell')}")
    session.save()
    assert session.audited() == [{"who": "Ada", "what": ["enabled"]}, {"who": "Ada", "what": ["ask"]}]
