"""How many files and tools a document's entries come to: code lenses, inlay hints, and the files behind a number."""

from __future__ import annotations

import os
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.features.code_lens import LENS_KINDS, Lens, LensKind, lens_at, lens_files, lens_text, lens_tools, lenses
from rules_lsp.features.inlay_hints import inlay_hints
from rules_lsp.features.overview import files_by_verdict
from rules_lsp.features.preview import view_in_force
from rules_lsp.features.view import View
from rules_lsp.lsp import neighbours
from rules_lsp.lsp.convert import offset_of, range_of, span_of
from rules_lsp.lsp.language import viewed
from rules_lsp.lsp.overviews import projects_asked
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.text import Span
from rules_lsp.source.uri import to_uri

SHOW_FILES = "rulesLsp.showFiles"
SHOW_TOOLS = "rulesLsp.showTools"
CODE_LENS_OPTIONS = types.CodeLensOptions(resolve_provider=True)
MOST_FILES = 10_000
_START = types.Range(types.Position(0, 0), types.Position(0, 0))


def code_lens(server: RulesLanguageServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The places of the lenses: what they say is counted when they are resolved."""
    uri = params.text_document.uri
    found = viewed(server, uri)
    if found is None or not server.state.settings_of(found[1].saved.root).code_lens:
        return []
    of_neighbour = neighbours.lenses(server.state, *found)
    if of_neighbour is not None:
        return of_neighbour
    text, encoding = found[1].subject.text, server.state.encoding
    return [types.CodeLens(range_of(text, lens.span, encoding), data=_data(uri, lens)) for lens in lenses(found[1])]


def resolve_code_lens(server: RulesLanguageServer, lens: types.CodeLens) -> types.CodeLens:
    """The lens with what it says; an empty text where its document says otherwise by now."""
    uri = neighbours.document_of(lens)
    if uri is not None:
        of_neighbour = viewed(server, uri)
        if of_neighbour is not None:
            return neighbours.resolved_lens(server.state, of_neighbour[1], lens)
    found = _asked(server, lens.data)
    told = lens_text(*found) if found is not None else None
    if told is None:
        return types.CodeLens(lens.range, types.Command("", ""), lens.data)
    command = SHOW_FILES if told.lists_files else SHOW_TOOLS if told.lists_tools else ""
    arguments = [lens.data] if command else None
    return types.CodeLens(lens.range, types.Command(told.title, command, arguments=arguments), lens.data)


def inlay_hint(server: RulesLanguageServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The numbers behind the patterns of a part of a document, where its user has turned them on."""
    found = viewed(server, params.text_document.uri)
    if found is None or not server.state.settings_of(found[1].saved.root).inlay_hints:
        return []
    text, encoding = found[1].subject.text, server.state.encoding
    return [
        types.InlayHint(range_of(text, Span(hint.offset, hint.offset), encoding).start, hint.label, padding_left=True)
        for hint in inlay_hints(found[1], span_of(text, params.range, encoding))
    ]


def show_files(server: RulesLanguageServer, *arguments: Any) -> list[types.Location]:
    """The files that a lens counts, those of what stands at a place, or those that may be written or may not.

    Takes the arguments of a code lens, `{"uri", "position"}`, or `{"folder", "writable"}`. Raises JsonRpcInvalidParams
    for other arguments.
    """
    asked = arguments[0] if len(arguments) == 1 else None
    if isinstance(asked, dict) and isinstance(asked.get("writable"), bool):
        return _of_folders(server, asked)
    found = _meant(server, asked, f'`{SHOW_FILES}` takes {{"uri", "position"}}, {{"folder", "writable"}} or a lens')
    if found is None:
        return []
    view, lens = found
    return _locations(view.saved.root.given, lens_files(view, lens))


def show_tools(server: RulesLanguageServer, *arguments: Any) -> list[dict[str, Any]]:
    """The known tools that a lens counts, or those of what stands at a place: `tool`, and whether it is `allowed`.

    Takes the arguments of a code lens or `{"uri", "position"}`. Raises JsonRpcInvalidParams for other arguments.
    """
    asked = arguments[0] if len(arguments) == 1 else None
    found = _meant(server, asked, f'`{SHOW_TOOLS}` takes {{"uri", "position"}} or a lens')
    return [] if found is None else [{"tool": each.name, "allowed": each.allowed} for each in lens_tools(*found)]


def _meant(server: RulesLanguageServer, asked: Any, refusal: str) -> tuple[View, Lens] | None:
    """The document and the place that a command asks about; None where there is none any more."""
    if not isinstance(asked, dict) or not isinstance(asked.get("uri"), str):
        raise JsonRpcInvalidParams(refusal)
    if "position" in asked:
        return _at_position(server, asked)
    if _lens_of(asked) is None:
        raise JsonRpcInvalidParams(refusal)
    return _asked(server, asked)


def _of_folders(server: RulesLanguageServer, asked: dict[str, Any]) -> list[types.Location]:
    found: list[types.Location] = []
    knowledge = server.state.knowledge
    for project in projects_asked(server, ({"folder": asked.get("folder")},), SHOW_FILES):
        root = project.root
        view = view_in_force(project.policy(), knowledge.files(root), knowledge.catalogue(root))
        found += _locations(root.given, files_by_verdict(view, writable=asked["writable"]))
    return found[:MOST_FILES]


def _locations(top: str, files: tuple[str, ...]) -> list[types.Location]:
    return [types.Location(to_uri(os.path.join(top, *path.split("/"))), _START) for path in files[:MOST_FILES]]


def _data(uri: str, lens: Lens) -> dict[str, Any]:
    return {"uri": uri, "kind": lens.kind, "start": lens.span.start, "end": lens.span.end}


def _asked(server: RulesLanguageServer, data: Any) -> tuple[View, Lens] | None:
    """The document of a lens as the client sent it back, and the lens."""
    lens = _lens_of(data)
    found = viewed(server, data["uri"]) if lens is not None else None
    return None if found is None or lens is None else (found[1], lens)


def _lens_of(data: Any) -> Lens | None:
    """The lens that some data describes with a `uri`; None where it is none of a lens."""
    if not isinstance(data, dict) or data.get("kind") not in LENS_KINDS or not isinstance(data.get("uri"), str):
        return None
    start, end = data.get("start"), data.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end:
        return None
    return Lens(cast(LensKind, data["kind"]), Span(start, end))


def _at_position(server: RulesLanguageServer, asked: dict[str, Any]) -> tuple[View, Lens] | None:
    found, position = viewed(server, asked["uri"]), asked["position"]
    line, character = (position.get(key) if isinstance(position, dict) else None for key in ("line", "character"))
    if not isinstance(line, int) or not isinstance(character, int):
        raise JsonRpcInvalidParams("a position has a `line` and a `character`")
    if found is None:
        return None
    offset = offset_of(found[1].subject.text, types.Position(line, character), server.state.encoding)
    return found[1], lens_at(found[1], offset)
