"""The files that tell an agent what to do, in an editor: lenses, hovers and completion over the protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="module")
PERSONA = {"user_content": ["{{ task_description }}"]}


async def opened(client: LanguageClient, path: Path, text: str, language: str) -> types.TextDocumentIdentifier:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    uri = path.as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text)))
    return types.TextDocumentIdentifier(uri)


async def told(client: LanguageClient, document: types.TextDocumentIdentifier) -> list[types.Command]:
    """The commands of the lenses of a document, resolved."""
    found = await client.text_document_code_lens_async(types.CodeLensParams(document)) or []
    resolved = [await client.code_lens_resolve_async(lens) for lens in found]
    return [lens.command for lens in resolved if lens.command is not None]


async def hovered(client: LanguageClient, document: types.TextDocumentIdentifier, line: int, column: int) -> str:
    params = types.HoverParams(document, types.Position(line, column))
    shown = await client.text_document_hover_async(params)
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    return shown.contents.value


async def test_a_persona_leads_to_what_a_model_is_told(client: LanguageClient, project: Path) -> None:
    path = project / ".shaft" / "a" / "templates" / "plan.json"
    document = await opened(client, path, json.dumps(PERSONA), "json")
    (command,) = await told(client, document)
    assert (command.title, command.command) == ("show what a model is told", "rulesLsp.previewPersona")
    (argument,) = command.arguments or ()
    assert isinstance(argument, dict)
    asked: dict[str, Any] = {**argument, "task": "plan it"}
    answer: Any = await client.workspace_execute_command_async(types.ExecuteCommandParams(command.command, [asked]))
    assert answer["user"] == "plan it"
    assert await hovered(client, document, 0, 25) == "`task_description`\n\nWhat the person asks for."


async def test_a_project_of_agent_zero(client: LanguageClient, project: Path, encoding: str) -> None:
    text = '{\n  "title": "日本 \U0001f600", "\n}\n'
    document = await opened(client, project / ".a0proj" / "project.json", text, "jsonc")
    # The columns of both encodings lead into the text in quotes that is being written.
    line = text.split("\n")[1]
    end = len(line.encode("utf-8" if encoding == "utf-8" else "utf-16-le")) // (1 if encoding == "utf-8" else 2)
    found = await client.text_document_completion_async(types.CompletionParams(document, types.Position(1, end)))
    assert isinstance(found, types.CompletionList)
    assert {item.label for item in found.items} > {"description", "git_url"}
    assert "- title: 日本 \U0001f600" in (await hovered(client, document, 0, 0)).split("\n")


async def test_instructions_show_their_chain(client: LanguageClient, project: Path) -> None:
    (project / "AGENTS.md").write_text("all\n")
    document = await opened(client, project / "src" / "AGENTS.md", "sources\n\nprose ", "markdown")
    shown = (await hovered(client, document, 0, 1)).split("\n")
    assert shown[0] == "`src/AGENTS.md`: 15 characters, about 4 tokens"
    assert f"1. [`AGENTS.md`]({project.as_uri()}/AGENTS.md): 4 characters, about 1 token" in shown
    params = types.CompletionParams(document, types.Position(2, 6))
    assert await client.text_document_completion_async(params) is None
