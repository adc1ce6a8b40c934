"""What the server knows: the client, the open folders, the open documents and what was made of each version."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from lsprotocol import types
from pygls.capabilities import get_capability

from rules_lsp.checks.settings import NO_SETTINGS, CheckSettings
from rules_lsp.checks.subject import ALL_DENIED, FileKind, Subject
from rules_lsp.features.view import View
from rules_lsp.policy.config import DEFAULT_RULE_FILES, Config
from rules_lsp.policy.policy import CONFIG_NAME, Policy, kind_of_rule_file
from rules_lsp.source.text import Encoding, Text
from rules_lsp.source.uri import from_uri
from rules_lsp.workspace.folders import Folders
from rules_lsp.workspace.project import Project


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """One version of a document that the editor holds. `path` is None where it is no file of this machine."""

    uri: str
    path: str | None
    version: int
    text: Text


@dataclass(frozen=True, slots=True)
class ClientFlags:
    """What the client can take, reduced to what this server asks about."""

    document_changes: bool = False
    related_information: bool = False
    markdown_hover: bool = False
    code_action_literals: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> ClientFlags:
        """The flags of a client."""
        hover_formats = get_capability(capabilities, "text_document.hover.content_format") or ()
        return cls(
            document_changes=bool(get_capability(capabilities, "workspace.workspace_edit.document_changes")),
            related_information=bool(
                get_capability(capabilities, "text_document.publish_diagnostics.related_information")
            ),
            markdown_hover=types.MarkupKind.Markdown in hover_formats,
            code_action_literals=bool(
                get_capability(capabilities, "text_document.code_action.code_action_literal_support")
            ),
        )


class State:
    """The event loop owns it; nothing else changes it."""

    def __init__(
        self, config: str | None = None, *, fold_case: bool | None = None, settings: CheckSettings = NO_SETTINGS
    ) -> None:
        self.encoding: Encoding = "utf-16"
        self.flags = ClientFlags()
        self.folders = Folders(config, fold_case=fold_case)
        self._operator_config = config
        self._settings = settings
        self._documents: dict[str, OpenDocument] = {}
        self._views: dict[str, tuple[OpenDocument, View]] = {}
        self._loose_projects: dict[str, Project] = {}

    @property
    def documents(self) -> tuple[OpenDocument, ...]:
        """The open documents in the order in which they were opened."""
        return tuple(self._documents.values())

    def document(self, uri: str) -> OpenDocument | None:
        """The open document of a URI."""
        return self._documents.get(uri)

    def put(self, uri: str, version: int, text: Text) -> OpenDocument:
        """Open a document, or replace it by a new version."""
        document = OpenDocument(uri, from_uri(uri), version, text)
        self._documents[uri] = document
        return document

    def remove(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._documents.pop(uri, None)
        self._views.pop(uri, None)

    def buffers(self) -> dict[str, str]:
        """The text of every open file by its path."""
        return {document.path: document.text.content for document in self.documents if document.path is not None}

    def view(self, document: OpenDocument) -> View | None:
        """What a document says, read once a version; None where it is no rule file and no configuration of ours."""
        place = self._place(document)
        if place is None:
            self._views.pop(document.uri, None)
            return None
        saved = place.project.policy()
        cached = self._views.get(document.uri)
        if cached is not None and cached[0] is document:
            view = cached[1]
            if view.saved is saved:
                return view
            if view.saved.known_servers == saved.known_servers and view.subject.name == place.name:
                return self._keep(document, self._seen(view.subject, saved))
        subject = Subject.of_text(
            place.name,
            document.text,
            path=document.path,
            kind=place.kind,
            root=saved.root,
            known_servers=saved.known_servers,
            operator=place.operator,
        )
        if isinstance(subject.reading, Config) and subject.reading.path is None:
            return None
        return self._keep(document, self._seen(subject, saved))

    def _seen(self, subject: Subject, saved: Policy) -> View:
        meanwhile = ALL_DENIED if saved.config.on_error == "deny" else subject.meanwhile
        return View(replace(subject, meanwhile=meanwhile).surrounded(saved), saved, self._settings)

    def _keep(self, document: OpenDocument, view: View) -> View:
        self._views[document.uri] = (document, view)
        return view

    def _place(self, document: OpenDocument) -> _Place | None:
        """What a document is to which project."""
        if document.path is None:
            return None
        path = os.path.normpath(document.path)
        project = self.folders.innermost(path)
        if self._operator_config is not None and os.path.realpath(path) == os.path.realpath(self._operator_config):
            return _Place(project or self._loose_project(os.path.dirname(path)), path, "config", operator=True)
        if project is not None:
            relative = project.root.relative(path) or ""
            if relative == CONFIG_NAME:
                return _Place(project, relative, "config")
            if relative in {entry.name for entry in project.policy().config.rule_files}:
                return _Place(project, relative, kind_of_rule_file(relative))
        return self._loose_place(path)

    def _loose_place(self, path: str) -> _Place | None:
        """A file with a default name that no open folder takes for its own belongs to a project of its own."""
        posix = path.replace(os.sep, "/")
        for name in DEFAULT_RULE_FILES:
            if posix.endswith(f"/{name}"):
                top = path[: -len(name)] or os.sep
                return _Place(self._loose_project(top), name, kind_of_rule_file(name))
        return None

    def _loose_project(self, directory: str) -> Project:
        given = os.path.abspath(directory)
        return self._loose_projects.setdefault(given, self.folders.project_at(given))


@dataclass(frozen=True, slots=True)
class _Place:
    """`name` is root-relative, for an operator's configuration its path."""

    project: Project
    name: str
    kind: FileKind
    operator: bool = False
