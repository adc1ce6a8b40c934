"""A condition of a template of Agent Zero that is more than a name.

## What it finds
`{{if …}}` with an operator, a call or several words in it, in a prompt that takes the place of one about projects.

## Why it matters
What it decides is not shown here, since only names are: in a preview it and every condition behind it stay as written.

## Example
```markdown agent.system.projects.active.md
{{if not project_name}}It has no title.{{endif}}
```

## Instead
```markdown agent.system.projects.active.md
{{if project_name}}Title: {{project_name}}{{endif}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "condition-expression",
    "information",
    found_by_reading("condition-expression"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-template"}),
)
