"""An end without a condition in a template of Agent Zero.

## What it finds
An `{{endif}}` that closes nothing, and `{{/if}}`, `{{fi}}`, `{{end}}` or `{{end if}}`, in a prompt that takes the
place of one about projects.

## Why it matters
It is printed as it stands. A condition that was to end there goes on to a later `{{endif}}`, or is never closed.

## Example
```markdown agent.system.projects.active.md
The folder is {{project_path}}.{{endif}}
```

## Instead
```markdown agent.system.projects.active.md
The folder is {{project_path}}.
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "stray-endif",
    "error",
    found_by_reading("stray-endif"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-template"}),
)
