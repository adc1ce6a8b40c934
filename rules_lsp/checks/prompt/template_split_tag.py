"""A tag of a template over the border of two items.

## What it finds
`{{` or `{%` in one item of `user_content` whose `}}` or `%}` stands in another one.

## Why it matters
The items are joined before they are read, so that it works by chance: what stands between is taken for code.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description", "}}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "template-split-tag",
    "warning",
    found_by_reading("template-split-tag"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
