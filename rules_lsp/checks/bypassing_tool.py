"""An allowed tool that goes around the file patterns.

## What it finds
With `file_patterns`, an entry of `allowed_tools` that names a shell, or a tool of an MCP server that writes files and
whose arguments are not looked at.

## Why it matters
File patterns are held against the paths that a call names. A command names none that anybody can read out of it, so
it can write what the patterns forbid.

## Example
```yaml
allowed_tools:
  - Read
  - Bash
file_patterns:
  exclude:
    - secrets/
```

## Instead
```yaml
allowed_tools:
  - Read
denied_tools:
  - Bash
file_patterns:
  exclude:
    - secrets/
```
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.known_tools import ToolsOfServers, tools_of_project
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_cover import DenyingCover
from rules_lsp.checks.common.tool_fixes import deny, with_fixes
from rules_lsp.checks.common.tool_names import ToolEntry, read_entry, readable, readings_of
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import RuleList
from rules_lsp.policy.tools.paths import touched_paths
from rules_lsp.policy.tools.patterns import is_wild
from rules_lsp.source.records import replace

_TABLE = os.path.join(os.path.dirname(__file__), "data", "bypassing_tools.json")
_NO_ARGUMENTS: Mapping[str, object] = MappingProxyType({})


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    rules = subject.shown
    patterns = (*rules.include, *rules.exclude)
    if subject.error is not None or not patterns:
        return
    entries = ((holder.entries[place], holder) for holder in rules.allowed_tools for place in _may_bypass(holder))
    denying: DenyingCover | None = None
    known = tools_of_project(subject)
    seen: set[str] = set()
    for found in (read for entry, holder in entries if (read := read_entry(entry, holder)) is not None):
        kind = None if found.name in seen else _kind_of(subject, known, found)
        if kind is None:
            continue
        seen.add(found.name)
        denying = denying or DenyingCover([text for each in rules.denied_tools for _, text in readings_of(each)])
        if denying.of(found.server, found.tool) is not None:
            continue
        message = (
            f"`{shown(found.name)}` {kind} and goes around the file patterns: deny it, or remove it from this list"
        )
        related = (RelatedPlace(patterns[0].span, "the patterns stand here"),)
        diagnostic = Diagnostic("bypassing-tool", "warning", message, found.entry.span, related)
        # The author has named the tool, so denying it is for the author to choose.
        yield diagnostic, (replace(fix, safe=False) for fix in deny(subject, found.name))


def _kind_of(subject: Subject, known: ToolsOfServers, found: ToolEntry) -> str | None:
    """What a tool does that its arguments do not tell, or None where it does no such thing or nobody knows."""
    table, name = _table(), found.name.casefold()
    if name in table["shells"] or name in table["shellsOfServers"]:
        return None if is_wild(name) or _is_looked_at(subject, found) else "runs commands"
    if found.tool.casefold() not in table["fileTools"] or is_wild(name):
        return None
    server = known.server_of(found)
    tools = known.of(server) if server is not None else None
    if server is None or tools is None:
        return None
    writes = tools.writes(found.tool)
    return "writes files" if writes and not _is_looked_at(subject, found) else None


@once_a_list
def _may_bypass(holder: RuleList) -> tuple[int, ...]:
    """The places of the entries of a list of which this is said in some project."""
    table = _table()
    by_name, by_tool = table["shells"] | table["shellsOfServers"], table["fileTools"]
    return tuple(
        found.entry.index
        for found in readable(holder)
        if found.name.casefold() in by_name or found.tool.casefold() in by_tool
    )


def _is_looked_at(subject: Subject, found: ToolEntry) -> bool:
    """Whether the paths of a call are checked: the arguments of the tool are known, here or in `x-tool-paths`."""
    touched = touched_paths(found.name, _NO_ARGUMENTS, subject.shown.tool_paths)
    return touched.checked or touched.problem is not None


@cache
def _table() -> Mapping[str, frozenset[str]]:
    with open(_TABLE, encoding="utf-8") as file:
        table: dict[str, list[str]] = json.load(file)
    return {key: frozenset(names) for key, names in table.items()}


CHECK = Check.documented(
    "bypassing-tool", "warning", lambda subject: with_fixes(_find(subject)), __doc__, Stage.BESIDE, "unsafe"
)
