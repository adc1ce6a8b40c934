"""A query as JSON in, an answer as JSON out: the one door through which every front asks."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.decision import Decision, FileDecision, ToolDecision, compact, policy_as_json
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import AskedPath, Refusal, asked_path, asked_uri
from rules_lsp.policy.resolve import Resolver
from rules_lsp.source.text import Encoding

MAX_BATCH = 100_000


def answer(policy: Policy, query: object, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """Answer a query with one policy. Every query has an answer; one that makes no sense is refused."""
    if not isinstance(query, Mapping):
        return _refused(policy, "a query is a JSON object with `path`, `uri`, `paths`, `tool` or `tools`", encoding)
    kinds = [key for key in ("path", "uri", "paths", "tool", "tools") if key in query]
    if len(kinds) != 1:
        found = " and ".join(f"`{key}`" for key in kinds) or "none of them"
        reason = f"a query holds exactly one of `path`, `uri`, `paths`, `tool` and `tools`, and this one holds {found}"
        return _refused(policy, reason, encoding)
    kind = kinds[0]
    if kind in ("path", "uri", "tool"):
        return decide(policy, query, Resolver(policy.root)).as_json(encoding)
    return _batch(policy, query, kind, encoding)


def decide(policy: Policy, query: Mapping[str, Any], resolver: Resolver, *, full: bool = True) -> Decision:
    """Decide a query about one path or one tool."""
    if "tool" in query:
        return decide_tool(policy, query["tool"], query.get("arguments"), resolver, cwd=query.get("cwd"), full=full)
    return decide_file(policy, file_request(policy, query), resolver, full=full)


def file_request(policy: Policy, query: Mapping[str, Any]) -> FileRequest:
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


def _batch(policy: Policy, query: Mapping[str, Any], kind: str, encoding: Encoding) -> dict[str, Any]:
    items = query[kind]
    if not isinstance(items, Sequence) or isinstance(items, (str, bytes)) or len(items) > MAX_BATCH:
        return _refused(policy, f"`{kind}` is a list of at most {MAX_BATCH:,} texts", encoding)
    full = query.get("detail") == "full"
    resolver = Resolver(policy.root)
    single = "path" if kind == "paths" else "tool"
    render: Callable[[Decision], dict[str, Any]] = compact
    if full:
        render = lambda decision: decision.as_json(encoding, with_policy=False)  # noqa: E731
    shared = {key: value for key, value in query.items() if key in ("operation", "cwd", "newPath", "arguments")}
    answers = [render(decide(policy, {**shared, single: item}, resolver, full=full)) for item in items]
    return {"answers": answers, "policy": policy_as_json(policy, encoding)}


def _refused(policy: Policy, reason: str, encoding: Encoding) -> dict[str, Any]:
    return refusal(policy, reason).as_json(encoding)


def refusal(policy: Policy, reason: str) -> FileDecision:
    """The answer to what is no query at all."""
    return FileDecision(False, "invalid-request", reason, policy, None, None, "write")


__all__ = ["FileDecision", "ToolDecision", "answer", "decide", "file_request", "refusal"]
