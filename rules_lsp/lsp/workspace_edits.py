"""Edits of documents and files as the protocol carries them, no more of them than the client can make."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from rules_lsp.lsp.convert import range_of
from rules_lsp.lsp.flags import ClientFlags
from rules_lsp.lsp.state import OpenDocument
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Encoding, Text
from rules_lsp.source.uri import to_uri

_SNIPPET_SIGNS = re.compile(r"[\\$}]")
_START = types.Range(types.Position(0, 0), types.Position(0, 0))
AnyEdit = types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit


def edit_of(
    document: OpenDocument,
    text: Text,
    edits: Sequence[TextEdit],
    encoding: Encoding,
    flags: ClientFlags,
    placeholder: str | None = None,
) -> types.WorkspaceEdit:
    """Edits of one version of a document; `text` is what their spans count in.

    The last `placeholder` in what they write is one to be typed over where the client takes snippets.
    """
    if not flags.document_changes:
        plain = [types.TextEdit(range_of(text, edit.span, encoding), edit.replacement) for edit in edits]
        return types.WorkspaceEdit(changes={document.uri: plain})
    snippets = placeholder if flags.snippet_edits else None
    changes = [_edit(text, edit, encoding, snippets) for edit in edits]
    versioned = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, changes)])


def new_file(path: str, content: str) -> types.WorkspaceEdit:
    """A file that is made and must not exist yet."""
    uri = to_uri(path)
    identity = types.OptionalVersionedTextDocumentIdentifier(uri, None)
    made = types.CreateFile(uri, options=types.CreateFileOptions(overwrite=False, ignore_if_exists=False))
    return types.WorkspaceEdit(
        document_changes=[made, types.TextDocumentEdit(identity, [types.TextEdit(_START, content)])]
    )


def renamed_file(old: str, new: str) -> types.WorkspaceEdit:
    """A file under another name, which must not exist yet."""
    options = types.RenameFileOptions(overwrite=False, ignore_if_exists=False)
    return types.WorkspaceEdit(document_changes=[types.RenameFile(to_uri(old), to_uri(new), options=options)])


def _edit(text: Text, edit: TextEdit, encoding: Encoding, placeholder: str | None) -> AnyEdit:
    place = range_of(text, edit.span, encoding)
    before, found, behind = edit.replacement.rpartition(placeholder) if placeholder else ("", "", "")
    if not found:
        return types.TextEdit(place, edit.replacement)
    snippet = f"{_literal(before)}${{1:{_literal(found)}}}{_literal(behind)}"
    return types.SnippetTextEdit(place, types.StringValue(snippet))


def _literal(text: str) -> str:
    return _SNIPPET_SIGNS.sub(r"\\\g<0>", text)
