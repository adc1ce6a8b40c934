"""The files of a prompt, and a persona rendered for a file, asked over the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from rules_lsp.schemas import validate

pytestmark = pytest.mark.asyncio(loop_scope="module")
PERSONA = (
    '{"user_content": ["{{ task_description }}", "{% for p, t in target_contents.items() %}{{ p | relative_path }}'
)


async def ask(client: LanguageClient, command: str, *arguments: Any) -> Any:
    return await client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


def fill(project: Path) -> None:
    (project / ".coding-agent-rules.yaml").write_text("file_patterns:\n  exclude: ['*.pem']\n")
    (project / "src").mkdir()
    (project / "src" / "a.py").write_text("a = 1\n")
    (project / "src" / "k.pem").write_text("the key\n")


async def test_the_files_of_a_prompt(client: LanguageClient, project: Path) -> None:
    fill(project)
    answer = await ask(client, "rulesLsp.contextFiles", {"files": ["src"], "automatic": False, "byDirectory": True})
    assert validate("context-files", answer) == []
    assert [(file["path"], file["role"], file["tokens"]) for file in answer["files"]] == [("src/a.py", "target", 2)]
    assert [(each["path"], each["answer"]["code"]) for each in answer["refused"]] == [("src/k.pem", "excluded")]
    assert answer["byDirectory"] == [{"directory": "src", "files": 1, "size": 6, "tokens": 2}]
    assert answer["complete"] is False


async def test_a_list_is_read_only_where_the_rules_let_it(client: LanguageClient, project: Path) -> None:
    fill(project)
    (project / "list.txt").write_text("src/a.py\n")
    (project.parent / "list.txt").write_text("a line of it\n")
    asked = {"fileLists": ["list.txt", "../list.txt", "src/k.pem"], "automatic": False}
    answer = await ask(client, "rulesLsp.contextFiles", asked)
    assert [file["path"] for file in answer["files"]] == ["src/a.py"]
    assert [each["answer"]["code"] for each in answer["refused"]] == ["outside-root", "excluded"]
    assert answer["findings"] == []


async def test_other_arguments_are_refused(client: LanguageClient, project: Path) -> None:
    for command, argument in (
        ("rulesLsp.contextFiles", {"files": "src"}),
        ("rulesLsp.contextFiles", {"cwd": "src"}),
        ("rulesLsp.previewPersona", {}),
        ("rulesLsp.previewPersona", {"uri": (project / "none.json").as_uri()}),
        ("rulesLsp.previewPersona", {"uri": project.as_uri(), "target": "src"}),
    ):
        with pytest.raises(JsonRpcException):
            await ask(client, command, argument)


async def test_a_persona_for_a_file(client: LanguageClient, project: Path) -> None:
    fill(project)
    persona = project / "p.json"
    persona.write_text(PERSONA + '={{ t }}{% endfor %}"], "system_content": "Be brief."}')
    uri, target = persona.as_uri(), project / "src" / "a.py"
    answer = await ask(client, "rulesLsp.previewPersona", {"uri": uri, "target": target.as_uri(), "task": "Double it"})
    assert (answer["system"], answer["user"]) == ("Be brief.", "Double it\nsrc/a.py=a = 1\n")
    assert answer["text"] == "--- system ---\nBe brief.\n--- user ---\nDouble it\nsrc/a.py=a = 1\n"
    assert answer["problems"] == []
    denied = await ask(client, "rulesLsp.previewPersona", {"uri": uri, "target": (project / "src/k.pem").as_uri()})
    assert "the key" not in denied["text"]
    assert denied["text"].endswith("src/k.pem: `src/k.pem` is excluded by `*.pem`")


async def test_a_persona_that_cannot_be_rendered(client: LanguageClient, project: Path) -> None:
    fill(project)
    persona = project / "p.json"
    persona.write_text('{"user_content": ["{{ task_description }}",\n"é {{ oops }}"]}')
    answer = await ask(client, "rulesLsp.previewPersona", {"uri": persona.as_uri()})
    (problem,) = answer["problems"]
    assert answer["text"] is None
    assert problem["code"] == "undefined-variable"
    assert problem["range"]["start"]["line"] == 1
