"""A regular expression that does not compile, or that is not linear.

## What it finds
A `matches` that is no regular expression in the notation of Python's `re`, that holds a reference back, a look ahead
or behind, an atomic group or a possessive repetition, or that repeats too much; and `\\b` in double quotes, where YAML
reads a backspace and not the border of a word.

## Why it matters
The gate searches every command line, whoever wrote it: an expression that may take years would stop all work. A rule
with such a one denies whatever it could be meant for. One with a backspace never holds.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-terraform
    when: tool.before
    condition:
      command: {matches: '\\bterraform\\b(?! plan)'}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-terraform
    when: tool.before
    condition:
      command: {matches: '\\bterraform\\b'}
    action: request_approval
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage, found_by_reading
from rules_lsp.checks.common.prompter_rules import placed_rules
from rules_lsp.checks.common.quoting import quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.yaml_tree import Scalar

_CODE = "invalid-expression"
_OTHER_ESCAPE = re.compile(r"\\(?!b)|[\r\n]")
_found = found_by_reading(_CODE)


def _find(subject: Subject) -> Iterator[Diagnostic]:
    yield from _found(subject)
    for placed in placed_rules(subject):
        value = placed.value("condition", "command", "matches")
        if placed.rule.broken is None and isinstance(value, Scalar) and value.style == '"' and "\b" in value.value:
            message = r"`\b` in double quotes is a backspace, which no command holds: use single quotes"
            yield Diagnostic(_CODE, "error", message, value.span, (), _fixes(subject, value))


def _fixes(subject: Subject, value: Scalar) -> tuple[Fix, ...]:
    written = subject.text.slice(value.span)
    if _OTHER_ESCAPE.search(written) or subject.text.content[value.token.start] != '"' or subject.nodes.has_aliases:
        return ()
    return (Fix("use single quotes", (TextEdit(value.token, quoted(written, "'")),)),)


CHECK = Check.documented(_CODE, "error", _find, __doc__, Stage.SHAPE, "safe", kinds=frozenset({"prompter"}))
