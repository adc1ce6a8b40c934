"""What happens to files outside of the editor's documents, told by the client."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lsprotocol import types

from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.uri import usable_path

_COMES_OR_GOES = types.WatchKind.Create.value | types.WatchKind.Delete.value

WATCHERS: tuple[types.FileSystemWatcher, ...] = (
    types.FileSystemWatcher("**/*", _COMES_OR_GOES),
    types.FileSystemWatcher("**/*.{yaml,yml,md,markdown,json,jsonc,toml}", types.WatchKind.Change),
)
"""Every file for its being there, and the content of those that can be rules, configurations or server files."""


def did_change_watched_files(server: RulesLanguageServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Take in that files came, went or changed on the disk."""
    moved = (change.uri for change in params.changes if change.type != types.FileChangeType.Changed)
    _changed(server, moved)


def did_create_files(server: RulesLanguageServer, params: types.CreateFilesParams) -> None:
    """Take in that the editor created files or directories."""
    _changed(server, (file.uri for file in params.files))


def did_rename_files(server: RulesLanguageServer, params: types.RenameFilesParams) -> None:
    """Take in that the editor renamed files or directories."""
    _changed(server, (uri for file in params.files for uri in (file.old_uri, file.new_uri)))


def did_delete_files(server: RulesLanguageServer, params: types.DeleteFilesParams) -> None:
    """Take in that the editor deleted files or directories."""
    _changed(server, (file.uri for file in params.files))


def _changed(server: RulesLanguageServer, moved: Iterable[str]) -> None:
    paths = [path for uri in moved if (path := usable_path(uri)) is not None]
    for project in server.state.projects():
        suspects: set[str] = set()
        for path in paths:
            relative = project.root.relative(os.path.normpath(path))
            if relative:
                suspects.update((relative, relative.rpartition("/")[0]))
        if suspects:
            server.scans.changed(project.root.real, suspects)
    server.refresh()
