"""The servers of a project with all that is known of their tools: by their software, and by what they said."""

from __future__ import annotations

from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.live.learnt import NOTHING_LEARNT, LearntServers, read_learnt
from rules_lsp.workspace.server_files import ServerFile, read_server_files


def known_catalogue(root: str) -> Catalogue:
    """The catalogue of the saved files of the project at a real path."""
    files = read_server_files(root)
    return Catalogue.of_files(files, learnt_for(root, files))


def learnt_for(root: str, files: tuple[ServerFile, ...]) -> LearntServers:
    """What the servers of a project said. Without a server nothing is looked for."""
    return read_learnt(root) if any(file.servers for file in files) else NOTHING_LEARNT
