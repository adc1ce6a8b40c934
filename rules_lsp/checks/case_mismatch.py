"""A name that differs from a known one only in its case.

## What it finds
An entry of `allowed_tools` that names a configured server, or a tool that its server is known to have, in another
case. In `denied_tools` case does not count.

## Why it matters
Allowing entries match exactly: `GitHub/get_me` allows nothing where the server is called `github`.

## Example
```yaml
allowed_tools:
  - Read
  - GitHub/get_me
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```

## Instead
```yaml
allowed_tools:
  - Read
  - github/get_me
```

```json .mcp.json
{"mcpServers": {"github": {"command": "github-mcp-server"}}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.case_mismatch_globs import mismatched_patterns
from rules_lsp.checks.common.case_mismatch_tools import tool_mismatches
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import with_fixes


def _find(subject: Subject) -> Iterator[Diagnostic]:
    yield from with_fixes(tool_mismatches(subject))
    yield from mismatched_patterns(subject)


CHECK = Check.documented("case-mismatch", "warning", _find, __doc__, Stage.PROJECT, "safe")
