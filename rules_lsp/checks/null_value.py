"""A key or an entry without a value.

## What it finds
A key with nothing, `~` or `null` behind it, and an entry of a list that is empty.

## Why it matters
A key without a value counts as not written: `allowed_tools:` with nothing below it restricts no tool. An empty entry
says nothing. Both are mostly what is left of something that was removed or never finished.

## Example
```yaml
denied_tools:
  - Bash
  -
```

## Instead
```yaml
denied_tools:
  - Bash
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented("null-value", "warning", found_by_reading("null-value"), __doc__, Stage.SHAPE, "none")
