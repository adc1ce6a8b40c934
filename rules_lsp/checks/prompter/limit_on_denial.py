"""A limit on a rule that denies.

## What it finds
A `limit` in a rule whose action is `deny_current_tool`.

## Why it matters
Once the limit were spent the door would be open. A denial holds as long as the rule is there; to let something pass
after a person has looked, ask for approval instead.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-ssh
    when: tool.before
    target: {categories: [ssh]}
    action: deny_current_tool
    limit: {fires: 3}
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
from rules_lsp.checks.common.prompter_rules import without_pair
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    if found is not None:
        yield from without_pair(subject, found[0], "limit", safe=True)


CHECK = Check.documented(
    "limit-on-denial",
    "error",
    found_by_reading("limit-on-denial", _fixes),
    __doc__,
    Stage.SHAPE,
    "safe",
    kinds=frozenset({"prompter"}),
)
