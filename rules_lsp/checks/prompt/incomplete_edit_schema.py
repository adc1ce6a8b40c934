"""A schema of edits that lacks what an edit needs.

## What it finds
A `json_schema` with some of `file_path`, `search_block` and `replace_block`, and not with all three.

## Why it matters
An answer that keeps to the schema cannot be applied: nothing says where, or what is replaced by what.

## Example
```json .shaft/commands/templates/ask.json
{
  "user_content": ["{{ task_description }} {{ target_contents }}"],
  "json_schema": {"type": "array", "items": {"type": "object", "properties": {
    "file_path": {"type": "string"}, "search_block": {"type": "string"}
  }}}
}
```

## Instead
```json .shaft/commands/templates/ask.json
{
  "user_content": ["{{ task_description }} {{ target_contents }}"],
  "json_schema": {"type": "array", "items": {"type": "object", "properties": {
    "file_path": {"type": "string"}, "search_block": {"type": "string"}, "replace_block": {"type": "string"}
  }}}
}
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "incomplete-edit-schema",
    "warning",
    found_by_reading("incomplete-edit-schema"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"persona"}),
)
