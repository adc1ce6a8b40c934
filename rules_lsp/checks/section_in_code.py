"""Rules that are hidden in code, a comment, HTML, a quote, or YAML in Markdown.

## What it finds
A heading with a section's name and entries below it that Markdown does not take for a heading, since it stands in a
fence of Markdown or of no language, in indented code, in a comment or in a quote. One that is also a real section of
the file, or that the text before it calls an example, is there on purpose and is left alone. Likewise the key of a list
that a `.coding-agent-rules.md` holds outside of its sections: as plain text, as front matter or in a fence.

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

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Stage, diagnostic_of, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.yaml_in_markdown import yaml_in_markdown

_CODE = "section-in-code"
_found_by_reading = found_by_reading(_CODE)


def _find(subject: Subject) -> Iterator[Diagnostic]:
    yield from _found_by_reading(subject)
    yield from map(diagnostic_of, yaml_in_markdown(subject))


CHECK = Check.documented(_CODE, "warning", _find, __doc__, Stage.TEXT, "none")
