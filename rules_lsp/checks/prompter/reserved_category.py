"""A category that is reserved and cannot be judged yet.

## What it finds
`git` and `data_deletion` among the categories of a rule's target.

## Why it matters
No call is known to belong to them. So that such a rule lets nothing pass which it should hold back, the gate denies
every call until another category stands there.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: deletions
    when: tool.before
    target: {categories: [data_deletion]}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: deletions
    when: tool.before
    target: {categories: [command_execution]}
    condition:
      command: {kinds: [deletes]}
    action: request_approval
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem

_MEANWHILE = "command_execution"


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.item(problem.span)
    if found is not None and _MEANWHILE not in (getattr(item, "value", None) for item in found[0].items):
        yield Fix(f"write `{_MEANWHILE}`", (TextEdit(problem.span, _MEANWHILE),), safe=False)


CHECK = Check.documented(
    "reserved-category",
    "error",
    found_by_reading("reserved-category", _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"prompter"}),
)
