"""What the server knows: the client, the open folders, the open documents and what was made of each version."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.checks.common.kinds import NEIGHBOUR_NAMES, FileKind, kind_of_file, neighbour_kind
from rules_lsp.checks.common.other_files import canonical_name
from rules_lsp.checks.common.subject import ALL_DENIED, Subject
from rules_lsp.features.view import View
from rules_lsp.lsp.flags import ClientFlags as ClientFlags
from rules_lsp.lsp.knowledge import Knowledge
from rules_lsp.lsp.saved import Saved, SavedFiles
from rules_lsp.lsp.sent_tokens import SentTokens
from rules_lsp.lsp.settings import FolderSettings
from rules_lsp.policy.config import DEFAULT_RULE_FILES, Config
from rules_lsp.policy.load import NOT_IN_FORCE
from rules_lsp.policy.policy import CONFIG_NAME, Policy, kind_of_rule_file
from rules_lsp.policy.roots import Root
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Encoding, Text
from rules_lsp.source.uri import usable_path
from rules_lsp.workspace.folders import Folders
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.servers import SERVER_FILES


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """One version of a document that the editor holds. `path` is None where it is no file of this machine."""

    uri: str
    path: str | None
    version: int
    text: Text


class State:
    """The event loop owns it; nothing else changes it."""

    def __init__(
        self,
        config: str | None = None,
        *,
        fold_case: bool | None = None,
        settings: FolderSettings | None = None,
    ) -> None:
        """`config` and `fold_case` are the command line's: they hold whatever the `settings` say."""
        self.encoding: Encoding = "utf-16"
        self.flags = ClientFlags()
        self.settings = settings or FolderSettings()
        self.knowledge = Knowledge()
        self._saved = SavedFiles(self.knowledge.catalogue)
        self.sent_tokens = SentTokens()
        self._config = config
        self._fold_case = fold_case
        self._folder_settings: dict[str, FolderSettings] = {}
        self.folders = Folders(self._config_of(self.settings), fold_case=self._fold_case_of(self.settings))
        self._documents: dict[str, OpenDocument] = {}
        self._views: dict[str, tuple[OpenDocument, View]] = {}
        self._loose_projects: dict[str, Project] = {}

    def configure(self, directory: str, settings: FolderSettings) -> None:
        """Take the settings of the open folder at an absolute path."""
        self._folder_settings[directory] = settings
        self.folders.configure(directory, self._config_of(settings), fold_case=self._fold_case_of(settings))

    def settings_of(self, root: Root) -> FolderSettings:
        """The settings of a folder, else those of the workspace."""
        return self._folder_settings.get(root.given, self.settings)

    def close_folder(self, directory: str) -> None:
        """Close the folder at an absolute path and forget what was known of it."""
        self.folders.close(directory)
        self._folder_settings.pop(os.path.abspath(directory), None)
        self._saved.forget(os.path.abspath(directory))
        self.knowledge.forget(os.path.realpath(directory))

    def projects(self) -> tuple[Project, ...]:
        """The open folders, and those that have an open document without being open."""
        return (*self.folders.projects, *self._loose_projects.values())

    def _config_of(self, settings: FolderSettings) -> str | None:
        return self._config or (os.path.abspath(settings.config) if settings.config else None)

    def _fold_case_of(self, settings: FolderSettings) -> bool | None:
        return settings.fold_case if self._fold_case is None else self._fold_case

    @property
    def documents(self) -> tuple[OpenDocument, ...]:
        """The open documents in the order in which they were opened."""
        return tuple(self._documents.values())

    def document(self, uri: str) -> OpenDocument | None:
        """The open document of a URI."""
        return self._documents.get(uri)

    def put(self, uri: str, version: int, text: Text) -> OpenDocument:
        """Open a document, or replace it by a new version."""
        document = OpenDocument(uri, usable_path(uri), version, text)
        self._documents[uri] = document
        return document

    def remove(self, uri: str) -> tuple[str, ...]:
        """Forget a document that was closed; the real directories that nothing is open in any more."""
        self._documents.pop(uri, None)
        self._views.pop(uri, None)
        self.sent_tokens.forget(uri)
        return tuple(self._leave_loose_projects())

    def _leave_loose_projects(self) -> Iterator[str]:
        """Forget the projects that were there for a document alone."""
        paths = [os.path.normpath(document.path) for document in self.documents if document.path is not None]
        for directory, project in list(self._loose_projects.items()):
            if not any(path.startswith(os.path.join(directory, "")) for path in paths):
                del self._loose_projects[directory]
                real = project.root.real
                if all(other.root.real != real for other in self.projects()):
                    self.knowledge.forget(real)
                    yield real

    def buffers(self) -> dict[str, str]:
        """The text of every open file by its path."""
        return {document.path: document.text.content for document in self.documents if document.path is not None}

    def view(self, document: OpenDocument) -> View | None:
        """What a document says, read once a version; None where it is no rule file and no configuration of ours."""
        place = self._place(document)
        if place is None:
            self._views.pop(document.uri, None)
            return None
        saved, settings = place.saved.policy, self.settings_of(place.saved.policy.root).checks
        around = (saved, self.knowledge.files(saved.root), place.saved.catalogue)
        document_then, view = self._views.get(document.uri, (None, None))
        if view is not None and document_then is document:
            subject = view.subject
            then = (subject.policy, subject.files, subject.catalogue, view.settings)
            if all(one is other for one, other in zip(then, (*around, settings), strict=True)):
                return view
            if (saved.known_servers, place.name) == (view.saved.known_servers, subject.name):
                return self._keep(document, View(_with_effect(subject, saved).surrounded(*around), saved, settings))
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
            self._views.pop(document.uri, None)
            return None
        subject = _with_effect(replace(subject, governs=place.governs), saved)
        return self._keep(document, View(subject.surrounded(*around), saved, settings))

    def shown_policies(self, directory: str) -> tuple[Policy, ...]:
        """The policies that the open documents of a project make, by its real directory, as they were read last."""
        return tuple(view.policy for _, view in self._views.values() if view.saved.root.real == directory)

    def _keep(self, document: OpenDocument, view: View) -> View:
        self._views[document.uri] = (document, view)
        return view

    def _place(self, document: OpenDocument) -> _Place | None:
        """What a document is to which project."""
        if document.path is None:
            return None
        path = os.path.normpath(document.path)
        project = self.folders.innermost(path)
        if self._is_operators(path):
            asked = project or self._loose_project(os.path.dirname(path))
            return _Place(self._saved.of(asked), path, "config", operator=True)
        if project is not None:
            relative = project.root.relative(path) or ""
            saved = self._saved.of(project)
            if relative == CONFIG_NAME:
                return _Place(saved, relative, "config")
            if relative in {entry.name for entry in saved.policy.config.rule_files}:
                return _Place(saved, relative, kind_of_rule_file(relative))
            if relative in SERVER_FILES:
                return _Place(saved, relative, kind_of_file(relative))
            kind = neighbour_kind(relative)
            if kind is not None:
                return _Place(saved, relative, kind)
            if relative and canonical_name(relative) is not None:
                return _Place(saved, relative, kind_of_rule_file(relative), governs=False)
        return self._loose_place(path)

    def _is_operators(self, path: str) -> bool:
        named = {project.operator_config for project in self.folders.projects} | {self._config_of(self.settings)}
        real = os.path.realpath(path)
        return any(config is not None and os.path.realpath(config) == real for config in named)

    def _loose_place(self, path: str) -> _Place | None:
        """A file with a default name that no open folder takes for its own belongs to a project of its own."""
        posix = path.replace(os.sep, "/")
        for name in (*DEFAULT_RULE_FILES, *NEIGHBOUR_NAMES):
            if posix.endswith(f"/{name}"):
                top = path[: -len(name)] or os.sep
                kind = kind_of_file(name)
                return _Place(self._saved.of(self._loose_project(top)), name, kind)
        return None

    def _loose_project(self, directory: str) -> Project:
        given = os.path.abspath(directory)
        return self._loose_projects.setdefault(given, self.folders.project_at(given))


@dataclass(frozen=True, slots=True)
class _Place:
    """What a document is: `saved` is what its project says, `name` root-relative, or an operator's path."""

    saved: Saved
    name: str
    kind: FileKind
    operator: bool = False
    governs: bool = True


def _with_effect(subject: Subject, saved: Policy) -> Subject:
    """The subject as it says what happens while it does not parse."""
    if subject.neighbour is not None:
        return subject
    return replace(subject, meanwhile=ALL_DENIED if saved.config.on_error == "deny" else NOT_IN_FORCE)
