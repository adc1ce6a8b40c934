"""What the views of an editor are made of: the rules in force as data, files by verdict, a rule file to start from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.features.starter import STARTERS
from tests.lsp.client import Client

RULES = ".coding-agent-rules.yaml"
TEXT = "file_patterns:\n  include: [src/, '[a']\n  exclude: ['*.pem'] # 😀\ndenied_tools: [github/delete_*]\n"


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


def opened(client: Client, folder: Path) -> None:
    client.initialize(workspaceFolders=[{"uri": folder.as_uri(), "name": "app"}])
    run(client, "rulesLsp.overview")
    run(client, "rulesLsp.serverState", {"settled": True})


def run(client: Client, command: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def place(uri: str, line: int, start: int, end: int) -> dict[str, Any]:
    ends = ({"line": line, "character": start}, {"line": line, "character": end})
    return {"uri": uri, "range": dict(zip(("start", "end"), ends, strict=True))}


def test_the_rules_in_force(client: Client, tmp_path: Path) -> None:
    rules = tmp_path / RULES
    rules.write_text(TEXT, encoding="utf-8")
    for name in ("src/a.py", "src/k.pem", "b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    opened(client, tmp_path)
    (found,) = run(client, "rulesLsp.overview", {"folder": tmp_path.as_uri()})
    uri = rules.as_uri()
    assert (found["folder"], found["source"], found["refusal"]) == (tmp_path.as_uri(), RULES, None)
    assert found["files"] == {"writable": 1, "total": 4, "complete": True}
    assert found["tools"] == []
    broken = found["lists"][1]["entries"][1].pop("broken")
    assert "never closed" in broken
    assert found["lists"] == [
        {
            "list": "denied_tools",
            **place(uri, 3, 0, 12),
            "broken": None,
            "entries": [
                {
                    "index": 0,
                    "pattern": "github/delete_*",
                    **place(uri, 3, 15, 30),
                    "broken": None,
                    "tools": None,
                }
            ],
        },
        {
            "list": "file_patterns.include",
            **place(uri, 1, 2, 9),
            "broken": None,
            "entries": [
                {"index": 0, "pattern": "src/", **place(uri, 1, 12, 16), "broken": None, "files": 2},
                {"index": 1, "pattern": "[a", **place(uri, 1, 19, 21), "files": None},
            ],
        },
        {
            "list": "file_patterns.exclude",
            **place(uri, 2, 2, 9),
            "broken": None,
            "entries": [{"index": 0, "pattern": "*.pem", **place(uri, 2, 13, 18), "broken": None, "files": 1}],
        },
    ]
    assert [(each["code"], each["severity"]) for each in found["problems"]] == [("invalid-glob", "error")]
    assert found["problems"][0]["range"] == place(uri, 1, 19, 20)["range"]


def test_files_by_what_is_decided(client: Client, tmp_path: Path) -> None:
    (tmp_path / RULES).write_text("file_patterns:\n  exclude: ['*.pem']\n")
    for name in ("a.py", "k.pem"):
        (tmp_path / name).write_text("")
    opened(client, tmp_path)

    def names(writable: bool, **folder: str) -> list[str]:
        found = run(client, "rulesLsp.showFiles", {"writable": writable, **folder})
        return [each["uri"].rpartition("/")[2] for each in found]

    assert names(True) == ["a.py"]
    assert names(False, folder=tmp_path.as_uri()) == [RULES, "k.pem"]


def test_rules_that_cannot_be_read(client: Client, tmp_path: Path) -> None:
    (tmp_path / RULES).write_text("denied_tools: [a\n")
    opened(client, tmp_path)
    (found,) = run(client, "rulesLsp.overview")
    assert (found["lists"], found["policy"]["degraded"]) == ([], True)
    assert [(each["code"], each["severity"]) for each in found["problems"]] == [("syntax-error", "error")]


def test_a_project_without_rules(client: Client, tmp_path: Path) -> None:
    opened(client, tmp_path)
    (found,) = run(client, "rulesLsp.overview")
    assert found["source"] == "none: the project has no rule file"
    assert (found["lists"], found["problems"], found["files"]["total"]) == ([], [], 0)


def test_known_tools(client: Client, tmp_path: Path) -> None:
    server = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"files": server}}))
    (tmp_path / RULES).write_text("denied_tools: [files/move_file]\n")
    opened(client, tmp_path)
    (found,) = run(client, "rulesLsp.overview")
    allowed = {each["name"]: each["allowed"] for each in found["tools"]}
    assert (allowed["files/move_file"], allowed["files/read_file"]) == (False, True)
    assert found["lists"][0]["entries"][0]["tools"] == 1


@pytest.mark.parametrize("form", STARTERS)
def test_a_rule_file_to_start_from(client: Client, tmp_path: Path, form: str) -> None:
    opened(client, tmp_path)
    name, text = STARTERS[form]
    made = {"uri": (tmp_path / name).as_uri(), "text": text, "exists": False, "notes": []}
    assert run(client, "rulesLsp.starter", {"folder": tmp_path.as_uri(), "format": form}) == made


def test_a_rule_file_that_is_there_or_is_not_read(client: Client, tmp_path: Path) -> None:
    (tmp_path / RULES).write_text("denied_tools: [a]\n")
    opened(client, tmp_path)
    assert run(client, "rulesLsp.starter")["exists"] is True
    note = f"it is not read: `{RULES}` stands above it and stays in force"
    assert run(client, "rulesLsp.starter", {"format": "md"})["notes"] == [note]


@pytest.mark.parametrize(
    ("command", "arguments", "said"),
    [
        ("overview", [7], "`rulesLsp.overview` takes one object"),
        ("overview", [{"folder": "file:///nowhere"}], "the `folder` of `rulesLsp.overview` names no open folder"),
        ("starter", [{"format": 7}], "the `format` of a rule file is one of `yaml`, `md`"),
        ("starter", [{}, {}], "`rulesLsp.starter` takes one object"),
    ],
)
def test_questions_that_are_none(client: Client, tmp_path: Path, command: str, arguments: list[Any], said: str) -> None:
    opened(client, tmp_path)
    asked = {"command": f"rulesLsp.{command}", "arguments": arguments}
    error = client.ask("workspace/executeCommand", asked)["error"]
    assert (error["code"], error["message"]) == (-32602, said)
