"""Open documents, and the diagnostics that follow every change of them."""

from __future__ import annotations

import logging

from lsprotocol import types

from rules_lsp.lsp.convert import changed_text
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import OpenDocument
from rules_lsp.source.text import Text

logger = logging.getLogger(__name__)


def did_open(server: RulesLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take a document and show what is wrong in it."""
    item = params.text_document
    document = server.state.put(item.uri, item.version, Text(item.text))
    _show(server, document)
    server.file_statuses.opened(document)
    server.rule_changes.opened(document)


def did_change(server: RulesLanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Take the next version of a document and show what is wrong in it."""
    identity = params.text_document
    document = server.state.document(identity.uri)
    if document is None:
        logger.warning("a change of %s, which is not open, was passed over", identity.uri)
        return
    text = changed_text(document.text, params.content_changes, server.state.encoding)
    _show(server, server.state.put(identity.uri, identity.version, text))


def did_save(server: RulesLanguageServer, params: types.DidSaveTextDocumentParams) -> None:
    """Show what a saved file changes for the others, and record what it changes in the rules of Auto Prompter.

    It can change what every other means: as a configuration, a server file, by its rank or by being there.
    """
    server.rule_changes.saved(params.text_document.uri)
    for directory in server.state.knowledge.inventories():
        server.scans.changed(directory)
    server.refresh()


def did_close(server: RulesLanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document and clear what was shown of it."""
    uri = params.text_document.uri
    for directory in server.state.remove(uri):
        server.scans.forget(directory)
    server.file_statuses.closed(uri)
    server.rule_changes.closed(uri)
    server.diagnoser.clear(uri, shown=not server.state.flags.pull_diagnostics)


def _show(server: RulesLanguageServer, document: OpenDocument) -> None:
    """Send the diagnostics of a version of a document, unless the client asks for them itself."""
    view = server.view(document)
    if not server.state.flags.pull_diagnostics:
        server.diagnoser.publish(document, view)
    server.refreshing.tell_policies()
