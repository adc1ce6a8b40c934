"""An else in a template of Agent Zero, which has none.

## What it finds
`{{else}}`, `{{elif …}}` or `{{elseif …}}` in a prompt that takes the place of one about projects.

## Why it matters
It is printed as it stands, and what follows it belongs to the condition above: the agent is told both halves, or none.

## Example
```markdown agent.system.projects.active.md
{{if project_name}}Title: {{project_name}}{{else}}It has no title.{{endif}}
```

## Instead
```markdown agent.system.projects.active.md
{{if project_name}}Title: {{project_name}}{{endif}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "template-else",
    "error",
    found_by_reading("template-else"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-template"}),
)
