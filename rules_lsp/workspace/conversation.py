"""One question to several folders: which of them are asked what, and the strictest of their answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules_lsp.policy.decision import FileDecision, ToolDecision, policy_as_json
from rules_lsp.policy.files import is_below
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.query import MAX_BATCH, answer
from rules_lsp.policy.requests import shown
from rules_lsp.source.text import Encoding
from rules_lsp.source.uri import from_uri
from rules_lsp.workspace.project import Project

if TYPE_CHECKING:
    from rules_lsp.workspace.folders import Folders

Query = Mapping[str, Any]
Answer = dict[str, Any]
_SHARED = ("operation", "cwd", "newPath", "arguments", "root")


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question as one folder is asked it. `extra`: it is not the caller's own but one that follows from it."""

    project: Project
    query: Any
    extra: bool = False


class Conversation:
    """One query, put to the folders that it concerns. There must be a folder; each one's policy is asked for once."""

    def __init__(self, folders: Folders, encoding: Encoding, policy_of: Callable[[Project], Policy]) -> None:
        self._folders = folders
        self._encoding = encoding
        self._policy_of = policy_of
        self._policies: dict[int, Policy] = {}

    def answer(self, query: object) -> Answer:
        """The answer of the folders that the query concerns."""
        projects = self._folders.projects
        kinds = [key for key in (*_PLANS, "paths", "tools") if isinstance(query, Mapping) and key in query]
        if not isinstance(query, Mapping) or len(kinds) != 1:
            return self._ask(_Asked(projects[0], query))
        kind = kinds[0]
        if kind in ("paths", "tools"):
            return self._batch(query, kind)
        plan = _PLANS[kind](self, query)
        if isinstance(plan, str):
            return refusal_of(self._policy(projects[0]), query, plan).as_json(self._encoding)
        return _strictest([self._ask(asked) for asked in plan])

    def _batch(self, query: Query, kind: str) -> Answer:
        items = query[kind]
        projects = self._folders.projects
        no_list = not isinstance(items, Sequence) or isinstance(items, (str, bytes)) or len(items) > MAX_BATCH
        if no_list or (len(projects) == 1 and query.get("root") is None):
            return self._ask(_Asked(projects[0], query))
        single = "path" if kind == "paths" else "tool"
        full = query.get("detail") == "full"
        shared = {key: query[key] for key in _SHARED if key in query}
        found: list[list[Answer]] = [[] for _ in items]
        groups: dict[int, tuple[Project, list[Any], list[int]]] = {}
        for position, item in enumerate(items):
            plan = _PLANS[single](self, {**shared, single: item})
            if isinstance(plan, str):
                refusal = refusal_of(self._policy(projects[0]), {single: item}, plan)
                found[position].append(_item_answer(refusal.as_json(self._encoding), full=full))
                continue
            for asked in plan:
                if asked.extra:
                    found[position].append(_item_answer(self._ask(asked), full=full))
                    continue
                _, group, positions = groups.setdefault(id(asked.project), (asked.project, [], []))
                group.append(asked.query[single])
                positions.append(position)
        for project, group, positions in groups.values():
            answers = self._ask(_Asked(project, {**query, kind: group}))["answers"]
            for position, given in zip(positions, answers, strict=True):
                found[position].append(given)
        first = next((project for project, _, _ in groups.values()), projects[0])
        policy = policy_as_json(self._policy(first), self._encoding)
        return {"answers": [_strictest(answers) for answers in found], "policy": policy}

    def _ask(self, asked: _Asked) -> Answer:
        return answer(self._policy(asked.project), asked.query, self._encoding)

    def _policy(self, project: Project) -> Policy:
        found = self._policies.get(id(project))
        if found is None:
            found = self._policies[id(project)] = self._policy_of(project)
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
                yield _Asked(inner, {"path": inner.root.given, "operation": "delete"}, extra=True)
        new_path = path_of(query.get("newPath"))
        if operation == "rename" and new_path is not None:
            cwd = query.get("cwd")
            base = cwd if isinstance(cwd, str) else project.root.given
            target = os.path.join(base, new_path)
            holder = self._folders.innermost(target)
            if holder is not None and holder is not project and _holds(project, holder):
                yield _Asked(holder, {"path": target, "operation": "create"}, extra=True)


_PLANS: dict[str, Callable[[Conversation, Query], Sequence[_Asked] | str]] = {
    "path": Conversation._plan_path,
    "uri": Conversation._plan_uri,
    "tool": Conversation._plan_tool,
}


def _holds(outer: Project, inner: Project) -> bool:
    return is_below(inner.root.given, outer.root.given) or is_below(inner.root.real, outer.root.real)


def path_of(value: object) -> str | None:
    """A path, or that of a `file:` URI; None for what is neither."""
    if not isinstance(value, str):
        return None
    return from_uri(value) if value[:5].lower() == "file:" else value


def _item_answer(answer: Answer, *, full: bool) -> Answer:
    """A single answer as an item of a batch."""
    kept = answer.keys() - {"policy"} if full else ("allowed", "code")
    return {key: answer[key] for key in answer if key in kept}


def _strictest(answers: Sequence[Answer]) -> Answer:
    """The first answer that denies, else the first; a folder that the path is not in has no say where another has."""
    concerned = [found for found in answers if found["code"] != "outside-root"] or answers
    return next((found for found in concerned if not found["allowed"]), concerned[0])


def refusal_of(policy: Policy, query: Query, reason: str) -> FileDecision | ToolDecision:
    """The answer to a query that is none, for a reason that its caller knows."""
    if "tool" in query:
        tool = query["tool"]
        return ToolDecision(False, "invalid-request", reason, policy, tool if isinstance(tool, str) else None)
    asked = query.get("path", query.get("uri"))
    path = asked if isinstance(asked, str) else None
    return FileDecision(False, "invalid-request", reason, policy, path, None, "write")
