"""The rules in force as data, for an editor that shows them as a tree: what each entry takes, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_lsp.checks import run_checks
from rules_lsp.checks.common.settings import CheckSettings
from rules_lsp.features.explaining import source_of
from rules_lsp.features.view import View
from rules_lsp.policy.decision import policy_as_json
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.source.text import Encoding, Span
from rules_lsp.source.uri import to_uri

MOST_TOOLS = 2_000


def overview_as_json(view: View, settings: CheckSettings, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """What a view of `view_in_force` comes to.

    `files` is null as long as the files of the project are not known; `tools` holds the known tools. Of an entry
    `files` or `tools` is the number that it takes now, null where that is not known. `problems` are those of the file
    whose rules are in force, as its editor would show them, else what could not be read.
    """
    policy = view.saved
    files = view.file_counts.writable if view.file_counts is not None else None
    return {
        "folder": to_uri(policy.root.given),
        "source": source_of(policy),
        "policy": policy_as_json(policy, encoding),
        "refusal": policy.refusal,
        "files": None
        if files is None
        else {
            "writable": files.files if policy.refusal is None else 0,
            "total": files.total,
            "complete": files.complete,
        },
        "tools": _tools(view),
        "lists": [_list(view, rules, encoding) for rules in view.subject.shown.lists()] if policy.enabled else [],
        "problems": list(_problems(view, settings, encoding)),
    }


def files_by_verdict(view: View, *, writable: bool) -> tuple[str, ...]:
    """The root-relative paths of the files that agents may write, or of those that they may not, sorted."""
    if view.file_counts is None or view.subject.files is None:
        return ()
    allowed = frozenset(view.file_counts.writable_files()) if view.saved.refusal is None else frozenset()
    return tuple(path for path in view.subject.files.files if (path in allowed) == writable)


def _tools(view: View) -> list[dict[str, Any]]:
    counts = view.tool_counts
    if counts is None:
        return []
    allowed = frozenset(counts.allowed_tools) if view.saved.refusal is None else frozenset()
    return [{"name": name, "allowed": name in allowed} for name in counts.known[:MOST_TOOLS]]


def _list(view: View, rules: RuleList, encoding: Encoding) -> dict[str, Any]:
    return {
        "list": rules.name,
        **_place(view, rules.span, encoding),
        "broken": rules.broken,
        "entries": [_entry(view, entry, encoding) for entry in rules.entries],
    }


def _entry(view: View, entry: Entry, encoding: Encoding) -> dict[str, Any]:
    taken: dict[str, int | None]
    if entry.list in TOOL_LISTS:
        taken = {"tools": None if view.tool_counts is None else len(view.tool_counts.tools_of(entry))}
    else:
        count = None if view.file_counts is None else view.file_counts.of(entry)
        taken = {"files": None if count is None else count.taken}
    place = _place(view, entry.span, encoding)
    return {"index": entry.index, "pattern": entry.text, **place, "broken": entry.broken, **taken}


def _problems(view: View, settings: CheckSettings, encoding: Encoding) -> Iterator[dict[str, Any]]:
    if view.saved.source is None or view.saved.degraded:
        for error in policy_as_json(view.saved, encoding)["errors"]:
            yield {**error, "severity": "error"}
        return
    for found in run_checks(view.subject, settings=settings):
        place = _place(view, found.span, encoding)
        yield {"code": found.code, "message": found.message, **place, "severity": found.severity}


def _place(view: View, span: Span, encoding: Encoding) -> dict[str, Any]:
    source = view.saved.source
    assert source is not None, "what has a place stands in a document"
    return {"uri": source.uri, "range": view.subject.text.range(span, encoding).as_json()}
