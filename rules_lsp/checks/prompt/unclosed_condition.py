"""A condition of a template of Agent Zero that is never closed.

## What it finds
An `{{if …}}` without its `{{endif}}` in a prompt that takes the place of one about projects.

## Why it matters
Nobody knows where it ends: it and every condition behind it are printed as they stand, with their text.

## Example
```markdown agent.system.projects.active.md
{{if project_git_url}}Repository: {{project_git_url}}
```

## Instead
```markdown agent.system.projects.active.md
{{if project_git_url}}Repository: {{project_git_url}}{{endif}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "unclosed-condition",
    "error",
    found_by_reading("unclosed-condition"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-template"}),
)
