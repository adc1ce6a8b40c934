"""A pattern of which nobody can say whether it includes or excludes.

## What it finds
An entry of `File Patterns` that stands under neither an `Include` nor an `Exclude`: a heading, an item, a label, a
column or a key of that name.

## Why it matters
What cannot be read never widens access: the pattern counts as an exclude, so what was perhaps meant to be included is
denied.

## Example
```markdown
## File Patterns

- `generated/**`
```

## Instead
```markdown
## File Patterns

### Exclude

- `generated/**`
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "unplaced-pattern", "error", found_by_reading("unplaced-pattern"), __doc__, Stage.SHAPE, "none"
)
