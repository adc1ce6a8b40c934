"""A section inside a code block, a comment, HTML or a quote.

## What it finds
A heading with a section's name and entries below it that Markdown does not take for a heading, since it stands in a
fence of Markdown or of no language, in indented code, in a comment or in a quote. One that is also a real section of
the file, or that the text before it calls an example, is there on purpose and is left alone.

## Why it matters
Its rules are not read: what it denies is not denied.

## Example
```markdown
~~~markdown
## Denied Tools

- `Bash`
~~~
```

## Instead
```markdown
## Denied Tools

- `Bash`
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented("section-in-code", "warning", found_by_reading("section-in-code"), __doc__, Stage.TEXT, "none")
