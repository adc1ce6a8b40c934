"""An entry that YAML reads as something else than a text.

## What it finds
An entry without quotes that is a boolean (`no`, `on`, `true`), a number (`010`, `1.0`, `1:30`), a date or `null` for
programs that read YAML.

## Why it matters
Here it is taken as it is written. Another program that reads the same file sees `false`, 8 or a day.

## Example
```yaml
file_patterns:
  exclude:
    - 2024-01-01
```

## Instead
```yaml
file_patterns:
  exclude:
    - "2024-01-01"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.quoting import quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    replacement = quoted(subject.text.slice(problem.span), subject.nodes.preferred_quote)
    yield Fix(f"write {shown(replacement)}", (TextEdit(problem.span, replacement),))


CHECK = Check.documented(
    "ambiguous-scalar", "warning", found_by_reading("ambiguous-scalar", _fixes), __doc__, Stage.ENTRY, "safe"
)
