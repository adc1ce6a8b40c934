"""A key that Agent Zero drops from a project's file.

## What it finds
A key of `.a0proj/project.json` that projects do not have; the nearest one that they have is told.

## Why it matters
It has no effect, and it is gone once Agent Zero saves the project.

## Example
```json .a0proj/project.json
{"tittle": "Shop"}
```

## Instead
```json .a0proj/project.json
{"title": "Shop"}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.key_renames import with_renames
from rules_lsp.checks.common.subject import Subject

_CODE = "dropped-key"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    # Of a key that stands there twice the second says just that.
    twice = {problem.span for problem in subject.problems if problem.code == "duplicate-key"}
    return with_renames(subject, (each for each in subject.problems if each.code == _CODE and each.span not in twice))


CHECK = Check.documented(_CODE, "warning", _find, __doc__, Stage.SHAPE, "safe", kinds=frozenset({"a0-project"}))
