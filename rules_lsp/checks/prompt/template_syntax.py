"""A template that is no Jinja.

## What it finds
The place where the text of `user_content`, its items joined, stops being a Jinja template: a block or a tag that is
never closed, an unknown tag, a quote that is left open.

## Why it matters
Nothing can be rendered, so that the persona cannot be used.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}", "{% if cwd %}in {{ cwd }}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}", "{% if cwd %}in {{ cwd }}{% endif %}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "template-syntax",
    "error",
    found_by_reading("template-syntax"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
