"""An include in instructions that leaves the folder of prompts.

## What it finds
`{{ include "../file" }}` in an `AGENTS.md`, in a file of `.a0proj/instructions` or in the `instructions` of
`.a0proj/project.json`.

## Why it matters
Agent Zero puts the file in its place and sends it to the model, wherever it lies: whoever may write instructions may
have any file of the machine read.

## Example
```markdown AGENTS.md
The team's habits: {{ include "../../home/notes.md" }}
```

## Instead
```markdown AGENTS.md
The team's habits are in `docs/habits.md`.
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "include-escapes",
    "error",
    found_by_reading("include-escapes"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"instructions", "a0-project"}),
)
