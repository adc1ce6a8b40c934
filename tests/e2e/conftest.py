"""A real client and a server process over its standard streams, once for each position encoding."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.e2e.editor import Editor, change_folders

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
CONFIGURATION = ClientServerConfig(
    server_command=[sys.executable, "-m", "rules_lsp", "serve", "--stdio"],
    server_env={**ENVIRONMENT, "PYTHONPATH": str(PROJECT), "RULES_LSP_STRICT": "1"},
)


def capabilities(*encodings: str) -> types.ClientCapabilities:
    """What a full-grown client can take."""
    hover = types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown])
    literals = types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix]))
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings) or None),
        text_document=types.TextDocumentClientCapabilities(
            hover=hover,
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True
            ),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=literals, is_preferred_support=True
            ),
        ),
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True), workspace_folders=True
        ),
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder that the client has open."""
    folder = tmp_path / "app"
    folder.mkdir()
    return folder


@pytest_lsp.fixture(config=CONFIGURATION, params=["utf-16", "utf-8"], scope="module")  # type: ignore[untyped-decorator]
async def connection(lsp_client: LanguageClient, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """One server for all tests of a module and one encoding."""
    result = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities(request.param), workspace_folders=[])
    )
    assert result.capabilities.position_encoding == request.param
    yield
    await lsp_client.shutdown_session()


@pytest_asyncio.fixture(loop_scope="module")
async def client(connection: LanguageClient, project: Path) -> AsyncIterator[LanguageClient]:
    """The client with the project as its only folder; nothing may be complained of while a test runs."""
    folder = types.WorkspaceFolder(uri=project.as_uri(), name=project.name)
    change_folders(connection, added=[folder])
    yield connection
    change_folders(connection, removed=[folder])
    assert connection.log_messages == []
    assert connection.messages == []


@pytest_asyncio.fixture(loop_scope="module")
async def edit(client: LanguageClient, encoding: str) -> AsyncIterator[Callable[[Path], Editor]]:
    """Makes the editor of a path; its document is closed after the test."""
    made: list[Editor] = []

    def editor_of(path: Path) -> Editor:
        made.append(Editor(client, path, encoding))
        return made[-1]

    yield editor_of
    for editor in made:
        client.text_document_did_close(types.DidCloseTextDocumentParams(editor.identity))
        # An answer comes behind what was sent before it: the next test starts with nothing on its way.
        assert await editor.hover(0, 0) is None


@pytest.fixture
def encoding(request: pytest.FixtureRequest) -> str:
    """The encoding of the client in use."""
    parameter: str = request.node.callspec.params["connection"]
    return parameter
