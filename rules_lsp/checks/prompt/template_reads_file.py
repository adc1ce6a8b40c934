"""A template that takes in a file.

## What it finds
`include`, `import` or `extends` of anything but a text of this package, in the template of a persona.

## Why it matters
A template reads no files: that is refused, so that the persona cannot be used.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }} {% include 'notes.md' %}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }} {{ context_contents }}"]}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "template-reads-file",
    "error",
    found_by_reading("template-reads-file"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
