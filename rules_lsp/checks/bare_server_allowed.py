"""A server's name alone in an allowing list.

## What it finds
An entry of `allowed_tools` without `/` that is the name of a configured server.

## Why it matters
In an allowing list a bare name is a built-in tool of the agent. `github` allows no tool of the server `github`. (In
`denied_tools` it denies them all.)

## Example
```yaml
allowed_tools:
  - Read
  - github
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```

## Instead
```yaml
allowed_tools:
  - Read
  - github/*
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite, with_fixes
from rules_lsp.checks.common.tool_names import servers_of, tool_entries
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    servers = servers_of(subject)
    for found in tool_entries(subject) if servers else ():
        server = servers.spelled(found.tool) if found.server is None and not found.denying else None
        if server is not None:
            message = (
                f"`{shown(found.tool)}` is a server, and a bare name allows only a built-in tool of that name: "
                f"write `{shown(server)}/*` for all of its tools"
            )
            diagnostic = Diagnostic("bare-server-allowed", "warning", message, found.entry.span)
            yield diagnostic, rewrite(subject, found.entry, f"{server}/*")


CHECK = Check.documented(
    "bare-server-allowed", "warning", lambda subject: with_fixes(_find(subject)), __doc__, Stage.PROJECT, "safe"
)
