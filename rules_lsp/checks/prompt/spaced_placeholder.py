"""A placeholder of a template of Agent Zero with blanks around its name.

## What it finds
`{{ name }}` in a prompt that takes the place of one about projects, where `name` is one that it may use.

## Why it matters
It is not replaced: the agent is told the braces.

## Example
```markdown agent.system.projects.active.md
The folder is {{ project_path }}.
```

## Instead
```markdown agent.system.projects.active.md
The folder is {{project_path}}.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    write = problem.data["write"]
    yield Fix(f"write `{write}`", (TextEdit(problem.span, write),))


CHECK = Check.documented(
    "spaced-placeholder",
    "error",
    found_by_reading("spaced-placeholder", _fixes),
    __doc__,
    Stage.SHAPE,
    "safe",
    kinds=frozenset({"a0-template"}),
)
