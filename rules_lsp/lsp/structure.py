"""The parts of documents: outlines, the search over all rule files, folds, and what a growing selection takes in."""

from __future__ import annotations

from lsprotocol import types

from rules_lsp.features.folding import folds
from rules_lsp.features.selection import selection_spans
from rules_lsp.features.symbols import Symbol, SymbolKind, document_symbols
from rules_lsp.features.workspace_symbols import workspace_symbols
from rules_lsp.lsp.convert import offset_of, range_of
from rules_lsp.lsp.language import viewed
from rules_lsp.lsp.project_files import files_of_folders
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.text import Encoding, Span, Text
from rules_lsp.source.uri import to_uri

_KINDS: dict[SymbolKind, types.SymbolKind] = {
    "key": types.SymbolKind.Key,
    "section": types.SymbolKind.Namespace,
    "tool": types.SymbolKind.Function,
    "pattern": types.SymbolKind.File,
    "value": types.SymbolKind.String,
    "rule": types.SymbolKind.Event,
}
_FOLD_KINDS = {"region": types.FoldingRangeKind.Region, "comment": types.FoldingRangeKind.Comment}


def document_symbol(
    server: RulesLanguageServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """The outline of a document, as a tree where the client shows one."""
    uri = params.text_document.uri
    found = viewed(server, uri)
    if found is None:
        return None
    text, encoding = found[1].subject.text, server.state.encoding
    symbols = document_symbols(found[1].subject)
    if server.state.flags.symbol_trees:
        return [_tree(text, symbol, encoding) for symbol in symbols]
    return [found for symbol in symbols for found in _flat(uri, text, symbol, None, encoding)]


def workspace_symbol(server: RulesLanguageServer, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """The tools and patterns of the rule files of all open folders."""
    encoding = server.state.encoding
    subjects = [subject for files in files_of_folders(server) for subject in files.rule_files]
    return [
        types.SymbolInformation(
            location=types.Location(to_uri(found.path), range_of(found.text, found.span, encoding)),
            name=found.name,
            kind=_KINDS[found.kind],
            container_name=found.container,
        )
        for found in workspace_symbols(subjects, params.query)
    ]


def folding_range(server: RulesLanguageServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """The parts of a document that can be folded, whole lines."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    return [types.FoldingRange(fold.first, fold.last, kind=_FOLD_KINDS[fold.kind]) for fold in folds(found[1].subject)]


def selection_range(
    server: RulesLanguageServer, params: types.SelectionRangeParams
) -> list[types.SelectionRange] | None:
    """For each position what a growing selection takes in."""
    found = viewed(server, params.text_document.uri)
    if found is None:
        return None
    text, encoding = found[1].subject.text, server.state.encoding
    offsets = [offset_of(text, position, encoding) for position in params.positions]
    return [_nested(text, selection_spans(found[1].subject, offset), encoding) for offset in offsets]


def _nested(text: Text, spans: tuple[Span, ...], encoding: Encoding) -> types.SelectionRange:
    outer: types.SelectionRange | None = None
    for span in reversed(spans):
        outer = types.SelectionRange(range_of(text, span, encoding), outer)
    assert outer is not None
    return outer


def _tree(text: Text, symbol: Symbol, encoding: Encoding) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=range_of(text, symbol.span, encoding),
        selection_range=range_of(text, symbol.selection, encoding),
        detail=symbol.detail or None,
        children=[_tree(text, child, encoding) for child in symbol.children] or None,
    )


def _flat(
    uri: str, text: Text, symbol: Symbol, container: str | None, encoding: Encoding
) -> list[types.SymbolInformation]:
    location = types.Location(uri, range_of(text, symbol.span, encoding))
    own = types.SymbolInformation(location, symbol.name, _KINDS[symbol.kind], container_name=container)
    return [own, *(each for child in symbol.children for each in _flat(uri, text, child, symbol.name, encoding))]
