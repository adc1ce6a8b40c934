"""The files of a project that name tools: its rule files, in force or not, its configuration, and its server files."""

from __future__ import annotations

import os
from functools import cached_property

from rules_lsp.checks.common.other_files import order_of
from rules_lsp.checks.common.subject import Subject, subjects_in_force
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass, replace
from rules_lsp.workspace.server_files import ServerFile, read_server_files


@dataclass(frozen=True)
class ProjectFiles:
    """What the files of a project say, as the editor holds them where they are open, else as they are saved.

    `opened` are the open ones of the project, by absolute path.
    """

    policy: Policy
    opened: tuple[Subject, ...] = ()

    @cached_property
    def rule_files(self) -> tuple[Subject, ...]:
        """The rule files of the order that exist, then the configuration."""
        root = self.policy.root
        opened = self._opened_by_name
        in_force = (self._as_opened(subject) for subject in subjects_in_force(self.policy))
        governing = {root.relative(subject.path or "") or subject.name: subject for subject in in_force}
        found: dict[str, Subject] = {}
        for name in (*order_of(self.policy), *governing, *opened):
            subject = opened.get(name) or governing.get(name) or self._saved(name)
            if subject is not None and subject.kind in ("yaml", "markdown", "config"):
                found.setdefault(name, subject)
        return tuple(found.values())

    @cached_property
    def server_files(self) -> tuple[ServerFile, ...]:
        """The server files that exist; their names are root-relative."""
        overlay = {name: subject.text.content for name, subject in self._opened_by_name.items()}
        return read_server_files(self.policy.root.real, overlay)

    @cached_property
    def servers(self) -> tuple[str, ...]:
        """The names of the configured servers, each once."""
        return tuple(dict.fromkeys(server.name for file in self.server_files for server in file.servers))

    def path_of(self, file: ServerFile) -> str:
        """The absolute path of a server file."""
        return self.absolute(file.name)

    def absolute(self, name: str) -> str:
        """The absolute path of a root-relative one, below the root as the editor has it open."""
        return os.path.join(self.policy.root.given, *name.split("/"))

    @cached_property
    def _opened_by_name(self) -> dict[str, Subject]:
        root = self.policy.root
        named = ((root.relative(os.path.normpath(each.path)), each) for each in self.opened if each.path is not None)
        return {name: subject for name, subject in named if name}

    def _saved(self, name: str) -> Subject | None:
        path = self.policy.root.absolute(name)
        if not os.path.isfile(path):
            return None
        known = self.policy.known_servers
        return self._as_opened(Subject.of_file(path, name=name, root=self.policy.root, known_servers=known))

    def _as_opened(self, subject: Subject) -> Subject:
        name = None if subject.path is None else self.policy.root.relative(subject.path)
        return replace(subject, path=self.absolute(name)) if name else subject
