"""An action at a moment that does not take it.

## What it finds
A `when` that takes no rule (`tool.after`, `tool.denied`, `runtime.error` are observed in the audit only), and an
`action` that its `when` does not take: `always` only injects, and a completion waits for no approval.

## Why it matters
Nothing could be done then: what has run cannot be denied, and there is no call to approve. The gate denies whatever
such a rule could be meant for.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: finish
    when: completion.before_accept
    action: request_approval
    instruction: Show what you have tested.
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: finish
    when: completion.before_accept
    action: deny_current_tool
    instruction: Show what you have tested.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompter.keys import APPROVE, BEFORE_COMPLETION, BEFORE_TOOL, DENY, OBSERVED
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    written = subject.text.slice(problem.span)
    if written.strip("'\"") in OBSERVED:
        yield _written(problem.span, BEFORE_TOOL)
        return
    found = subject.nodes.pair(problem.span)
    if found is None:
        return
    mapping, _, action = found
    when = mapping.get("when")
    if not isinstance(when, Scalar) or not isinstance(action, Scalar):
        return
    if when.value == BEFORE_COMPLETION and action.value == APPROVE:
        yield _written(action.token, DENY)
    elif when.value != BEFORE_COMPLETION and any(value is when for _, value in mapping.pairs):
        yield _written(when.token, BEFORE_TOOL)


def _written(span: Span, word: str) -> Fix:
    return Fix(f"write `{word}`", (TextEdit(span, word),), safe=False)


CHECK = Check.documented(
    "illegal-action",
    "error",
    found_by_reading("illegal-action", _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"prompter"}),
)
