"""Code actions: convert in, ask the features, convert out. Each carries its edit, or has it made when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from rules_lsp.features import code_actions as features
from rules_lsp.features.code_actions import OfferedFix
from rules_lsp.features.converting import conversion
from rules_lsp.features.restricting import restrictions_at
from rules_lsp.features.view import View
from rules_lsp.lsp import neighbours
from rules_lsp.lsp.convert import diagnostic_of, span_of
from rules_lsp.lsp.language import viewed
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import OpenDocument, State
from rules_lsp.lsp.workspace_edits import edit_of, new_file, renamed_file
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span

OPTIONS = types.CodeActionOptions(code_action_kinds=list(features.KINDS), resolve_provider=True)
_WHOLE_FILE = "whole-file"


def code_action(server: RulesLanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What is offered for a selection."""
    asked = _Asked.of(server, params)
    return [] if asked is None else list(_offered(asked))


def resolve(server: RulesLanguageServer, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit, made for the document as it is now."""
    data: Any = action.data
    uri = data.get("uri") if isinstance(data, dict) else None
    found = viewed(server, uri) if isinstance(uri, str) else None
    made = _MADE_LATER.get(str(action.kind.value if isinstance(action.kind, types.CodeActionKind) else action.kind))
    if found is None or made is None or data.get("kind") != _WHOLE_FILE:
        return action
    edits = made(found[1])
    action.edit = _edit(server.state, *found, edits) if edits else None
    return action


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question for code actions: the document and what it says, the selection, and what is wanted."""

    state: State
    document: OpenDocument
    view: View
    selection: Span
    only: tuple[str, ...] | None
    automatic: bool

    @classmethod
    def of(cls, server: RulesLanguageServer, params: types.CodeActionParams) -> _Asked | None:
        """The question; None where there is no document of ours, or the client takes no actions with edits."""
        state = server.state
        found = viewed(server, params.text_document.uri)
        if found is None or not state.flags.code_action_literals:
            return None
        context = params.context
        only = None if context.only is None else tuple(_kind_text(kind) for kind in context.only)
        automatic = context.trigger_kind is types.CodeActionTriggerKind.Automatic
        selection = span_of(found[1].subject.text, params.range, state.encoding)
        return cls(state, *found, selection, only, automatic)

    def wants(self, kind: str) -> bool:
        """Whether a kind is asked for: itself, one above it, or all."""
        return self.only is None or any(each in ("", kind) or kind.startswith(f"{each}.") for each in self.only)

    def wants_source(self, kind: str) -> bool:
        """Whether work on the whole file is asked for: by its kind, or by a person who asks for all that there is."""
        return self.wants(kind) and not (self.only is None and self.automatic)


def _offered(asked: _Asked) -> Iterator[types.CodeAction]:
    if asked.wants(features.QUICK_FIX):
        renames = asked.state.flags.rename_files
        fixes = features.fixes_at(asked.view.diagnostics, asked.selection, renames=renames)
        yield from (_of_fix(asked, fix) for fix in fixes)
        placeholder = asked.state.flags.snippet_edits
        silences = features.silences_at(asked.view, asked.selection, placeholder=placeholder)
        yield from (_of_fix(asked, fix, features.REASON) for fix in silences)
    if asked.wants(features.REWRITE):
        yield from _restrictions(asked)
        yield from neighbours.actions(asked.state, asked.document, asked.view, asked.selection, features.REWRITE)
    if asked.wants(features.CONVERT):
        yield from _conversion(asked)
    if asked.wants_source(features.FIX_ALL) and features.is_repairable(asked.view):
        yield from _of_whole_file(asked, features.FIX_ALL, features.FIX_ALL_TITLE)
    if asked.wants_source(features.ORGANIZE) and features.in_order(asked.view):
        yield from _of_whole_file(asked, features.ORGANIZE, features.ORGANIZE_TITLE)


def _of_fix(asked: _Asked, offered: OfferedFix, placeholder: str | None = None) -> types.CodeAction:
    state, text = asked.state, asked.view.subject.text
    fix = offered.fix
    if fix.rename is not None:
        root = asked.view.saved.root
        edit = renamed_file(root.absolute(fix.rename[0]), root.absolute(fix.rename[1]))
    else:
        edit = edit_of(asked.document, text, fix.edits, state.encoding, state.flags, placeholder)
    return types.CodeAction(
        title=offered.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic_of(asked.document, text, offered.diagnostic, state.encoding, state.flags)],
        is_preferred=True if offered.preferred else None,
        edit=edit,
    )


def _restrictions(asked: _Asked) -> Iterator[types.CodeAction]:
    for found in restrictions_at(asked.view, asked.selection):
        edit = _edit(asked.state, asked.document, asked.view, found.edits)
        yield types.CodeAction(title=found.title, kind=features.REWRITE, edit=edit)


def _conversion(asked: _Asked) -> Iterator[types.CodeAction]:
    # Of the whole file it is offered where a file begins: elsewhere it would stand beside every fix.
    at_top = asked.view.subject.text.line_of(asked.selection.start) == 0
    if asked.state.flags.create_files and (asked.only is not None or (at_top and not asked.automatic)):
        other = conversion(asked.view)
        if other is not None:
            edit = new_file(other.path, other.text)
            yield types.CodeAction(title=other.title, kind=features.CONVERT, edit=edit)


def _of_whole_file(asked: _Asked, kind: features.Kind, title: str) -> Iterator[types.CodeAction]:
    if asked.state.flags.resolved_edits:
        yield types.CodeAction(title=title, kind=kind, data={"kind": _WHOLE_FILE, "uri": asked.document.uri})
        return
    edits = _MADE_LATER[kind](asked.view)
    if edits:
        yield types.CodeAction(title=title, kind=kind, edit=_edit(asked.state, asked.document, asked.view, edits))


def _edit(state: State, document: OpenDocument, view: View, edits: tuple[TextEdit, ...]) -> types.WorkspaceEdit:
    return edit_of(document, view.subject.text, edits, state.encoding, state.flags)


def _kind_text(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


_MADE_LATER: dict[str, Callable[[View], tuple[TextEdit, ...]]] = {
    features.FIX_ALL: features.all_fixed,
    features.ORGANIZE: features.in_order,
}
