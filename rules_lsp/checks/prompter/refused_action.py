"""An action that a file has no right to.

## What it finds
`stop_task` and `notify_admin`.

## Why it matters
Whoever may edit the file could end the work of others or write to an administrator; a file cannot show the right to
that. Such a rule denies whatever it could be meant for.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-ssh
    when: tool.before
    target: {categories: [ssh]}
    action: stop_task
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-ssh
    when: tool.before
    target: {categories: [ssh]}
    action: deny_current_tool
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompter.keys import DENY
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    if subject.text.content[problem.span.start : problem.span.start + 1] not in ("", "!", "&", "*", "|", ">"):
        yield Fix(f"write `{DENY}`", (TextEdit(problem.span, DENY),), safe=False)


CHECK = Check.documented(
    "refused-action",
    "error",
    found_by_reading("refused-action", _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"prompter"}),
)
