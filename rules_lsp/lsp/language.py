"""What the editor asks about a place in a document: convert in, ask the view, convert out."""

from __future__ import annotations

from lsprotocol import types

from rules_lsp.features.hover import hover as hover_at
from rules_lsp.features.view import View
from rules_lsp.lsp.convert import hover_of, offset_of
from rules_lsp.lsp.neighbours import outside_of
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import OpenDocument


def hover(server: RulesLanguageServer, params: types.HoverParams) -> types.Hover | None:
    """What stands under the cursor."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    _, view = found
    state, text = server.state, view.subject.text
    shown = hover_at(view, offset_of(text, params.position, state.encoding), outside_of(state, view))
    return None if shown is None else hover_of(text, shown, state.encoding, state.flags)


def viewed(server: RulesLanguageServer, uri: str) -> tuple[OpenDocument, View] | None:
    """An open document and what it says; None where it is not open or none of ours."""
    document = server.state.document(uri)
    view = server.view(document) if document is not None else None
    return None if document is None or view is None else (document, view)
