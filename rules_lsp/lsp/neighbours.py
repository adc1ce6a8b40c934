"""What the features of neighbours need of the server, and their answers as the client takes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from rules_lsp.features.neighbours import NeighbourLens, Outside, neighbour_features
from rules_lsp.features.view import View
from rules_lsp.lsp.convert import range_of
from rules_lsp.lsp.state import OpenDocument, State
from rules_lsp.lsp.workspace_edits import edit_of
from rules_lsp.source.text import Span

LENS = "neighbour"
"""The kind in the data of a neighbour's lens."""


def outside_of(state: State, view: View) -> Outside:
    """What is known beside a document; a feature that is taken away looks at no store."""
    settings = state.settings_of(view.saved.root)
    if view.subject.kind != "prompter" or not settings.auto_prompter_available:
        return Outside(settings.auto_prompter_available)
    return Outside(store=store_of(settings.auto_prompter_store))


def store_of(setting: str | None) -> str:
    """The store that the settings name, else the user's."""
    if setting is not None:
        return os.path.abspath(setting)
    from rules_lsp.prompter.places import default_store

    return default_store()


def is_hidden(state: State, view: View) -> bool:
    """Whether a document's feature is taken away: its diagnostics stay, what helps to write it does not."""
    available = state.settings_of(view.saved.root).auto_prompter_available
    return view.subject.kind == "prompter" and not available


def lenses(state: State, document: OpenDocument, view: View) -> list[types.CodeLens] | None:
    """The lenses of a neighbour; None for a document that is none."""
    if view.subject.neighbour is None:
        return None
    of_kind = neighbour_features(view.subject.kind).lenses
    if of_kind is None or is_hidden(state, view):
        return []
    text = view.subject.text
    return [_lens(range_of(text, lens.span, state.encoding), document.uri, lens) for lens in of_kind(view)]


def resolved_lens(state: State, view: View, lens: types.CodeLens) -> types.CodeLens:
    """A lens of a neighbour with its title; an empty one where its document says otherwise by now."""
    data: Any = lens.data
    resolve = neighbour_features(view.subject.kind).resolve_lens
    key = data.get("key")
    if resolve is not None and isinstance(key, str) and not is_hidden(state, view):
        told = resolve(view, NeighbourLens(Span(0, 0), key), outside_of(state, view))
        if told is not None and told.title is not None:
            return types.CodeLens(lens.range, _command(told), lens.data)
    return types.CodeLens(lens.range, types.Command("", ""), lens.data)


def document_of(lens: types.CodeLens) -> str | None:
    """The document of a neighbour's lens; None for every other lens."""
    data: Any = lens.data
    uri = data.get("uri") if isinstance(data, dict) and data.get("kind") == LENS else None
    return uri if isinstance(uri, str) else None


def actions(state: State, document: OpenDocument, view: View, selection: Span, kind: str) -> Iterator[types.CodeAction]:
    """What a neighbour offers for a selection, as actions of a kind."""
    of_kind = neighbour_features(view.subject.kind).actions
    if of_kind is None or is_hidden(state, view):
        return
    for found in of_kind(view, selection):
        edit = edit_of(document, view.subject.text, found.edits, state.encoding, state.flags)
        yield types.CodeAction(title=found.title, kind=kind, edit=edit)


def _lens(place: types.Range, uri: str, lens: NeighbourLens) -> types.CodeLens:
    command = _command(lens) if lens.title is not None else None
    return types.CodeLens(place, command, data={"uri": uri, "kind": LENS, "key": lens.key})


def _command(lens: NeighbourLens) -> types.Command:
    return types.Command(lens.title or "", lens.command, arguments=list(lens.arguments) if lens.command else None)
