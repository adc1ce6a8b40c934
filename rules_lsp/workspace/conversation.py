"""One question to several folders: which of them are asked what."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rules_lsp.policy.decision import Decision
from rules_lsp.policy.files import is_below
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import Answer, Query, answer_by, decide_by, needs_root, no_such_root, path_of
from rules_lsp.source.text import Encoding
from rules_lsp.source.uri import from_uri
from rules_lsp.workspace.project import Project

if TYPE_CHECKING:
    from rules_lsp.workspace.folders import Folders

_Asked = tuple[Project, Query]


class Conversation:
    """One query, put to the folders that it concerns. There must be a folder; each one's policy is asked for once."""

    def __init__(self, folders: Folders, encoding: Encoding, policy_of: Callable[[Project], Policy]) -> None:
        self._folders = folders
        self._encoding = encoding
        self._policy_of = policy_of
        self._policies: dict[int, Policy] = {}

    def answer(self, query: object) -> Answer:
        """The answer of the folders that the query concerns."""
        only, *others = self._folders.projects
        root = query.get("root") if isinstance(query, Mapping) else None
        alone = not others and (root is None or self._folders.named(root) is only)
        return answer_by(self._plan, self._policy(only), query, self._encoding, alone=alone)

    def decide(self, query: object) -> Decision:
        """The decision of the folders that a query about one path or one tool concerns, with every step."""
        return decide_by(self._plan, self._policy(self._folders.projects[0]), query)

    def _plan(self, question: Query) -> Sequence[tuple[Policy, Query]] | str:
        chosen = self._folders.projects
        root = question.get("root")
        if root is not None and needs_root(question):
            named = self._folders.named(root)
            if named is None:
                return no_such_root(root)
            chosen = (named,)
        return [(self._policy(project), asked) for project, asked in self._asked(question, chosen)]

    def _policy(self, project: Project) -> Policy:
        found = self._policies.get(id(project))
        if found is None:
            found = self._policies[id(project)] = self._policy_of(project)
        return found

    def _asked(self, question: Query, chosen: Sequence[Project]) -> list[_Asked]:
        if "tool" in question:
            return [(project, question) for project in chosen]
        place = _place(question)
        if place is not None:
            return self._about_absolute(question, place)
        path = question.get("path")
        if not isinstance(path, str) or question.get("cwd") is not None:
            # What is asked is no path: whoever is asked refuses it.
            return [(chosen[0], question)]
        return [asked for project in chosen for asked in self._about_relative(project, question, path)]

    def _about_relative(self, project: Project, question: Query, path: str) -> Iterator[_Asked]:
        absolute = os.path.join(project.root.given, path)
        holder = self._folders.innermost(absolute)
        if holder is not None and holder is not project and _holds(project, holder):
            yield holder, {**question, "path": absolute}
        else:
            yield project, question
        yield from self._about_inner_folders(project, question, absolute)

    def _about_absolute(self, question: Query, path: str) -> list[_Asked]:
        holder = self._folders.innermost(path)
        if holder is None:
            # Only the operator's `path_map` and `read_roots` can make it a path of ours: each folder knows them.
            return [(project, question) for project in self._folders.projects]
        return [(holder, question), *self._about_inner_folders(holder, question, path)]

    def _about_inner_folders(self, project: Project, question: Query, path: str) -> Iterator[_Asked]:
        """What a rename or a deletion also means for folders inside the one that is asked."""
        operation = question.get("operation")
        if operation not in ("delete", "rename"):
            return
        normal = os.path.normpath(path)
        for inner in self._folders.projects:
            if inner is not project and is_below(inner.root.given, normal):
                yield inner, {"path": inner.root.given, "operation": "delete"}
        new_path = path_of(question.get("newPath"))
        if operation == "rename" and new_path is not None:
            cwd = question.get("cwd")
            base = cwd if isinstance(cwd, str) else project.root.given
            target = os.path.join(base, new_path)
            holder = self._folders.innermost(target)
            if holder is not None and holder is not project and _holds(project, holder):
                yield holder, {"path": target, "operation": "create"}


def _place(question: Query) -> str | None:
    """Where a question's path stands on the disk whatever the folder, or None."""
    if "uri" in question:
        uri = question["uri"]
        return from_uri(uri) if isinstance(uri, str) else None
    path, cwd = question.get("path"), question.get("cwd")
    if not isinstance(path, str):
        return None
    if os.path.isabs(path):
        return path
    return os.path.join(cwd, path) if isinstance(cwd, str) and os.path.isabs(cwd) else None


def _holds(outer: Project, inner: Project) -> bool:
    return is_below(inner.root.given, outer.root.given) or is_below(inner.root.real, outer.root.real)
