"""Batches of structured edits, checked over the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from rules_lsp.schemas import validate
from tests.e2e.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def ask(client: LanguageClient, command: str, *arguments: Any) -> Any:
    return await client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


def edit(path: str, search: str, replace: str) -> dict[str, str]:
    return {"file_path": path, "search_block": search, "replace_block": replace}


async def test_open_buffers_count_as_the_texts_of_their_files(
    client: LanguageClient, project: Path, encoding: str
) -> None:
    (project / ".coding-agent-rules.yaml").write_text("file_patterns:\n  exclude: ['*.pem']\n", encoding="utf-8")
    path = project / "a.txt"
    path.write_text("saved\n", encoding="utf-8")
    editor = Editor(client, path, encoding)
    await editor.open("x\n😀typed\n", "plaintext")
    batch = [edit("a.txt", "typed", "t"), edit("a.txt", "saved", "s"), edit("k.pem", "a", "b")]
    answer = await ask(client, "rulesLsp.checkEdits", {"edits": batch})
    assert validate("edit-answers", answer) == []
    assert [(each["status"], each["code"]) for each in answer["answers"]] == [
        ("ready", "unrestricted"),
        ("not-found", "invalid-request"),
        ("denied", "excluded"),
    ]
    start = {"utf-16": 2, "utf-8": 4}[encoding]
    assert answer["answers"][0]["place"] == {
        "uri": path.as_uri(),
        "range": {"start": {"line": 1, "character": start}, "end": {"line": 1, "character": start + 5}},
    }
    await editor.close()
    again = await ask(client, "rulesLsp.checkEdits", batch[1:2])
    assert (again["allowed"], again["applied"], again["reason"]) == (True, False, "1 edit can be applied")
    assert path.read_text(encoding="utf-8") == "saved\n"


async def test_targets_and_deletions(client: LanguageClient, project: Path) -> None:
    (project / "a.txt").write_text("all\n", encoding="utf-8")
    question: dict[str, Any] = {"edits": [edit("a.txt", "all\n", "")], "targets": ["*.txt"], "root": project.as_uri()}
    assert (await ask(client, "rulesLsp.checkEdits", question))["answers"][0]["status"] == "deletion-not-allowed"
    allowed = await ask(client, "rulesLsp.checkEdits", {**question, "allowDelete": True})
    assert (allowed["answers"][0]["status"], allowed["answers"][0]["operation"]) == ("ready", "delete")
    other = await ask(client, "rulesLsp.checkEdits", {**question, "targets": ["*.md"]})
    assert other["answers"][0]["status"] == "not-a-target"


async def test_what_is_no_batch_is_answered(client: LanguageClient, project: Path) -> None:
    no_batch = "a batch of edits is a JSON array of objects with `file_path`, `search_block` and `replace_block`"
    for question, reason in (
        (None, no_batch),
        ({"edits": 7}, no_batch),
        ({"edits": [], "targets": "a"}, "`targets` is a list of paths and patterns"),
        ({"edits": [], "root": "/nowhere"}, "the root `/nowhere` names no open folder: leave it out or name one"),
    ):
        answer = await ask(client, "rulesLsp.checkEdits", question)
        assert validate("edit-answers", answer) == []
        assert (answer["allowed"], answer["reason"], answer["answers"]) == (False, reason, [])
