"""A name that a template of Agent Zero is not given.

## What it finds
A name in `{{…}}` or behind `{{if …}}` that is not among those of the template: `project_path`, `project_name`,
`project_description` and `project_git_url` in `agent.system.projects.active.md`, the instructions themselves in
`agent.protocol.projects.agents_md.md` and `agent.protocol.projects.instructions.md`. A placeholder is a warning.

## Why it matters
A placeholder is printed with its braces. A condition cannot be decided: it and every condition behind it are printed
as they stand, with their text.

## Example
```markdown agent.system.projects.active.md
{{if project_title}}Title: {{project_name}}{{endif}}
```

## Instead
```markdown agent.system.projects.active.md
{{if project_name}}Title: {{project_name}}{{endif}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "undefined-name",
    "error",
    found_by_reading("undefined-name"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"a0-template"}),
)
