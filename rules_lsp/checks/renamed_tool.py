"""A tool that has another name today.

## What it finds
An entry `server/tool` of a server whose software is known to have given the tool a new name.
The targets of rules in `.auto-prompter.yaml` are looked at likewise.

## Why it matters
The old name stands for no tool any more: what it denies can be called by its new name, and what it allows cannot.

## Example
```yaml
denied_tools:
  - github/update_issue
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```

## Instead
```yaml
denied_tools:
  - github/issue_write
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.known_tools import tools_of_project
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite, with_fixes
from rules_lsp.checks.common.tool_names import tool_entries
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    known = tools_of_project(subject)
    for found in tool_entries(subject) if known else ():
        server = known.server_of(found)
        tools = known.of(server) if server is not None else None
        new = tools.renamed(found.tool) if tools is not None else None
        if server is None or tools is None or new is None:
            continue
        message = f"`{shown(found.tool)}` of `{shown(server)}` ({tools.title}) is called `{new}` today: write `{new}`"
        corrected = f"{server}/{new}" if found.name == found.entry.text else None
        yield Diagnostic("renamed-tool", "warning", message, found.entry.span), rewrite(subject, found.entry, corrected)


CHECK = Check.documented(
    "renamed-tool",
    "warning",
    lambda subject: with_fixes(_find(subject)),
    __doc__,
    Stage.PROJECT,
    "safe",
    kinds=WITH_PROMPTER,
)
