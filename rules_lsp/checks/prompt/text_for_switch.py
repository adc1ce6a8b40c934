"""A text where a switch belongs.

## What it finds
An `include_agents_md` in `.a0proj/project.json` that is a text and not `0`, `false`, `no` or `off`.

## Why it matters
Every other text counts as true: an agent is told the `AGENTS.md` of the project although the file seems to say that it
is not.

## Example
```json .a0proj/project.json
{"include_agents_md": "never"}
```

## Instead
```json .a0proj/project.json
{"include_agents_md": false}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    write = problem.data.get("write")
    if write is not None:
        yield Fix(f"write `{write}`", (TextEdit(problem.span, write),))


CHECK = Check.documented(
    "text-for-switch",
    "warning",
    found_by_reading("text-for-switch", _fixes),
    __doc__,
    Stage.SHAPE,
    "safe",
    kinds=frozenset({"a0-project"}),
)
