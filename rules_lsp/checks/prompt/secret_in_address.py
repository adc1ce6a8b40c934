"""A password or a token in the address of a project's repository.

## What it finds
A `git_url` in `.a0proj/project.json` with a user and password, or with a parameter whose name speaks of a secret. The
secret is shown nowhere in what this program prints.

## Why it matters
Everyone who may read the file has it, and Agent Zero may tell it to a model. It is known by then: remove it here, and
change it where it was made.

## Example
```json .a0proj/project.json
{"git_url": "https://me:example@git.example.org/shop.git"}
```

## Instead
```json .a0proj/project.json
{"git_url": "https://git.example.org/shop.git"}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    clean = problem.data.get("clean")
    if clean is not None:
        # It may stand nowhere else.
        yield Fix("remove the secret from the address", (TextEdit(problem.span, clean),), safe=False)


CHECK = Check.documented(
    "secret-in-address",
    "error",
    found_by_reading("secret-in-address", _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"a0-project"}),
)
