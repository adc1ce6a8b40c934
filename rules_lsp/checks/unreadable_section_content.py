"""A section of a Markdown rule file in which nothing can be read.

## What it finds
`Allowed Tools`, `Denied Tools`, `File Patterns`, or an include or exclude in it, that has content but no list item, no
table and no `yaml` block with an entry: a paragraph, or code of another kind. A paragraph that says `None` is no
content. A document that is too long to be read to its end is one such as well.

## Why it matters
What cannot be read never widens access. A section that allows allows nothing then; of one that denies nobody can say
what it denies, so every tool or every file is denied until it is repaired.

## Example
```markdown
## Denied Tools

The shell, and everything that deletes.
```

## Instead
```markdown
## Denied Tools

The shell, and everything that deletes:

- `Bash`
- `*/delete_*`
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CODE = "unreadable-section-content"
CHECK = Check.documented(CODE, "error", found_by_reading(CODE), __doc__, Stage.SHAPE, "none")
