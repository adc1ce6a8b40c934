"""A variable that a persona is not given.

## What it finds
A name in the template of a persona that is none of `property_descriptions`, `datetime`, `platform`, `cwd`,
`task_description`, `target_contents` and `context_contents`, and that the template itself does not define.

## Why it matters
Rendering stops there, so that the persona cannot be used.

## Example
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}", "{{ target_content }}"]}
```

## Instead
```json .shaft/commands/templates/ask.json
{"user_content": ["{{ task_description }}", "{{ target_contents }}"]}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.key_renames import meant_of, renaming
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem

_NAME = expression(r"\w+\Z")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    meant = meant_of(problem)
    # A name that is written with escapes is left to its author.
    if meant is not None and _NAME.match(subject.text.slice(problem.span)):
        yield renaming(problem.span, meant)


CHECK = Check.documented(
    "undefined-variable",
    "error",
    found_by_reading("undefined-variable", _fixes),
    __doc__,
    Stage.SHAPE,
    "safe",
    kinds=frozenset({"persona"}),
)
