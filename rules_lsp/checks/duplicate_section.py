"""Two sections of one name.

## What it finds
A section whose name another section of the file already has.

## Why it matters
Both count. What either denies is denied, and a tool or a file must be allowed by both to be allowed, so two sections
that allow often leave nothing.

## Example
```markdown
## Denied Tools

- `Bash`

## Denied Tools

- `*/delete_*`
```

## Instead
```markdown
## Denied Tools

- `Bash`
- `*/delete_*`
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "duplicate-section", "warning", found_by_reading("duplicate-section"), __doc__, Stage.SHAPE, "none"
)
