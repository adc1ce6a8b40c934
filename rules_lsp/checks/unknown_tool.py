"""A tool that its server does not have.

## What it finds
An entry `server/tool` of a server whose tools are all known, because its software is or because it was asked, and
that has no tool of this name. Nothing is said of a server that is not known, nor of a name with wildcards.
The targets of rules in `.auto-prompter.yaml` are looked at likewise.

## Why it matters
The entry stands for no tool. In `denied_tools` that is a door which its author believes to be closed.

## Example
```yaml
denied_tools:
  - github/delete_fil
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
from rules_lsp.checks.common.known_tools import tools_of_project
from rules_lsp.checks.common.lookalikes import told_of_look_alike
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite, with_fixes
from rules_lsp.checks.common.tool_names import tool_entries
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    known = tools_of_project(subject)
    for found in tool_entries(subject) if known else ():
        server = known.server_of(found)
        tools = known.of(server) if server is not None else None
        if server is None or tools is None or not tools.whole or tools.may_have(found.tool):
            continue
        if tools.renamed(found.tool) is not None:
            continue
        near = tools.near(found.tool)
        advice = f"did you mean `{near}`?" if near is not None else "correct the name, or remove the entry"
        software = f" ({tools.title})" if tools.title != server else ""
        message = f"the server `{shown(server)}`{software} has no tool `{shown(found.tool)}`: {advice}"
        message = told_of_look_alike(message, found.tool)
        corrected = f"{server}/{near}" if near is not None and found.name == found.entry.text else None
        yield Diagnostic("unknown-tool", "warning", message, found.entry.span), rewrite(subject, found.entry, corrected)


CHECK = Check.documented(
    "unknown-tool",
    "warning",
    lambda subject: with_fixes(_find(subject)),
    __doc__,
    Stage.PROJECT,
    "safe",
    kinds=WITH_PROMPTER,
)
