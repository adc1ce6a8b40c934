"""Conditions that the store answers, what an approval is bound to, and what neither a file nor the audit may hold."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.prompter.audit import FIELDS
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.text import Text
from tests.prompter.support import ASKING, ROOT, Place, bash, claimed


def spent(place: Place, call: dict[str, Any]) -> None:
    """Ask, approve and spend."""
    gate = place.gate()
    claimed(gate)
    waiting = gate.before_tools("j", [call])["approval"]
    gate.decide(waiting["requestId"], True)
    (marks,) = gate.before_tools("j", [call])["calls"][0]["consume"]
    assert gate.consume(marks["requestId"], marks["nonce"], marks["fingerprint"]) == {"consumed": True}
    gate.close()


def test_approved_false_holds_until_an_approval_of_this_very_call_was_used(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING.replace("condition: {", "condition: {approved: false, "))
    spent(place, bash("rm a"))
    gate = place.gate()
    assert gate.before_tools("j", [bash("rm a")])["calls"][0]["effect"] == "allow"
    assert gate.before_tools("j", [bash("rm b")])["calls"][0]["effect"] == "approval"


def test_without_it_each_run_needs_an_approval_of_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path)
    spent(place, bash("rm a"))
    assert place.gate().before_tools("j", [bash("rm a")])["calls"][0]["effect"] == "approval"


def test_approved_true_holds_where_an_approval_was_used(tmp_path: Path) -> None:
    place = Place(tmp_path, ASKING.replace("condition: {", "condition: {approved: true, "))
    gate = place.gate()
    claimed(gate)
    # Nobody asked, so nobody approved.
    assert gate.before_tools("j", [bash("rm a")])["calls"][0]["effect"] == "allow"


@pytest.mark.parametrize(
    ("again", "same"),
    [
        ({"b": [1, {"d": "e", "c": None}], "a": "rm x"}, True),
        ({"a": "rm x", "b": [{"c": None, "d": "e"}, 1]}, False),
        ({"a": "rm x", "b": [1.5, {"c": None, "d": "e"}]}, False),
        ({"a": "rm  x", "b": [1, {"c": None, "d": "e"}]}, False),
        ({"a": "rm x", "b": [1, {"d": "e"}]}, False),
    ],
)
def test_arguments_are_the_same_whatever_the_order_of_their_keys(
    again: dict[str, Any], same: bool, tmp_path: Path
) -> None:
    place = Place(tmp_path, "version: 1\nrules:\n  - {id: ask, when: tool.before, action: request_approval}\n")
    gate = place.gate()
    claimed(gate)
    first = {"a": "rm x", "b": [1, {"c": None, "d": "e"}]}
    asked = [
        gate.before_tools("j", [{"id": "1", "tool": "server/tool", "arguments": each}])["approval"]
        for each in (first, again)
    ]
    assert (asked[0]["fingerprint"] == asked[1]["fingerprint"]) is same
    assert (asked[0]["requestId"] == asked[1]["requestId"]) is same


@pytest.mark.parametrize(
    ("path", "held"),
    [
        ("infra/a", True),
        ("infra/out", True),
        ("infra/loop", True),
        ("in", True),
        ("INFRA%2Fa/../../infra/a", True),
        ("docs/../infra/a", True),
        ("other/a", False),
        ("out", False),
    ],
)
def test_files_are_known_by_every_name_below_the_root_wherever_links_lead(
    path: str, held: bool, tmp_path: Path
) -> None:
    rules = (
        "version: 1\nrules:\n  - {id: no, when: tool.before, condition: {files: [infra/]}, action: deny_current_tool}\n"
    )
    place = Place(tmp_path, rules)
    (place.root / "infra").mkdir()
    (place.root / "infra" / "out").symlink_to(tmp_path)
    (place.root / "infra" / "loop").symlink_to("loop")
    (place.root / "in").symlink_to("infra/a")
    (place.root / "out").symlink_to(tmp_path)
    gate = place.gate()
    claimed(gate)
    call = gate.before_tools("j", [bash(f"cat {path}")])["calls"][0]
    assert (call["effect"], call["ruleId"]) == (("deny", "no") if held else ("allow", None))


@pytest.mark.parametrize("key", ["retention", "retention_days", "retentionDays", "store", "available"])
def test_the_file_cannot_set_what_is_the_operators(key: str) -> None:
    found = read_auto_prompter(Text(f"version: 1\n{key}: 1\nrules: []\n"))
    assert [problem.code for problem in found.problems] == ["unknown-key"]
    assert found.rules.refusal is not None


def test_the_audit_tells_nothing_of_the_person_and_nothing_that_was_said(tmp_path: Path) -> None:
    place = Place(
        tmp_path,
        "version: 1\nrules:\n  - {id: see, when: tool.before, condition: {role: [apprentice]}, action: audit_only}\n"
        "  - {id: end, when: completion.before_accept, action: deny_current_tool, instruction: Not yet.}\n",
    )
    gate = place.gate()
    claimed(gate, roles=["apprentice"])
    gate.before_tools("j", [bash("echo conversation-7")])
    gate.before_completion("j", {"text": "conversation-7", "calls": ["end"]})
    events = list(gate.events())
    assert [event["ruleId"] for event in events] == ["see", "end"]
    assert not {"roles", "role", "arguments", "text", "instruction", "user"} & set(FIELDS)
    for word in ("apprentice", "conversation-7", "Not yet"):
        assert word not in json.dumps(events)


def test_people_read_auto_prompter_or_rules_and_never_of_hooks() -> None:
    places = [ROOT / "rules_lsp" / room for room in ("prompter", "features/prompter", "checks/prompter")]
    files = [path for place in places for path in place.rglob("*.py")]
    files += [*(ROOT / "rules_lsp/cli").glob("prompter*.py"), *(ROOT / "rules_lsp/agents").glob("mcp_gate*.py")]
    assert len(files) > 40
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"(?i)\bhooks?\b", node.value), (path.name, node.value)
    assert "hook" not in (ROOT / "schemas/auto-prompter.schema.json").read_text(encoding="utf-8").lower()
