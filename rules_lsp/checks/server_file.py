"""An MCP configuration that cannot be read.

## What it finds
A file that configures MCP servers, such as `.mcp.json` or `.codex/config.toml`, that does not parse or has something
else where servers belong.

## Why it matters
Nothing is known of its servers until it is repaired: names of tools are not checked against them, and an agent that
reads the file does not start them.

## Example
```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}
```

## Instead
```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented("server-file", "error", found_by_reading("server-file"), __doc__, Stage.SHAPE, "none")
