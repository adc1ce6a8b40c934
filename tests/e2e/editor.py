"""What an editor does with a document: it opens, edits and closes it, and waits for what the server says to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pytest_lsp import LanguageClient

from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Encoding, Position, Range, Text

Place = tuple[int, int, int, int]
Finding = tuple[str, Place]


class Editor:
    """One document in one client. `version` counts its changes."""

    def __init__(self, client: LanguageClient, path: Path, encoding: str) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.version = 0
        self.encoding: Encoding = "utf-8" if encoding == "utf-8" else "utf-16"

    @property
    def identity(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    async def open(self, text: str, language: str = "yaml") -> list[Finding]:
        """Open the document with a text; what is found in it."""
        item = types.TextDocumentItem(self.uri, language, self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        found = await self.findings()
        await self.settled()
        return found

    async def settled(self) -> None:
        """Wait until the server has listed the files of its projects."""
        params = types.ExecuteCommandParams("rulesLsp.serverState", [{"settled": True}])
        await self.client.workspace_execute_command_async(params)

    async def replace(self, text: str) -> list[Finding]:
        """Send a whole new text."""
        return await self.change([types.TextDocumentContentChangeWholeDocument(text)])

    async def edit(self, place: Place, text: str) -> list[Finding]:
        """Replace a place by a text."""
        return await self.change([types.TextDocumentContentChangePartial(range_at(place), text)])

    async def change(self, changes: Sequence[types.TextDocumentContentChangeEvent]) -> list[Finding]:
        """Send the changes of one keystroke."""
        self.version += 1
        identity = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identity, list(changes)))
        return await self.findings()

    async def close(self) -> list[Finding]:
        """Close the document."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.identity))
        return await self.findings(None)

    async def findings(self, version: int | None = -1) -> list[Finding]:
        """The codes and places of the next diagnostics, which must be those of the document's version."""
        shown = await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        assert shown.uri == self.uri
        assert shown.version == (self.version if version == -1 else version)
        return [(str(found.code), place_of(found.range)) for found in shown.diagnostics]

    async def hover(self, line: int, character: int) -> tuple[str, Place] | None:
        """The text and the place of a hover."""
        shown = await self.client.text_document_hover_async(
            types.HoverParams(self.identity, types.Position(line, character))
        )
        if shown is None:
            return None
        assert isinstance(shown.contents, types.MarkupContent)
        assert shown.range is not None
        return shown.contents.value, place_of(shown.range)

    async def actions(self, place: Place, only: list[str] | None = None) -> list[types.CodeAction]:
        """The code actions of a place."""
        context = types.CodeActionContext([], only=only)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(self.identity, range_at(place), context)
        )
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    def applied(self, text: str, action: types.CodeAction) -> str:
        """A text after an action, whose edit must be for the document's version."""
        assert action.edit is not None
        assert action.edit.document_changes is not None
        (change,) = action.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (self.uri, self.version)
        held = Text(text)
        edits = []
        for edit in change.edits:
            assert isinstance(edit, types.TextEdit)
            start, end = edit.range.start, edit.range.end
            range_ = Range(Position(start.line, start.character), Position(end.line, end.character))
            edits.append(TextEdit(held.span(range_, self.encoding), edit.new_text))
        return apply_edits(text, edits)


def range_at(place: Place) -> types.Range:
    return types.Range(types.Position(place[0], place[1]), types.Position(place[2], place[3]))


def place_of(range_: types.Range) -> Place:
    return range_.start.line, range_.start.character, range_.end.line, range_.end.character


def change_folders(
    client: LanguageClient,
    *,
    added: Sequence[types.WorkspaceFolder] = (),
    removed: Sequence[types.WorkspaceFolder] = (),
) -> None:
    """Open and close folders."""
    event = types.WorkspaceFoldersChangeEvent(added=list(added), removed=list(removed))
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
