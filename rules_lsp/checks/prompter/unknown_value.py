"""A word that a key of a rule does not take.

## What it finds
A moment, an action, a category, a kind of command, a period, a language or a judge that there is not. The nearest one
is offered.

## Why it matters
The rule cannot be read: the gate denies whatever it could be meant for, until the word is corrected.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: confirm-deletions
    when: tool.before
    condition:
      command: {kinds: [delets]}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: confirm-deletions
    when: tool.before
    condition:
      command: {kinds: [deletes]}
    action: request_approval
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.nearest import Nearest
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    meant, written = problem.data.get("meant"), subject.text.slice(problem.span)
    if meant is None or not written or not written.isprintable() or written[:1] in "!&*":
        return
    certain = Nearest((meant,)).to(written) is not None
    yield Fix(f"write `{meant}`", (TextEdit(problem.span, meant),), certain)


CHECK = Check.documented(
    "unknown-value",
    "error",
    found_by_reading("unknown-value", _fixes),
    __doc__,
    Stage.SHAPE,
    "either",
    kinds=frozenset({"prompter"}),
)
