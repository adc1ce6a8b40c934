"""A rule file that does not name its schema.

## What it finds
A rule file in YAML without a line `# yaml-language-server: $schema=`. This check is off by default.

## Why it matters
With that line every editor with a YAML language server knows the keys of the file, also where this server does not run.

## Example
```yaml
denied_tools: [Bash]
```

## Instead
```yaml
# yaml-language-server: $schema=https://rules-lsp.dev/schemas/coding-agent-rules.schema.json
denied_tools: [Bash]
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span

SCHEMA = "https://rules-lsp.dev/schemas/coding-agent-rules.schema.json"
_LINE = re.compile(r"^\ufeff?#[ \t]*yaml-language-server:[ \t]*\$schema=\S", re.MULTILINE)


def _find(subject: Subject) -> Iterator[Diagnostic]:
    content = subject.text.content
    if subject.kind != "yaml" or not content.strip("\ufeff \t\r\n") or _LINE.search(content):
        return
    start = 1 if content.startswith("\ufeff") else 0
    line = f"# yaml-language-server: $schema={SCHEMA}{line_break_of(subject.text)}"
    message = "the file does not name its schema: add a line `# yaml-language-server: $schema=…`"
    fix = Fix("add the line", (TextEdit(Span(start, start), line),))
    yield Diagnostic("missing-schema-line", "information", message, subject.text.line_span(0), (), (fix,))


CHECK = Check.documented("missing-schema-line", "information", _find, __doc__, Stage.BESIDE, "safe", on=False)
