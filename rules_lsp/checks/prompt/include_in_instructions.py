"""An include in instructions that Agent Zero replaces.

## What it finds
`{{ include "file" }}` and `{{ include original }}` in an `AGENTS.md`, in a file of
`.a0proj/instructions` or in the `instructions` of `.a0proj/project.json`.

## Why it matters
Agent Zero takes it for an order, also where it is only an example: a prompt of its own stands in the place then, and
other agents are told the braces.

## Example
```markdown AGENTS.md
Prompts begin with {{ include "head.md" }}.
```

## Instead
```markdown AGENTS.md
Prompts begin with an include of `head.md`.
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "include-in-instructions",
    "warning",
    found_by_reading("include-in-instructions"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"instructions", "a0-project"}),
)
