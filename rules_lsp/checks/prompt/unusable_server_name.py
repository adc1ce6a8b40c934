"""A server's name that cannot be written where a tool is called.

## What it finds
A name in `.a0proj/mcp_servers.json` with a dot, a blank or another character that ends a name, or without any letter
and digit.

## Why it matters
Agent Zero calls tools as `server.tool`, with `_` for such characters: whoever writes the name as it stands calls
another server or none.

## Example
```json .a0proj/mcp_servers.json
{"mcpServers": {"git.hub": {"command": "a"}}}
```

## Instead
```json .a0proj/mcp_servers.json
{"mcpServers": {"git_hub": {"command": "a"}}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "unusable-server-name",
    "warning",
    found_by_reading("unusable-server-name"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-servers"}),
)
