"""What the checks know of a project in the editor: its servers and its files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Client

RULES = """denied_tools: [gihub/delete_file]
file_patterns:
  include:
    - compnents/**
    - keys/**
"""


@pytest.fixture
def session() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


def codes(parameters: Any) -> list[tuple[str, int]]:
    return [(found["code"], found["range"]["start"]["line"]) for found in parameters["diagnostics"]]


def published(client: Client, wanted: list[tuple[str, int]]) -> None:
    """Wait until these are the diagnostics that are shown."""
    while codes(client.notification("textDocument/publishDiagnostics")) != wanted:
        pass


def project(directory: Path) -> Path:
    for name in ("components/a.ts", "keys/a.pem", ".env"):
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    (directory / ".mcp.json").write_text(json.dumps({"mcpServers": {"github": {"command": "x"}}}))
    return directory / ".coding-agent-rules.yaml"


def opened(client: Client, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})


def test_checks_know_the_servers_at_once_and_the_files_soon(session: Client, tmp_path: Path) -> None:
    session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    opened(session, project(tmp_path), RULES)
    assert codes(session.notification("textDocument/publishDiagnostics")) == [("unknown-server", 0)]
    published(session, [("unknown-server", 0), ("secret-exposed", 2), ("matches-nothing", 3)])


def test_a_rule_file_outside_of_every_folder_knows_its_files_too(session: Client, tmp_path: Path) -> None:
    session.initialize()
    opened(session, project(tmp_path), RULES)
    published(session, [("unknown-server", 0), ("secret-exposed", 2), ("matches-nothing", 3)])


def test_a_file_that_comes_is_noticed_when_the_document_is_saved(session: Client, tmp_path: Path) -> None:
    session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    path = project(tmp_path)
    opened(session, path, "file_patterns: {include: [compnents/**]}\n")
    published(session, [("matches-nothing", 0)])
    (tmp_path / "compnents").mkdir()
    (tmp_path / "compnents" / "b.ts").write_text("x")
    session.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    published(session, [])


def test_a_server_file_and_a_file_that_nobody_reads_are_checked(session: Client, tmp_path: Path) -> None:
    session.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    opened(session, tmp_path / ".mcp.json", '{"mcpServers": {')
    assert codes(session.notification("textDocument/publishDiagnostics")) == [("server-file", 0)]
    opened(session, tmp_path / ".coding-agent-rules.yml", "deny_tools: [a]\n")
    assert codes(session.notification("textDocument/publishDiagnostics")) == [("unread-rule-file", 0)]
    opened(session, tmp_path / "AGENTS.md", "## Denied Tools\n\n- `Bash`\n")
    assert codes(session.notification("textDocument/publishDiagnostics")) == [("unread-rule-file", 0)]
    opened(session, tmp_path / "web" / "AGENTS.md", "## Build\n\n- `npm test`\n")
    assert codes(session.notification("textDocument/publishDiagnostics")) == []
    opened(session, tmp_path / "package.json", "{")
    assert codes(session.notification("textDocument/publishDiagnostics")) == []
