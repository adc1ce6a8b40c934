r"""A backslash between the parts of a path that YAML reads as a control character.

## What it finds
A path with backslashes in double quotes, such as `"src\app"`: there `\a` is a bell, `\t` a tab, `\n` a line break.

## Why it matters
The entry holds a character that is in no path, so it matches nothing: an exclude of that kind denies nothing. Paths are
written with `/` on every system.

## Example
```yaml
file_patterns:
  exclude:
    - "secrets\tokens"
```

## Instead
```yaml
file_patterns:
  exclude:
    - "secrets/tokens"
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem

# Between the parts of a path two backslashes are one separator too; others stand for what their author meant.
_SEPARATOR = re.compile(r"\\{1,2}(?=[A-Za-z0-9_.*({[-])")
_REAL_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\"/ NLP_])|\\\\[^A-Za-z0-9_.*({[-]")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    entry = subject.entry_at(problem.span)
    if entry is None:
        return
    written = subject.text.slice(entry.span)
    if "\n" in written or "\r" in written or _REAL_ESCAPE.search(written):
        return
    replacement = _SEPARATOR.sub("/", written)
    yield Fix(f"write {shown(replacement)}", (TextEdit(entry.span, replacement),))


CHECK = Check.documented(
    "escaped-backslash", "error", found_by_reading("escaped-backslash", _fixes), __doc__, Stage.TEXT, "safe"
)
