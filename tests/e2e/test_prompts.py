"""What an agent is told, asked over the protocol: as data, and as pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from rules_lsp.schemas import validate

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def ask(client: LanguageClient, command: str, *arguments: Any) -> Any:
    return await client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


def fill(project: Path) -> None:
    (project / ".coding-agent-rules.yaml").write_text("system_prompt_extension: Be brief.\n")
    (project / "src" / "deep").mkdir(parents=True)
    (project / "AGENTS.md").write_text("all\n")
    (project / "src" / "AGENTS.md").write_text("sources\n")
    (project / "src" / "deep" / "AGENTS.md").write_text("deep ```` fence\n")
    (project / "src" / "deep" / "AGENTS.override.md").write_text("")


async def test_the_instructions_of_a_file(client: LanguageClient, project: Path) -> None:
    fill(project)
    answer = await ask(client, "rulesLsp.instructionsFor", {"path": "src/deep/a.py"})
    assert (answer["folder"], answer["own"]["name"]) == ("src/deep", "AGENTS.md")
    assert [(part["name"], part["text"]) for part in answer["chain"]] == [("src/AGENTS.md", "sources\n")]
    assert [(each["name"], each["cause"]) for each in answer["leftOut"]] == [
        ("src/deep/AGENTS.override.md", "empty"),
        ("src/deep/AGENTS.md", "masked"),
    ]
    uri = (project / "src" / "deep" / "a.py").as_uri()
    assert await ask(client, "rulesLsp.instructionsFor", {"uri": uri}) == answer


async def test_the_whole_prompt_counts_open_documents(client: LanguageClient, project: Path) -> None:
    fill(project)
    uri = (project / "src" / "AGENTS.md").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "markdown", 1, "as typed"))
    )
    answer = await ask(client, "rulesLsp.previewPrompt", {"for": "src/a.py"})
    assert validate("prompt-view", answer) == []
    told = [(part["section"], part["name"], part["text"]) for part in answer["parts"]]
    assert told == [
        ("base", "the system prompt of the host", ""),
        ("system_prompt_extension", ".coding-agent-rules.yaml", "Be brief."),
        ("agents_md_instructions", "src/AGENTS.md", "as typed"),
        ("project_instructions", "AGENTS.md", "all\n"),
    ]


async def test_the_pages(client: LanguageClient, project: Path) -> None:
    fill(project)
    page = await ask(client, "rulesLsp.preview", {"kind": "prompt", "for": "src/deep/a.py"})
    lines = page["markdown"].split("\n")
    assert lines[0] == "# What the agent reads"
    rows = [line for line in lines if line.startswith("| `")]
    assert [line.split(" | ")[0] for line in rows] == [
        "| `base`",
        "| `system_prompt_extension`",
        "| `agents_md_instructions`",
        "| `project_instructions`",
    ]
    root = project.as_uri()
    assert f"[`src/AGENTS.md`]({root}/src/AGENTS.md#L1), line 1" in rows[2]
    masked = f"- [`src/deep/AGENTS.md`]({root}/src/deep/AGENTS.md): `AGENTS.override.md` stands in its place"
    assert f"{masked}, and tells nothing" in lines
    assert "## `project_instructions`: `AGENTS.md`" in lines

    (project / "src" / "deep" / "AGENTS.override.md").unlink()
    page = await ask(client, "rulesLsp.preview", {"kind": "instructions", "for": "src/deep/a.py"})
    lines = page["markdown"].split("\n")
    assert lines[-5:] == ["", "`````text", "deep ```` fence", "`````", ""]
    assert [line.split(" | ")[1] for line in lines if line.startswith("| ") and line[2].isdecimal()] == [
        f"[`AGENTS.md`]({root}/AGENTS.md)",
        f"[`src/AGENTS.md`]({root}/src/AGENTS.md)",
        f"[`src/deep/AGENTS.md`]({root}/src/deep/AGENTS.md)",
    ]


async def test_other_arguments_are_refused(client: LanguageClient, project: Path) -> None:
    for command, argument in (
        ("rulesLsp.instructionsFor", {}),
        ("rulesLsp.instructionsFor", {"path": 1}),
        ("rulesLsp.previewPrompt", "src"),
        ("rulesLsp.previewPrompt", {"for": "a\0b"}),
        ("rulesLsp.preview", {"kind": "prompt", "folder": "/none"}),
    ):
        with pytest.raises(JsonRpcException):
            await ask(client, command, argument)
