"""Files and directories that the editor is about to rename: the patterns that name them go along."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from rules_lsp.checks.common.subject import Subject, subjects_in_force
from rules_lsp.features.path_moves import edits_for_move
from rules_lsp.lsp.convert import range_of
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Encoding, Text
from rules_lsp.source.uri import to_uri, usable_path
from rules_lsp.workspace.project import Project


def will_rename_files(server: RulesLanguageServer, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    """The edits of rule files by which their patterns go on naming what is renamed."""
    changes: dict[str, types.TextDocumentEdit] = {}
    for project in server.state.folders.projects:
        moves = [move for file in params.files if (move := _move(project, file)) is not None]
        for subject, uri, version in _governing(server, project) if moves else ():
            edits = _edits_of(subject, moves)
            if edits:
                identity = types.OptionalVersionedTextDocumentIdentifier(uri, version)
                changes[uri] = types.TextDocumentEdit(identity, _ranged(subject.text, edits, server.state.encoding))
    if not changes:
        return None
    if server.state.flags.document_changes:
        return types.WorkspaceEdit(document_changes=list(changes.values()))
    plain = {
        uri: [edit for edit in change.edits if isinstance(edit, types.TextEdit)] for uri, change in changes.items()
    }
    return types.WorkspaceEdit(changes=plain)


def _move(project: Project, file: types.FileRename) -> tuple[str, str] | None:
    """The old and the new root-relative path; None where it comes from outside of the project or leaves it."""
    old, new = usable_path(file.old_uri), usable_path(file.new_uri)
    if old is None or new is None:
        return None
    pair = project.root.relative(os.path.normpath(old)), project.root.relative(os.path.normpath(new))
    return (pair[0], pair[1]) if pair[0] and pair[1] else None


def _governing(server: RulesLanguageServer, project: Project) -> Iterator[tuple[Subject, str, int | None]]:
    """The rule file in force as it is open, else as it is saved, with its URI and version."""
    policy = project.policy()
    for subject in subjects_in_force(policy):
        path = subject.path or ""
        document = next((each for each in server.state.documents if _is_at(each.path, path)), None)
        view = server.state.view(document) if document is not None else None
        if document is not None and view is not None:
            yield view.subject, document.uri, document.version
        else:
            yield subject, to_uri(path), None


def _is_at(path: str | None, other: str) -> bool:
    return path is not None and os.path.realpath(path) == os.path.realpath(other)


def _edits_of(subject: Subject, moves: list[tuple[str, str]]) -> tuple[TextEdit, ...]:
    """The edits of all moves; of two that would change one entry the first counts."""
    edits: list[TextEdit] = []
    for old, new in moves:
        found = edits_for_move(subject, old, new)
        edits += [edit for edit in found if not any(_touch(edit, other) for other in edits)]
    return tuple(edits)


def _touch(one: TextEdit, other: TextEdit) -> bool:
    return one.span.start < other.span.end and other.span.start < one.span.end


def _ranged(
    text: Text, edits: tuple[TextEdit, ...], encoding: Encoding
) -> list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit]:
    return [types.TextEdit(range_of(text, edit.span, encoding), edit.replacement) for edit in edits]
