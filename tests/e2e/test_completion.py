"""Completion over standard streams, as clients of several abilities get it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

RULES = ".coding-agent-rules.yaml"
FULL: Any = {
    "textDocument": {
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "labelDetailsSupport": True,
                "documentationFormat": ["markdown", "plaintext"],
                "insertTextModeSupport": {"valueSet": [1, 2]},
            }
        },
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "experimental": {"commands": {"commands": ["editor.action.triggerSuggest"]}},
}
PLAIN: Any = {}
Start = Callable[[Any], Client]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[Client] = []
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"git hub": {"command": "x"}}}))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a**b.py").write_text("")
    (tmp_path / "src" / "c.py").write_text("")

    def started(capabilities: Any) -> Client:
        client = Client()
        made.append(client)
        client.initialize(capabilities=capabilities, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "app"}])
        return client

    yield started
    for client in made:
        client.close()


def opened(client: Client, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def completed(client: Client, path: Path, line: int, character: int, trigger: str | None = None) -> Any:
    """The answer to a completion, asked for until what it needs is known."""
    context = {"triggerKind": 1} if trigger is None else {"triggerKind": 2, "triggerCharacter": trigger}
    asked = {
        "textDocument": {"uri": path.as_uri()},
        "position": {"line": line, "character": character},
        "context": context,
    }
    answer = client.request("textDocument/completion", asked)
    while answer is not None and answer["isIncomplete"]:
        answer = client.request("textDocument/completion", asked)
    return answer


def named(answer: Any, label: str) -> Any:
    return next(item for item in answer["items"] if item["label"] == label)


def place(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def test_what_the_server_offers() -> None:
    client = Client()
    offered = client.initialize(capabilities=FULL)["capabilities"]["completionProvider"]
    assert offered == {
        "triggerCharacters": ["/", "-", '"', "'", "`", " ", "["],
        "resolveProvider": True,
        "completionItem": {"labelDetailsSupport": True},
    }
    client.close()


def test_a_server_in_a_document_with_an_emoji(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "denied_tools: ['😀/x', gi")
    item = named(completed(client, path, 0, 25), "git hub/")
    uri = path.as_uri()
    assert item == {
        "label": "git hub/",
        "kind": 9,
        "sortText": "00000",
        "filterText": "git hub/",
        "insertTextFormat": 2,
        "textEdit": {"range": place(0, 23, 25), "newText": '"git hub/$0"'},
        "command": {"title": "", "command": "editor.action.triggerSuggest"},
        "data": {"uri": uri, "topic": ["server", "git hub", None]},
    }
    resolved = client.request("completionItem/resolve", item)
    assert resolved["documentation"] == {"kind": "markdown", "value": "configured in `.mcp.json`"}


def test_patterns_come_from_the_files_with_their_numbers(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "file_patterns:\n  include:\n    - *")
    answer = completed(client, path, 2, 7)
    assert [item["label"] for item in answer["items"]][:3] == ["src/", "**/*.py", "**/*.json"]
    item = named(answer, "**/*.py")
    assert item["labelDetails"] == {"description": "2 files"}
    assert item["textEdit"] == {"range": place(2, 6, 7), "newText": '"**/*.py"'}
    resolved = client.request("completionItem/resolve", item)
    assert resolved["documentation"]["value"].startswith("files and directories from the project's root")


def test_entries_without_code_marks_stay_in_their_list(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / ".coding-agent-rules.md"
    opened(client, path, "## Denied Tools\n\n- Bash, Wri\n\n## File Patterns\n\n### Exclude\n\n- docs/, s\n")
    tool = named(completed(client, path, 2, 11), "Write")
    assert tool["textEdit"] == {"range": place(2, 8, 11), "newText": "Write"}
    assert "additionalTextEdits" not in tool
    assert named(completed(client, path, 8, 10), "src/")["textEdit"] == {"range": place(8, 9, 10), "newText": "src/"}
    server = named(completed(client, path, 2, 11), "git hub/")
    assert server["textEdit"] == {"range": place(2, 8, 11), "newText": "`git hub/$0`"}
    assert server["additionalTextEdits"] == [
        {"range": place(2, 2, 2), "newText": "`"},
        {"range": place(2, 6, 6), "newText": "`"},
    ]


def test_a_client_without_abilities_gets_plain_text(start: Start, tmp_path: Path) -> None:
    client, path = start(PLAIN), tmp_path / RULES
    opened(client, path, "\nfile_patterns:\n  include:\n    - \n")
    key = named(completed(client, path, 0, 0), "denied_tools")
    assert key["textEdit"] == {"range": place(0, 0, 0), "newText": "denied_tools:"}
    assert "insertTextFormat" not in key
    item = named(completed(client, path, 3, 6), "src/")
    assert (item["detail"], item["textEdit"]["newText"]) == ("2 files", "src/")
    assert "command" not in item
    pattern = named(completed(client, path, 3, 6), "**/*.py")
    told = client.request("completionItem/resolve", pattern)["documentation"]
    assert told["kind"] == "plaintext"
    assert told["value"].splitlines()[-2:] == ["- `src/a**b.py`", "- `src/c.py`"]


def test_a_hover_in_plain_text_keeps_the_globs(start: Start, tmp_path: Path) -> None:
    client, path = start(PLAIN), tmp_path / RULES
    opened(client, path, "file_patterns:\n  include:\n    - src/**\n")
    assert named(completed(client, path, 2, 6), "src/")["label"] == "src/"
    asked = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 2, "character": 8}}
    contents = client.request("textDocument/hover", asked)["contents"]
    assert contents["kind"] == "plaintext"
    assert contents["value"].split("\n\n") == [
        "what `src/**` matches may be changed, unless an exclude matches",
        "everything inside of `src`, from the project's root",
        "- `src`: the name `src`\n- `**`: everything below, at any depth",
        "it takes 2 of 3 files now, net effect +2: without it 2 files could no longer be changed",
        "- `src/a**b.py`\n- `src/c.py`",
    ]


def test_prose_and_passing_triggers_are_answered_with_nothing(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / RULES
    opened(client, path, "system_prompt_extension: |\n  Use - \ndenied_tools:\n  \n")
    assert completed(client, path, 1, 8, " ") is None
    assert completed(client, path, 3, 2, " ") is None
    assert completed(client, path, 3, 2) is not None


def test_an_item_that_is_none_of_ours_comes_back_as_it_was(start: Start) -> None:
    client = start(FULL)
    for data in (None, 5, {"uri": 5}, {"uri": "file:///x", "topic": ["tool", "a", "b"]}, {"topic": [[], 1, 2]}):
        item = {"label": "x", "data": data}
        assert client.request("completionItem/resolve", item)["label"] == "x"


def test_other_documents_have_no_completions(start: Start, tmp_path: Path) -> None:
    client, path = start(FULL), tmp_path / "a.yaml"
    assert completed(client, path, 0, 0) is None
    opened(client, path, "denied_tools: []")
    assert completed(client, path, 0, 0) is None
