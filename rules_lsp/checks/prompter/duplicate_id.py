"""An id that two rules bear.

## What it finds
The `id` of a rule that an earlier rule has.

## Why it matters
Counters, limits and approvals are kept under it: one rule could spend what was granted to the other. The second one
denies whatever it could be meant for, until it has an id of its own.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - {id: watch, when: tool.before, target: {categories: [ssh]}, action: audit_only}
  - {id: watch, when: tool.before, target: {categories: [browser]}, action: audit_only}
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - {id: watch, when: tool.before, target: {categories: [ssh]}, action: audit_only}
  - {id: watch-2, when: tool.before, target: {categories: [browser]}, action: audit_only}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, Stage, diagnostic_of
from rules_lsp.checks.common.prompter_rules import placed_rules
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit

_CODE = "duplicate-id"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    problems = [problem for problem in subject.problems if problem.code == _CODE]
    taken = {placed.rule.id for placed in placed_rules(subject)} if problems else set()
    number: dict[str, int] = {}
    for count, problem in enumerate(problems):
        written = subject.text.slice(problem.span)
        if count >= MAX_DIAGNOSTICS or "\n" in written:
            yield diagnostic_of(problem)
            continue
        at = number.get(written, 2)
        while f"{written}-{at}" in taken:
            at += 1
        free = f"{written}-{at}"
        taken.add(free)
        number[written] = at + 1
        yield diagnostic_of(problem, (Fix(f"rename it to `{free}`", (TextEdit(problem.span, free),), safe=False),))


CHECK = Check.documented(_CODE, "error", _find, __doc__, Stage.SHAPE, "unsafe", kinds=frozenset({"prompter"}))
