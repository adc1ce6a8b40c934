"""The files of projects that name tools, as the editor holds them where they are open."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.view import View
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.policy.policy import Policy


def files_around(server: RulesLanguageServer, view: View) -> ProjectFiles:
    """The files of the project that a document belongs to."""
    return _files(server, view.saved)


def files_of_folders(server: RulesLanguageServer) -> Iterator[ProjectFiles]:
    """The files of each open folder."""
    return (_files(server, project.policy()) for project in server.state.folders.projects)


def _files(server: RulesLanguageServer, policy: Policy) -> ProjectFiles:
    state = server.state
    views = (state.view(document) for document in state.documents)
    return ProjectFiles(policy, tuple(view.subject for view in views if view is not None and _of(view, policy)))


def _of(view: View, policy: Policy) -> bool:
    return view.saved.root == policy.root
