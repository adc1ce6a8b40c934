"""A key that has no place in its rule.

## What it finds
A `target`, `condition` or `limit` in a rule for `always`, a part of a condition that is about calls in a rule about
completions or the other way round, and `repeat_after_denial` in a rule that asks for no approval.

## Why it matters
The author believes in a restriction that is none. The gate denies whatever such a rule could be meant for.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: be-kind
    when: always
    target: {categories: [browser]}
    action: inject_instruction
    instruction: Be kind.
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: be-kind
    when: always
    action: inject_instruction
    instruction: Be kind.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.prompter_rules import without_pair
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompter.keys import ALWAYS
from rules_lsp.source.problem import Problem
from rules_lsp.source.yaml_tree import Mapping, Scalar


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    if found is None:
        return
    mapping, key, value = found
    when = mapping.get("when")
    if isinstance(when, Scalar) and (when.value == ALWAYS or key.value == "target"):
        yield from without_pair(subject, mapping, key.value, safe=False)
    elif key.value == "limit" and isinstance(value, Mapping):
        # The one part of a limit that says when a call is asked about again says nothing elsewhere.
        yield from without_pair(subject, value, "repeat_after_denial", safe=False)


CHECK = Check.documented(
    "illegal-key",
    "error",
    found_by_reading("illegal-key", _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"prompter"}),
)
