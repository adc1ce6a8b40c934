"""The questions of agents, asked over the protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.e2e.editor import Editor, change_folders

RULES = "denied_tools: ['😀/x', github/delete_file]\nfile_patterns:\n  exclude: ['*.pem']\n"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def rules(project: Path) -> Path:
    path = project / ".coding-agent-rules.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


async def ask(client: LanguageClient, command: str, *arguments: Any) -> Any:
    return await client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


def verdict(answer: Any) -> tuple[bool, str]:
    return answer["allowed"], answer["code"]


async def test_a_whole_answer(client: LanguageClient, project: Path, rules: Path, encoding: str) -> None:
    answer = await ask(client, "rulesLsp.isToolAllowed", {"tool": "github/delete_file"})
    column = {"utf-16": 23, "utf-8": 25}[encoding]
    version = answer["policy"].pop("version")
    assert version.startswith("sha256:")
    assert answer == {
        "allowed": False,
        "code": "denied-tool",
        "reason": "`github/delete_file` is denied by `github/delete_file`",
        "tool": "github/delete_file",
        "server": "github",
        "name": "delete_file",
        "paths": [],
        "pathsChecked": False,
        "rule": {
            "uri": rules.as_uri(),
            "range": {"start": {"line": 0, "character": column}, "end": {"line": 0, "character": column + 18}},
            "list": "denied_tools",
            "index": 1,
            "pattern": "github/delete_file",
        },
        "overruled": [],
        "policy": {"uri": rules.as_uri(), "enabled": True, "degraded": False, "errors": []},
    }


@pytest.mark.parametrize("command", ["rulesLsp.isFileAllowed", "isFileAllowed"])
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([{"path": "a.pem"}], (False, "excluded")),
        ([{"path": "a.txt"}], (True, "unrestricted")),
        (["a.pem"], (False, "excluded")),
        (["a.pem", "read"], (False, "excluded")),
        (["a.txt", "read"], (True, "unrestricted")),
        (["a.txt", None], (True, "unrestricted")),
        (["a.txt", "burn"], (False, "invalid-request")),
        (["a.txt", {"operation": "read"}], (False, "invalid-request")),
        (["a.txt", "read", "more"], (False, "invalid-request")),
        (["https://example.org/a.txt"], (False, "invalid-request")),
        ([], (False, "invalid-request")),
        ([None], (False, "invalid-request")),
        ([5], (False, "invalid-request")),
        ([["a.txt"]], (False, "invalid-request")),
        ([{"path": 5}], (False, "invalid-request")),
        ([{"path": "\ud800"}], (False, "invalid-request")),
        ([{"tool": "a/b"}], (False, "invalid-request")),
        ([{"path": "a.txt", "source": "disk"}], (False, "invalid-request")),
        ([{"path": "a.txt", "root": "/no/such"}], (False, "invalid-request")),
        ([{"path": "a.txt", "root": 5}], (False, "invalid-request")),
        ([{"path": "/etc/passwd"}], (False, "outside-root")),
    ],
)
async def test_questions_about_files(
    client: LanguageClient, rules: Path, command: str, arguments: list[Any], expected: tuple[bool, str]
) -> None:
    assert verdict(await ask(client, command, *arguments)) == expected


@pytest.mark.parametrize("command", ["rulesLsp.isToolAllowed", "isToolAllowed"])
async def test_questions_about_tools(client: LanguageClient, rules: Path, command: str) -> None:
    assert verdict(await ask(client, command, {"tool": "github/get_issue"})) == (True, "unrestricted")
    assert verdict(await ask(client, command, "github/get_issue")) == (True, "unrestricted")
    assert verdict(await ask(client, command, "mcp__github__delete_file")) == (False, "denied-tool")
    assert verdict(await ask(client, command, "Write", {"file_path": "a.pem"})) == (False, "excluded")
    assert verdict(await ask(client, command, "Write", {"file_path": "a.txt"})) == (True, "unrestricted")
    assert verdict(await ask(client, command, "Write", 5)) == (False, "invalid-request")
    assert verdict(await ask(client, command, {"path": "a.txt"})) == (False, "invalid-request")


async def test_batches(client: LanguageClient, project: Path, rules: Path) -> None:
    absolute = str(project / "b.pem")
    compact = await ask(client, "isFileAllowed", {"paths": ["a.pem", absolute, "a.txt", 5]})
    assert [verdict(answer) for answer in compact["answers"]] == [
        (False, "excluded"),
        (False, "excluded"),
        (True, "unrestricted"),
        (False, "invalid-request"),
    ]
    assert [sorted(answer) for answer in compact["answers"]] == [["allowed", "code"]] * 4
    full = await ask(client, "isToolAllowed", {"tools": ["github/delete_file", "a/b"], "detail": "full"})
    assert [answer["tool"] for answer in full["answers"]] == ["github/delete_file", "a/b"]
    assert full["policy"] == compact["policy"]
    refused = await ask(client, "isFileAllowed", {"paths": "a.pem"})
    assert verdict(refused) == (False, "invalid-request")


async def test_saved_files_answer_and_the_buffer_only_when_asked(
    client: LanguageClient, rules: Path, edit: Callable[[Path], Editor]
) -> None:
    editor = edit(rules)
    await editor.open("file_patterns:\n  exclude: ['*.txt']\n")
    for query, expected in (
        ({"path": "a.pem"}, (False, "excluded")),
        ({"path": "a.pem", "source": "saved"}, (False, "excluded")),
        ({"path": "a.pem", "source": "buffer"}, (True, "unrestricted")),
        ({"path": "a.txt"}, (True, "unrestricted")),
        ({"path": "a.txt", "source": "buffer"}, (False, "excluded")),
    ):
        assert verdict(await ask(client, "isFileAllowed", query)) == expected
    rules.write_text("file_patterns:\n  exclude: ['*.txt']\n")
    assert verdict(await ask(client, "isFileAllowed", {"path": "a.txt"})) == (False, "excluded")


async def test_folders_come_and_go(client: LanguageClient, project: Path, rules: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / ".coding-agent-rules.yaml").write_text("denied_tools: [Bash]\n")
    folder = types.WorkspaceFolder(uri=other.as_uri(), name="other")
    question = {"tool": "Bash"}
    assert verdict(await ask(client, "isToolAllowed", question)) == (True, "unrestricted")
    change_folders(client, added=[folder])
    assert verdict(await ask(client, "isToolAllowed", question)) == (False, "denied-tool")
    own = {**question, "root": project.as_uri()}
    assert verdict(await ask(client, "isToolAllowed", own)) == (True, "unrestricted")
    assert verdict(await ask(client, "isFileAllowed", str(other / "a.pem"))) == (True, "unrestricted")
    assert verdict(await ask(client, "isFileAllowed", "a.pem")) == (False, "excluded")
    change_folders(client, removed=[folder])
    assert verdict(await ask(client, "isToolAllowed", question)) == (True, "unrestricted")
    assert verdict(await ask(client, "isFileAllowed", str(other / "a.txt"))) == (False, "outside-root")
