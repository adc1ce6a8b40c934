"""A schema inside a persona that is none.

## What it finds
A `json_schema` that is no valid JSON Schema: an unknown type, a list where an object belongs.

## Why it matters
The model's program refuses the request, or the answer cannot be checked against it.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}"], "json_schema": {"type": "arry"}}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}"], "json_schema": {"type": "array"}}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "invalid-schema",
    "error",
    found_by_reading("invalid-schema"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
