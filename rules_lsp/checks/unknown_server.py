"""A server that the project does not configure.

## What it finds
An entry `server/tool` of which no file of the project (`.mcp.json`, `.vscode/mcp.json`, `config.yaml` and the like)
configures the server, in a tool list or in a target of `.auto-prompter.yaml`. Where a configured name is really near,
it is offered.

## Why it matters
The entry stands for no tool. In `denied_tools` that is a door which its author believes to be closed.

## Example
```yaml
denied_tools:
  - gihub/delete_file
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```

## Instead
```yaml
denied_tools:
  - github/delete_file
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite, with_fixes
from rules_lsp.checks.common.tool_names import servers_of, tool_entries
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    if subject.catalogue is None or not subject.catalogue.names():
        return
    servers = servers_of(subject)
    for found in tool_entries(subject):
        server, entry = found.server, found.entry
        if server is None or not found.names_server or servers.may_exist(server) or servers.lookalike(server):
            continue
        near = servers.nearest.to(server)
        if near is None and found.denying:
            # Denying a server that is not there yet is a precaution.
            continue
        advice = f"did you mean `{near}`?" if near is not None else "correct the name, or remove the entry"
        message = f"no server `{shown(server)}` is configured in this project: {advice}"
        corrected = f"{near}/{found.tool}" if near is not None and found.name == entry.text else None
        yield Diagnostic("unknown-server", "warning", message, entry.span), rewrite(subject, entry, corrected)


CHECK = Check.documented(
    "unknown-server",
    "warning",
    lambda subject: with_fixes(_find(subject)),
    __doc__,
    Stage.PROJECT,
    "safe",
    kinds=WITH_PROMPTER,
)
