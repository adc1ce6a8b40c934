"""A filter or a test that templates do not have.

## What it finds
A name behind `|` or `is` that Jinja does not know, in the template of a persona.

## Why it matters
Nothing can be rendered, so that the persona cannot be used.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description | uper }}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description | upper }}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "unknown-filter",
    "error",
    found_by_reading("unknown-filter"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
