"""A persona that does not use what it is given.

## What it finds
A template without `task_description`, one for edits without `target_contents`, a macro or a variable of the template
that is never used.

## Why it matters
What the user asks for, or the text that is to be edited, never reaches the model.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["Review {{ target_contents }}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["Review {{ target_contents }}: {{ task_description }}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "unused-variable",
    "warning",
    found_by_reading("unused-variable"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
