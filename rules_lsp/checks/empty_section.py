"""A section that allows and has no entries.

## What it finds
`Allowed Tools`, or an include of `File Patterns`, without any entry.

## Why it matters
An empty list is a list: it allows nothing. Who wants no restriction has no such section.

## Example
```markdown
## File Patterns

### Include

### Exclude

- `*.pem`
```

## Instead
```markdown
## File Patterns

### Exclude

- `*.pem`
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented("empty-section", "warning", found_by_reading("empty-section"), __doc__, Stage.SHAPE, "none")
