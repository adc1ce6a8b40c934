"""From a name to where it is defined, to its other places, and to another name; what a click opens."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rules_lsp.features.check_page import title_of
from rules_lsp.features.links import Link, document_links
from rules_lsp.features.navigation import Place, definitions, highlights
from rules_lsp.features.navigation import references as references_of
from rules_lsp.features.renaming import FileEdits, renamable
from rules_lsp.features.renaming import rename as rename_of
from rules_lsp.lsp.convert import offset_of, range_of
from rules_lsp.lsp.language import viewed
from rules_lsp.lsp.previews import address_of
from rules_lsp.lsp.project_files import files_around
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.text import Encoding
from rules_lsp.source.uri import to_uri

RENAME_OPTIONS = types.RenameOptions(prepare_provider=True)
_REQUEST_FAILED = -32803
_START = types.Range(types.Position(0, 0), types.Position(0, 0))


def definition(server: RulesLanguageServer, params: types.DefinitionParams) -> list[types.Location] | None:
    """The server of a tool, the file or directory of a pattern, the rule file in force."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    view, encoding = found[1], server.state.encoding
    offset = offset_of(view.subject.text, params.position, encoding)
    return [_location(place, encoding) for place in definitions(view, files_around(server, view), offset)]


def references(server: RulesLanguageServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """Every place of a server or a tool in the project."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    view, encoding = found[1], server.state.encoding
    places = references_of(
        view,
        files_around(server, view),
        offset_of(view.subject.text, params.position, encoding),
        declarations=params.context.include_declaration,
    )
    return [_location(place, encoding) for place in places]


def document_highlight(
    server: RulesLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """The places of the document that name the same."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    view, encoding = found[1], server.state.encoding
    text = view.subject.text
    spans = highlights(view, files_around(server, view), offset_of(text, params.position, encoding))
    return [types.DocumentHighlight(range_of(text, span, encoding), types.DocumentHighlightKind.Text) for span in spans]


def prepare_rename(
    server: RulesLanguageServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """The name that can be changed at a place."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    view, encoding = found[1], server.state.encoding
    text = view.subject.text
    named = renamable(files_around(server, view), view.subject, offset_of(text, params.position, encoding))
    return None if named is None else types.PrepareRenamePlaceholder(range_of(text, named.span, encoding), named.name)


def rename(server: RulesLanguageServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Another name for a server or a tool everywhere. Raises JsonRpcException with the reason where it is refused."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    view, encoding = found[1], server.state.encoding
    offset = offset_of(view.subject.text, params.position, encoding)
    renaming = rename_of(files_around(server, view), view.subject, offset, params.new_name)
    if renaming.refusal:
        raise JsonRpcException(renaming.refusal, _REQUEST_FAILED)
    changed = {_uri(server, each.path): _text_edits(each, encoding) for each in renaming.files}
    if not server.state.flags.document_changes:
        return types.WorkspaceEdit(changes=changed)
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(_versioned(server, uri), edits) for uri, edits in changed.items()]
    )


def document_link(server: RulesLanguageServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The files, addresses and pages that a document names."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    text, encoding = found[1].subject.text, server.state.encoding
    links = ((link, _target(server, link)) for link in document_links(found[1]))
    return [
        types.DocumentLink(range_of(text, link.span, encoding), target, title_of(link.code) if link.code else None)
        for link, target in links
        if target is not None
    ]


def _target(server: RulesLanguageServer, link: Link) -> str | None:
    if link.path is not None:
        return to_uri(link.path)
    if link.code is None:
        return link.url
    known = server.state.flags.pages and title_of(link.code) is not None
    return address_of({"kind": "check", "code": link.code}) if known else None


def _location(place: Place, encoding: Encoding) -> types.Location:
    range_ = _START if place.text is None else range_of(place.text, place.span, encoding)
    return types.Location(to_uri(place.path), range_)


def _text_edits(edits: FileEdits, encoding: Encoding) -> list[types.TextEdit]:
    return [types.TextEdit(range_of(edits.text, edit.span, encoding), edit.replacement) for edit in edits.edits]


def _uri(server: RulesLanguageServer, path: str) -> str:
    """The address of a file as the client writes it where it is open."""
    opened = (document.uri for document in server.state.documents if document.path == path)
    return next(opened, to_uri(path))


def _versioned(server: RulesLanguageServer, uri: str) -> types.OptionalVersionedTextDocumentIdentifier:
    document = server.state.document(uri)
    return types.OptionalVersionedTextDocumentIdentifier(uri, None if document is None else document.version)
