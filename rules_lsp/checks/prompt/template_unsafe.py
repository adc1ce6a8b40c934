"""A template that reaches for what is internal.

## What it finds
An attribute whose name begins with `_`, in the template of a persona.

## Why it matters
By such names a template can run code. They are refused, so that the persona cannot be used.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description.__class__ }}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "template-unsafe",
    "error",
    found_by_reading("template-unsafe"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
