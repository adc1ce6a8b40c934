"""The open folders: which of them answers a question, and the strictest answer where several must."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules_lsp.policy.decision import FileDecision, ToolDecision, compact, policy_as_json
from rules_lsp.policy.files import is_below
from rules_lsp.policy.policy import Policy, load_policy, read_inputs
from rules_lsp.policy.query import MAX_BATCH, answer
from rules_lsp.policy.requests import shown
from rules_lsp.source.text import Encoding
from rules_lsp.source.uri import from_uri
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.servers import configured_servers

SOURCES = ("saved", "buffer")
Query = Mapping[str, Any]
Answer = dict[str, Any]
Overlay = Mapping[str, str]
_SHARED = ("operation", "cwd", "newPath", "arguments", "root")
_NO_POLICY: dict[str, Any] = {
    "uri": None,
    "version": f"sha256:{hashlib.sha256().hexdigest()}",
    "enabled": True,
    "degraded": False,
    "errors": [],
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question as one folder is asked it."""

    project: Project
    query: Any


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
        source = query.get("source") if isinstance(query, Mapping) else None
        if source is not None and source not in SOURCES:
            reason = '`source` must be "saved" or "buffer"'
            return self.refuse({}, reason, encoding)
        return _Conversation(self, encoding, (overlay or {}) if source == "buffer" else None).answer(query)

    def refuse(self, query: Query, reason: str, encoding: Encoding = "utf-16") -> Answer:
        """The answer to a query that is none, for a reason that its caller knows."""
        if not self._projects:
            return _refused_without_folder(reason)
        return _refusal(self.projects[0].policy(), query, reason).as_json(encoding)

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
            operator_config=self._config,
            known_servers=configured_servers(root.real),
            fold_case=root.folds_case() if self._fold_case is None else self._fold_case,
            overlay=texts,
        )
        saved = project.policy()
        return load_policy(inputs, None if saved.degraded else saved)

    def named(self, root: object) -> Project | None:
        """The open folder that a path or `file:` URI names exactly, or None."""
        path = _path_of(root)
        if path is None or not os.path.isabs(path):
            return None
        normal = os.path.normpath(path)
        return next((p for p in self.projects if normal in (p.root.given, p.root.real)), None)


