"""The open folders: each a project of its own, asked together."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from rules_lsp.policy.decision import Decision
from rules_lsp.policy.inputs import read_inputs
from rules_lsp.policy.load import load_policy
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import Answer, Query, path_of, refusal
from rules_lsp.source.text import Encoding
from rules_lsp.workspace.conversation import Conversation
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.servers import configured_servers

Overlay = Mapping[str, str]
_NO_POLICY: dict[str, Any] = {
    "uri": None,
    "version": f"sha256:{hashlib.sha256().hexdigest()}",
    "enabled": True,
    "degraded": False,
    "errors": [],
}


class Folders:
    """The folders of a workspace, each a project of its own. A path belongs to the innermost folder that holds it."""

    def __init__(self, config: str | None = None, *, fold_case: bool | None = None) -> None:
        self._config = config
        self._fold_case = fold_case
        self._projects: dict[str, Project] = {}

    def open(self, path: str) -> None:
        """Open the folder at an absolute path; one that is open stays as it is."""
        given = os.path.abspath(path)
        if given not in self._projects:
            self._projects[given] = self.project_at(given)

    def configure(self, path: str, config: str | None, *, fold_case: bool | None = None) -> None:
        """Give the folder at an absolute path, if it is open, a configuration of its own instead of the workspace's."""
        given = os.path.abspath(path)
        before = self._projects.get(given)
        if before is not None and (before.operator_config, before.told_fold_case) != (config, fold_case):
            self._projects[given] = Project(given, config, fold_case=fold_case)

    def close(self, path: str) -> None:
        """Close the folder at an absolute path, if it is open."""
        self._projects.pop(os.path.abspath(path), None)

    @property
    def projects(self) -> tuple[Project, ...]:
        """The open folders in the order in which they were opened."""
        return tuple(self._projects.values())

    def innermost(self, path: str) -> Project | None:
        """The innermost folder that holds an absolute path as it is written, or None."""
        normal = os.path.normpath(path)
        held = [(len(relative), p) for p in self.projects if (relative := p.root.relative(normal)) is not None]
        return min(held, key=lambda pair: pair[0])[1] if held else None

    def project_at(self, path: str) -> Project:
        """A project at a directory with the workspace's configuration; it is not opened."""
        return Project(path, self._config, fold_case=self._fold_case)

    def answer(self, query: object, encoding: Encoding = "utf-16", overlay: Overlay | None = None) -> Answer:
        """Answer a query in the shape of the answer schema; every query has an answer.

        `overlay` maps absolute paths to the texts of open buffers; it counts where the query asks for
        `source: "buffer"`.
        """
        if not self._projects:
            return _refused_without_folder("no folder is open, so there are no rules to ask")
        return self._conversation(query, encoding, overlay).answer(query)

    def decide(self, query: object, overlay: Overlay | None = None) -> Decision | None:
        """Decide a query about one path or one tool as `answer` does, with every step; None where no folder is open."""
        return self._conversation(query, "utf-16", overlay).decide(query) if self._projects else None

    def _conversation(self, query: object, encoding: Encoding, overlay: Overlay | None) -> Conversation:
        of_buffers = partial(self.buffer_policy, overlay=overlay or {})
        buffers = isinstance(query, Mapping) and query.get("source") == "buffer"
        return Conversation(self, encoding, of_buffers if buffers else Project.policy)

    def refuse(self, query: Query, reason: str, encoding: Encoding = "utf-16") -> Answer:
        """The answer to a query that is none, for a reason that its caller knows."""
        if not self._projects:
            return _refused_without_folder(reason)
        return refusal(self.projects[0].policy(), query, reason).as_json(encoding)

    def buffer_policy(self, project: Project, overlay: Overlay) -> Policy:
        """The policy of a project as the open buffers would make it."""
        root = project.root
        texts = dict(overlay)
        for path, text in overlay.items():
            relative = root.relative(os.path.normpath(path))
            if relative:
                texts[root.absolute(relative)] = text
        inputs = read_inputs(
            root,
            operator_config=project.operator_config,
            known_servers=configured_servers(root.real),
            fold_case=project.folds_case,
            overlay=texts,
        )
        saved = project.policy()
        return load_policy(inputs, saved if saved.parsed else None)

    def named(self, root: object) -> Project | None:
        """The open folder that a path or `file:` URI names exactly, or None."""
        path = path_of(root)
        if path is None or not os.path.isabs(path):
            return None
        normal = os.path.normpath(path)
        return next((p for p in self.projects if normal in (p.root.given, p.root.real)), None)


def _refused_without_folder(reason: str) -> Answer:
    return {
        "allowed": False,
        "code": "invalid-request",
        "reason": reason,
        "path": None,
        "resolvedPath": None,
        "operation": "write",
        "rule": None,
        "overruled": [],
        "policy": dict(_NO_POLICY),
    }
