"""An allowing list that denies every built-in tool.

## What it finds
An `allowed_tools` that names only tools of MCP servers (`github/get_me`, `*/get_*`).

## Why it matters
What the list does not name is denied: the agent's own tools too, with which it reads and writes files.

## Example
```yaml
allowed_tools:
  - github/get_me
  - github/list_*
```

## Instead
```yaml
allowed_tools:
  - Read
  - Edit
  - github/get_me
  - github/list_*
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.canonical_names import is_host_spelling
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_names import denies_everything, readable, tool_lists
from rules_lsp.policy.model import RuleList

_MESSAGE = (
    "only tools of servers are allowed, so every built-in tool of the agent is denied: add those that it needs, "
    "as `Read`"
)


def _find(subject: Subject) -> Iterator[Diagnostic]:
    if any(map(denies_everything, tool_lists(subject))):
        return
    for holder in tool_lists(subject):
        if holder.name == "allowed_tools" and _names_servers_alone(holder):
            yield Diagnostic("builtins-denied", "information", _MESSAGE, holder.span)


@once_a_list
def _names_servers_alone(holder: RuleList) -> bool:
    # An entry that cannot be read may be meant for a built-in tool.
    entries = tuple(readable(holder))
    whole = bool(entries) and len(entries) == len(holder.entries)
    return whole and all(found.server is not None or is_host_spelling(found.tool) for found in entries)


CHECK = Check.documented("builtins-denied", "information", _find, __doc__, Stage.TOGETHER, "none")
