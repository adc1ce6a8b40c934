"""What the editor asks about a place in a document: convert in, ask the view, convert out."""

from __future__ import annotations

from lsprotocol import types

from rules_lsp.features.code_actions import fixes_at
from rules_lsp.features.hover import hover as hover_at
from rules_lsp.features.view import View
from rules_lsp.lsp.convert import code_action_of, hover_of, offset_of, span_of
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import OpenDocument


def hover(server: RulesLanguageServer, params: types.HoverParams) -> types.Hover | None:
    """What stands under the cursor."""
    found = _viewed(server, params.text_document.uri)
    if found is None:
        return None
    _, view = found
    state, text = server.state, view.subject.text
    shown = hover_at(view, offset_of(text, params.position, state.encoding))
    return None if shown is None else hover_of(text, shown, state.encoding, state.flags)


def code_action(server: RulesLanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes of a selection."""
    found = _viewed(server, params.text_document.uri)
    state = server.state
    if found is None or not state.flags.code_action_literals or not _wants_quick_fixes(params.context):
        return []
    document, view = found
    text = view.subject.text
    offered = fixes_at(view.diagnostics, span_of(text, params.range, state.encoding))
    return [code_action_of(document, text, fix, state.encoding, state.flags) for fix in offered]


def _wants_quick_fixes(context: types.CodeActionContext) -> bool:
    return context.only is None or types.CodeActionKind.QuickFix in context.only or "" in context.only


def _viewed(server: RulesLanguageServer, uri: str) -> tuple[OpenDocument, View] | None:
    document = server.state.document(uri)
    view = server.state.view(document) if document is not None else None
    return None if document is None or view is None else (document, view)
