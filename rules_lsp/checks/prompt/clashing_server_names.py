"""Two servers of Agent Zero that are called the same.

## What it finds
Names in `.a0proj/mcp_servers.json` that differ only in case, or in what is no letter, digit or `_`.

## Why it matters
Agent Zero writes `_` for such characters and calls servers in lower case. Only one of the two can be reached.

## Example
```json .a0proj/mcp_servers.json
{"mcpServers": {"git_hub": {"command": "a"}, "Git_Hub": {"command": "b"}}}
```

## Instead
```json .a0proj/mcp_servers.json
{"mcpServers": {"git_hub": {"command": "a"}, "git_lab": {"command": "b"}}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "clashing-server-names",
    "error",
    found_by_reading("clashing-server-names"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-servers"}),
)