class _Conversation:
    """One query: each folder's policy is read once."""

    def __init__(self, folders: Folders, encoding: Encoding, overlay: Overlay | None) -> None:
        self._folders = folders
        self._encoding = encoding
        self._overlay = overlay
        self._policies: dict[int, Policy] = {}

    def answer(self, query: object) -> Answer:
        projects = self._folders.projects
        kinds = [key for key in _PLANS if isinstance(query, Mapping) and key in query]
        if not isinstance(query, Mapping) or len(kinds) != 1:
            return self._ask(_Asked(projects[0], query))
        kind = kinds[0]
        if kind in ("paths", "tools"):
            return self._batch(query, kind)
        plan = _PLANS[kind](self, query)
        if isinstance(plan, str):
            return _refusal(self._policy(projects[0]), query, plan).as_json(self._encoding)
        return _strictest([self._ask(asked) for asked in plan])

    def _batch(self, query: Query, kind: str) -> Answer:
        items = query[kind]
        projects = self._folders.projects
        no_list = not isinstance(items, Sequence) or isinstance(items, (str, bytes)) or len(items) > MAX_BATCH
        if no_list or (len(projects) == 1 and not any(map(_names_root, (query, *items)))):
            return self._ask(_Asked(projects[0], query))
        shared = {key: query[key] for key in _SHARED if key in query}
        found: list[list[Answer]] = [[] for _ in items]
        groups: dict[int, tuple[Project, list[Any], list[int]]] = {}
        for position, item in enumerate(items):
            plan = self._plan_item(item, shared, "path" if kind == "paths" else "tool")
            if isinstance(plan, str):
                found[position].append(self._refused_item(item, kind, plan, full=query.get("detail") == "full"))
                continue
            for asked in plan:
                _, group, positions = groups.setdefault(id(asked.project), (asked.project, [], []))
                group.append(asked.query)
                positions.append(position)
        for project, group, positions in groups.values():
            answers = self._ask(_Asked(project, {**query, kind: group}))
            if "answers" not in answers:
                return answers
            for position, given in zip(positions, answers["answers"], strict=True):
                found[position].append(given)
        first = next((project for project, _, _ in groups.values()), projects[0])
        policy = policy_as_json(self._policy(first), self._encoding)
        return {"answers": [_strictest(answers) for answers in found], "policy": policy}

    def _plan_item(self, item: object, shared: Query, single: str) -> Sequence[_Asked] | str:
        """What an item of a batch asks of which folder; what is no question goes to the first, which refuses it."""
        if isinstance(item, str):
            uri = single == "path" and item[:5].lower() == "file:" and not os.path.lexists(item)
            question: Query = {"uri": item} if uri else {single: item}
        elif isinstance(item, Mapping) and (single in item or (single == "path" and "uri" in item)):
            question = item
        else:
            return [_Asked(self._folders.projects[0], item)]
        whole = {**shared, **question}
        return _PLANS["uri" if "uri" in question else single](self, whole)

    def _refused_item(self, item: object, kind: str, reason: str, *, full: bool) -> Answer:
        asked = item if isinstance(item, Mapping) else {"tool" if kind == "tools" else "path": item}
        decision = _refusal(self._policy(self._folders.projects[0]), asked, reason)
        return decision.as_json(self._encoding, with_policy=False) if full else compact(decision)

    def _ask(self, asked: _Asked) -> Answer:
        return answer(self._policy(asked.project), asked.query, self._encoding)

    def _policy(self, project: Project) -> Policy:
        found = self._policies.get(id(project))
        if found is None:
            overlay = self._overlay
            found = project.policy() if overlay is None else self._folders.buffer_policy(project, overlay)
            self._policies[id(project)] = found
        return found

    def _chosen(self, query: Query) -> tuple[Project, ...] | str:
        """The folders that a question without a place of its own is for."""
        root = query.get("root")
        if root is None:
            return self._folders.projects
        project = self._folders.named(root)
        if project is None:
            told = f" `{shown(root)}`" if isinstance(root, str) else ""
            return f"the root{told} names no open folder"
        return (project,)

    def _plan_tool(self, query: Query) -> Sequence[_Asked] | str:
        chosen = self._chosen(query)
        return chosen if isinstance(chosen, str) else [_Asked(project, query) for project in chosen]

    def _plan_uri(self, query: Query) -> Sequence[_Asked] | str:
        uri = query["uri"]
        path = from_uri(uri) if isinstance(uri, str) else None
        if path is None:
            return [_Asked(self._folders.projects[0], query)]
        return self._plan_absolute(query, path)

    def _plan_path(self, query: Query) -> Sequence[_Asked] | str:
        path, cwd = query["path"], query.get("cwd")
        if not isinstance(path, str):
            return [_Asked(self._folders.projects[0], query)]
        if os.path.isabs(path):
            return self._plan_absolute(query, path)
        if cwd is not None:
            if not isinstance(cwd, str) or not os.path.isabs(cwd):
                return [_Asked(self._folders.projects[0], query)]
            return self._plan_absolute(query, os.path.join(cwd, path))
        chosen = self._chosen(query)
        if isinstance(chosen, str):
            return chosen
        return [asked for project in chosen for asked in self._plan_relative(project, query, path)]

    def _plan_relative(self, project: Project, query: Query, path: str) -> Iterator[_Asked]:
        absolute = os.path.join(project.root.given, path)
        holder = self._folders.innermost(absolute)
        if holder is not None and holder is not project and _holds(project, holder):
            yield _Asked(holder, {**query, "path": absolute})
        else:
            yield _Asked(project, query)
        yield from self._plan_inner_folders(project, query, absolute)

    def _plan_absolute(self, query: Query, path: str) -> Sequence[_Asked]:
        holder = self._folders.innermost(path)
        if holder is None:
            # Only the operator's `path_map` and `read_roots` can make it a path of ours: each folder knows them.
            return [_Asked(project, query) for project in self._folders.projects]
        return [_Asked(holder, query), *self._plan_inner_folders(holder, query, path)]

    def _plan_inner_folders(self, project: Project, query: Query, path: str) -> Iterator[_Asked]:
        """What a rename or a deletion also means for folders inside the one that is asked."""
        operation = query.get("operation")
        if operation not in ("delete", "rename"):
            return
        normal = os.path.normpath(path)
        for inner in self._folders.projects:
            if inner is not project and is_below(inner.root.given, normal):
                yield _Asked(inner, {"path": inner.root.given, "operation": "delete"})
        new_path = _path_of(query.get("newPath"))
        if operation == "rename" and new_path is not None:
            cwd = query.get("cwd")
            base = cwd if isinstance(cwd, str) else project.root.given
            target = os.path.join(base, new_path)
            holder = self._folders.innermost(target)
            if holder is not None and holder is not project and _holds(project, holder):
                yield _Asked(holder, {"path": target, "operation": "create"})


_PLANS: dict[str, Callable[[_Conversation, Query], Sequence[_Asked] | str]] = {
    "path": _Conversation._plan_path,
    "uri": _Conversation._plan_uri,
    "paths": _Conversation._plan_path,
    "tool": _Conversation._plan_tool,
    "tools": _Conversation._plan_tool,
}


def _holds(outer: Project, inner: Project) -> bool:
    return is_below(inner.root.given, outer.root.given) or is_below(inner.root.real, outer.root.real)


def _names_root(item: object) -> bool:
    return isinstance(item, Mapping) and item.get("root") is not None


def _path_of(value: object) -> str | None:
    """A path, or that of a `file:` URI."""
    if not isinstance(value, str):
        return None
    return from_uri(value) if value[:5].lower() == "file:" else value


def _strictest(answers: Sequence[Answer]) -> Answer:
    """The first answer that denies, else the first; a folder that the path is not in has no say where another has."""
    concerned = [found for found in answers if found["code"] != "outside-root"] or answers
    return next((found for found in concerned if not found["allowed"]), concerned[0])


def _refusal(policy: Policy, query: Query, reason: str) -> FileDecision | ToolDecision:
    if "tool" in query:
        tool = query["tool"]
        return ToolDecision(False, "invalid-request", reason, policy, tool if isinstance(tool, str) else None)
    asked = query.get("path", query.get("uri"))
    path = asked if isinstance(asked, str) else None
    return FileDecision(False, "invalid-request", reason, policy, path, None, "write")


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
