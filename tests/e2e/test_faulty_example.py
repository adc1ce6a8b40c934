"""A person opens the faulty example, sees each fault, takes what is offered, and reads on each glob what it takes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client
from tests.lsp.shadow import Shadow

EXAMPLE = Path(__file__).parents[1] / "example"
RULES = ".coding-agent-rules.yaml"
CAPABILITIES: Any = {
    "textDocument": {
        "diagnostic": {},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "isPreferredSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
FAULTS = [
    (9, "renamed-tool", 2),
    (11, "duplicate-entry", 2),
    (14, "unknown-key", 1),
    (22, "invalid-glob", 1),
]
MOST_STEPS = 20


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return shutil.copytree(EXAMPLE, tmp_path / "shop")


@pytest.fixture
def client(example: Path) -> Iterator[Client]:
    made = Client()
    made.initialize(workspaceFolders=[{"uri": example.as_uri(), "name": "shop"}], capabilities=CAPABILITIES)
    yield made
    made.close()


@pytest.fixture
def shown(client: Client, example: Path) -> Shadow:
    """The rule file of the example, open, once the files of the project are known."""
    shadow = Shadow((example / RULES).as_uri(), (example / RULES).read_text(encoding="utf-8"))
    client.notify("textDocument/didOpen", shadow.opening())
    client.request("workspace/executeCommand", {"command": "rulesLsp.serverState", "arguments": [{"settled": True}]})
    return shadow


def findings(client: Client, shadow: Shadow) -> list[Any]:
    found: list[Any] = client.request("textDocument/diagnostic", shadow.identity)["items"]
    return found


def offered(client: Client, shadow: Shadow, finding: Any) -> list[Any]:
    """What repairs a finding, the preferred first: silence about it repairs nothing."""
    asked = {"range": finding["range"], "context": {"diagnostics": [finding], "only": ["quickfix"]}}
    actions = client.request("textDocument/codeAction", {**shadow.identity, **asked})
    repairs = [
        action
        for action in actions
        if not action["title"].startswith("ignore ") and action["diagnostics"][0]["code"] == finding["code"]
    ]
    return sorted(repairs, key=lambda action: not action.get("isPreferred", False))


def take(client: Client, shadow: Shadow, action: Any) -> None:
    """Make the edits of an action as an editor does: they are for this version, and none lies within another."""
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": shadow.uri, "version": shadow.version}
    edits = sorted(((*shadow.span(edit["range"]), edit["newText"]) for edit in change["edits"]), reverse=True)
    client.notify("textDocument/didChange", shadow.changed(*edits))


def repaired(client: Client, shadow: Shadow) -> list[str]:
    """The titles of what was taken until nothing more is offered."""
    taken: list[str] = []
    for _ in range(MOST_STEPS):
        actions = [action for finding in findings(client, shadow) for action in offered(client, shadow, finding)]
        if not actions:
            return taken
        taken.append(actions[0]["title"])
        take(client, shadow, actions[0])
    raise AssertionError(f"there is no end of what is offered: {taken}")


def hovered(client: Client, shadow: Shadow, part: str) -> str:
    text: str = client.request("textDocument/hover", shadow.at(shadow.text.index(part) + 1))["contents"]["value"]
    return text


def test_each_fault_is_seen(client: Client, shown: Shadow) -> None:
    found = [(each["range"]["start"]["line"] + 1, each["code"], each["severity"]) for each in findings(client, shown)]
    assert found == FAULTS


def test_the_file_is_repaired_by_what_is_offered_alone(client: Client, shown: Shadow, example: Path) -> None:
    before = shown.text
    assert repaired(client, shown) == [
        "write `github/issue_read`",
        "write `github/issue_read`",
        "remove `github/issue_read`",
        "rename it to `denied_tools`",
        "read `[` as a plain character (a guess)",
    ]
    renamed = before.replace("  - github/get_issue\n", "  - github/issue_read\n", 1)
    expected = (
        renamed.replace("  - github/get_issue\n", "", 1)
        .replace("deny_tools:", "denied_tools:")
        .replace("docs/[a-z.md", "docs/\\[a-z.md")
    )
    assert shown.text == expected
    assert [(each["code"], each["range"]["start"]["line"] + 1) for each in findings(client, shown)] == [
        ("matches-nothing", 21)
    ]
    (example / RULES).write_text(shown.text, encoding="utf-8")
    client.notify("textDocument/didSave", shown.identity)
    tool = {"command": "isToolAllowed", "arguments": ["github/delete_file"]}
    assert client.request("workspace/executeCommand", tool)["code"] == "denied-tool"


@pytest.mark.parametrize(
    ("part", "effect"),
    [
        ("src/**", "it takes **2 of 7 files** now, net effect **+2**: without it 2 files could no longer be changed"),
        ("tests/**", "it takes **1 of 7 files** now, net effect **+1**: without it 1 file could no longer be changed"),
        ("docs/[a-z.md", "until it is repaired, it allows nothing"),
        ("secrets/", "it takes **1 of 7 files** now, net effect **±0**: without it nothing would change"),
        ("*.pem", "it takes **1 of 7 files** now, net effect **±0**: without it nothing would change"),
        (".env*", "it takes **0 of 7 files** now"),
    ],
)
def test_each_glob_tells_what_it_takes(client: Client, shown: Shadow, part: str, effect: str) -> None:
    assert effect in hovered(client, shown, part).split("\n\n")


def test_above_each_glob_stands_what_it_takes(client: Client, shown: Shadow) -> None:
    lenses = client.request("textDocument/codeLens", shown.identity)
    told = [client.request("codeLens/resolve", lens) for lens in lenses]
    assert [(each["range"]["start"]["line"] + 1, each["command"]["title"]) for each in told] == [
        (1, "policy: 3 of 7 files writable · 2 of 117 tools allowed"),
        (6, "2 of 117 tools"),
        (14, "3 of 117 tools"),
        (19, "3 of 7 files"),
        (20, "2 files · net +2"),
        (21, "1 file · net +1"),
        (23, "1 of 7 files"),
        (24, "1 file · net ±0"),
        (25, "1 file · net ±0"),
        (26, "0 files"),
    ]
