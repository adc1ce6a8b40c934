"""A tag of another template language in a template of Agent Zero.

## What it finds
`{% … %}` and `{# … #}` of Jinja in a prompt that takes the place of one about projects.

## Why it matters
It is plain text there: the agent is told the tag, and both halves of what it was to decide.

## Example
```markdown agent.system.projects.active.md
{% if project_name %}Title: {{project_name}}{% endif %}
```

## Instead
```markdown agent.system.projects.active.md
{{if project_name}}Title: {{project_name}}{{endif}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "foreign-template-tag",
    "warning",
    found_by_reading("foreign-template-tag"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-template"}),
)
