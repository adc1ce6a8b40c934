"""A persona with comments or commas that plain JSON does not have.

## What it finds
The first comment, or the first comma behind the last item, in a persona.

## Why it matters
It is read here all the same. The program that personas are written for takes plain JSON only, and refuses the file.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}"],}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "relaxed-json",
    "warning",
    found_by_reading("relaxed-json"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
