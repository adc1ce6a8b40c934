"""A query as JSON in, an answer as JSON out: the one door through which every front asks."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Mapping, Sequence

from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.decision import ALLOWING, Decision, FileDecision, ToolDecision, compact, policy_as_json
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import AskedPath, Refusal, asked_path, asked_uri, shown
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.verdicts import Verdicts
from rules_lsp.source.text import Encoding
from rules_lsp.source.uri import from_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

MAX_BATCH = 100_000
KINDS = ("path", "uri", "paths", "tool", "tools")
DETAILS = ("compact", "full")
SOURCES = ("saved", "buffer")
_BATCHES = ("paths", "tools")
_NO_QUERY = "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`"
_FROM_ELSEWHERE = frozenset({"cwd", "newPath"})
_SHARED = ("operation", "cwd", "newPath", "arguments", "root")

Query: TypeAlias = "Mapping[str, Any]"
Answer: TypeAlias = "dict[str, Any]"
Plan = Callable[[Query], Sequence[tuple[Policy, Query]] | str]
"""Who is asked what for a question about one path or one tool, or why nobody can be."""


def answer(policy: Policy, query: object, encoding: Encoding = "utf-16") -> Answer:
    """Answer a query with one policy. Every query has an answer; one that makes no sense is refused."""

    def plan(question: Query) -> Sequence[tuple[Policy, Query]] | str:
        root = question.get("root")
        if root is not None and needs_root(question) and not names_root(policy, root):
            return no_such_root(root)
        return ((policy, question),)

    alone = not isinstance(query, Mapping) or query.get("root") is None or names_root(policy, query["root"])
    return answer_by(plan, policy, query, encoding, alone=alone)


def answer_by(plan: Plan, policy: Policy, query: object, encoding: Encoding, *, alone: bool = False) -> Answer:
    """Answer a query by asking whom `plan` names, the strictest answer counting; `policy` is that of refusals.

    `alone` says that a path from the root is a question to `policy` and to no other.
    """
    if not isinstance(query, Mapping):
        return refusal(policy, {}, _NO_QUERY).as_json(encoding)
    problem = _problem(query)
    if problem is not None:
        return refusal(policy, query, problem).as_json(encoding)
    resolvers: dict[int, Resolver] = {}
    kind = next(kind for kind in KINDS if kind in query)
    if kind not in _BATCHES:
        return _decided(plan, policy, query, resolvers, full=True).as_json(encoding)
    full = query.get("detail") == "full"
    single = "path" if kind == "paths" else "tool"
    shared = {key: query[key] for key in _SHARED if key in query}
    if alone and not full and kind == "paths" and not _FROM_ELSEWHERE & query.keys():
        return _verdicts(plan, policy, query["paths"], shared, resolvers, encoding)
    decisions = [_decided(plan, policy, {**shared, single: item}, resolvers, full=full) for item in query[kind]]
    answers = [each.as_json(encoding, with_policy=False) if full else compact(each) for each in decisions]
    whose = decisions[0].policy if decisions else policy
    return {"answers": answers, "policy": policy_as_json(whose, encoding)}


def _verdicts(
    plan: Plan,
    policy: Policy,
    paths: Sequence[object],
    shared: Query,
    resolvers: dict[int, Resolver],
    encoding: Encoding,
) -> Answer:
    """The answer of a batch without details about paths from the root of `policy`, which alone is asked about them."""
    operation = shared.get("operation")
    resolver = resolvers[id(policy)] = Resolver(policy.root)
    verdicts = Verdicts(policy, "write" if operation is None else operation, resolver)
    answers: list[Answer] = []
    for path in paths:
        code = verdicts.code(path)
        if code is None:
            answers.append(compact(_decided(plan, policy, {**shared, "path": path}, resolvers, full=False)))
        else:
            answers.append({"allowed": code in ALLOWING, "code": code})
    return {"answers": answers, "policy": policy_as_json(policy, encoding)}


def decide_by(plan: Plan, policy: Policy, query: object) -> Decision:
    """Decide a query about one path or one tool as `answer_by` does, with every step; any other query is refused."""
    if not isinstance(query, Mapping):
        return refusal(policy, {}, _NO_QUERY)
    problem = _problem(query)
    if problem is None and any(kind in query for kind in _BATCHES):
        problem = "one decision is about one file or one tool: ask with `path`, `uri` or `tool`"
    if problem is not None:
        return refusal(policy, query, problem)
    return _decided(plan, policy, query, {}, full=True)


def _decided(plan: Plan, policy: Policy, question: Query, resolvers: dict[int, Resolver], *, full: bool) -> Decision:
    asked = plan(question)
    if isinstance(asked, str):
        return refusal(policy, question, asked)
    decisions = []
    for whose, what in asked:
        resolver = resolvers.setdefault(id(whose), Resolver(whose.root))
        decisions.append(decide(whose, what, resolver, full=full))
    return strictest(decisions)


def _problem(query: Query) -> str | None:
    """Why a query is none, before anything is looked at."""
    kinds = [kind for kind in KINDS if kind in query]
    if len(kinds) != 1:
        found = " and ".join(f"`{kind}`" for kind in kinds) or "none of them"
        return f"a query holds exactly one of `path`, `uri`, `paths`, `tool` and `tools`, and this one holds {found}"
    for key, values in (("source", SOURCES), ("detail", DETAILS)):
        if query.get(key) is not None and query[key] not in values:
            return f'`{key}` must be "{values[0]}" or "{values[1]}"'
    items = query[kinds[0]]
    is_list = isinstance(items, Sequence) and not isinstance(items, (str, bytes))
    if kinds[0] in _BATCHES and not (is_list and len(items) <= MAX_BATCH):
        return f"`{kinds[0]}` is a list of at most {MAX_BATCH:,} texts"
    return None


def decide(policy: Policy, query: Query, resolver: Resolver, *, full: bool = True) -> Decision:
    """Decide a query about one path or one tool."""
    if "tool" in query:
        return decide_tool(policy, query["tool"], query.get("arguments"), resolver, cwd=query.get("cwd"), full=full)
    return decide_file(policy, file_request(policy, query), resolver, full=full)


def strictest(decisions: Sequence[Decision]) -> Decision:
    """The first decision that denies, else the first.

    Where some decisions speak only of absolute paths outside their roots, they have no say if another one does.
    """
    concerned = [decision for decision in decisions if not lies_elsewhere(decision)] or decisions
    return next((decision for decision in concerned if not decision.allowed), concerned[0])


def lies_elsewhere(decision: Decision) -> bool:
    """Whether a decision denies only since absolute paths lie outside of its root, so that it has no say in others."""
    if decision.code != "outside-root":
        return False
    if isinstance(decision, FileDecision):
        return decision.path is not None and os.path.isabs(decision.path)
    return all(path.allowed or lies_elsewhere(path) for path in decision.paths)


def needs_root(query: Query) -> bool:
    """Whether `root` says what a question is about: a tool or a relative path, and not a path with a place."""
    if "tool" in query:
        return True
    path = query.get("path")
    return isinstance(path, str) and not os.path.isabs(path) and query.get("cwd") is None


def names_root(policy: Policy, root: object) -> bool:
    """Whether a path or `file:` URI names the root of a policy exactly."""
    path = path_of(root)
    return path is not None and os.path.isabs(path) and os.path.normpath(path) in (policy.root.given, policy.root.real)


def no_such_root(root: object) -> str:
    """Why a question with an unknown `root` is refused."""
    told = f" `{shown(root)}`" if isinstance(root, str) else ""
    return f"the root{told} names no open folder: leave it out or name one"


def path_of(value: object) -> str | None:
    """A path, or that of a `file:` URI; None for what is neither."""
    if not isinstance(value, str):
        return None
    return from_uri(value) if value[:5].lower() == "file:" else value


def file_request(policy: Policy, query: Query) -> FileRequest:
    """The request of a query about one path."""
    operation = query.get("operation", "write")
    if operation is None:
        operation = "write"
    new_path: AskedPath | Refusal | None = None
    if query.get("newPath") is not None:
        new_path = _asked(policy, query["newPath"], query.get("cwd"))
    if "uri" in query:
        asked = asked_uri(query["uri"], policy.root, policy.config)
    else:
        asked = asked_path(query.get("path"), query.get("cwd"), policy.root, policy.config)
    return FileRequest(asked, operation if isinstance(operation, str) else reprlib.repr(operation), new_path)


def _asked(policy: Policy, path: object, cwd: object) -> AskedPath | Refusal:
    """A new path, as a path or as a `file:` URI."""
    if isinstance(path, str) and path[:5].lower() == "file:":
        return asked_uri(path, policy.root, policy.config)
    return asked_path(path, cwd, policy.root, policy.config)


def refusal(policy: Policy, query: Query, reason: str) -> Decision:
    """The answer to a query that is none, for a reason that its caller knows."""
    if "tool" in query:
        tool = query["tool"]
        return ToolDecision(False, "invalid-request", reason, policy, tool if isinstance(tool, str) else None)
    asked = query.get("path", query.get("uri"))
    path = asked if isinstance(asked, str) else None
    return FileDecision(False, "invalid-request", reason, policy, path, None, "write")
