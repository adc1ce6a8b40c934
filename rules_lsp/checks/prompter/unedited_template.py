"""A placeholder of a template that nobody has filled in.

## What it finds
Text in angle brackets that one of the templates leaves for its author, in the `name` or the `instruction` of a rule.

## Why it matters
The agent reads the placeholder as it stands and makes something of it.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: check-official-sources
    when: always
    action: inject_instruction
    instruction: Rely on <the official sites of what this project uses>.
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: check-official-sources
    when: always
    action: inject_instruction
    instruction: Rely on docs.python.org and on the pages of our own wiki.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.prompter_rules import placed_rules
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompter.templates import TEMPLATES
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar

_PLACEHOLDERS = tuple(text for template in TEMPLATES for text in template.placeholders)


def _find(subject: Subject) -> Iterator[Diagnostic]:
    if not any(text in subject.text.content for text in _PLACEHOLDERS):
        return
    for placed in placed_rules(subject):
        for key in ("name", "instruction"):
            value = placed.value(key)
            if not isinstance(value, Scalar):
                continue
            for text in _PLACEHOLDERS:
                start = subject.text.content.find(text, value.span.start, value.span.end)
                if start >= 0:
                    message = f"`{text}` still stands as the template left it: write what is meant"
                    yield Diagnostic(CHECK.code, CHECK.severity, message, Span(start, start + len(text)))


CHECK = Check.documented(
    "unedited-template", "warning", _find, __doc__, Stage.ENTRY, "none", kinds=frozenset({"prompter"})
)
