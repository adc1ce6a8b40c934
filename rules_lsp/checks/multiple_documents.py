"""A second YAML document in the file.

## What it finds
A line `---`, or text behind a line `...`, with which a second document begins.

## Why it matters
A file of rules is one document. What stands in the second one is never read, and since nobody can say which of the two
is meant, none of the file is in force, its deny list included.

## Example
```yaml
denied_tools: [Bash]
---
file_patterns:
  exclude: [secrets/]
```

## Instead
```yaml
denied_tools: [Bash]
file_patterns:
  exclude: [secrets/]
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_PROMPTER

CHECK = Check.documented(
    "multiple-documents",
    "error",
    found_by_reading("multiple-documents"),
    __doc__,
    Stage.TEXT,
    "none",
    kinds=WITH_PROMPTER,
)
