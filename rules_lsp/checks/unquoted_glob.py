"""A pattern that begins with a character that YAML reads for itself.

## What it finds
A pattern without quotes that begins with `*`, `!`, `[`, `{`, `@`, `%` or a backtick, or that holds brackets inside a
list in brackets. YAML reads it as an alias, a tag, a list, a mapping or nothing at all, and never as the text that its
author meant.

## Why it matters
Most of these make the whole file unreadable: none of its rules is in force, the deny list included. `[ab]` and
`{a,b}` are read as lists and mappings, so that the one entry is broken.

## Example
```yaml
file_patterns:
  include:
    - src/**
    - *.py
```

## Instead
```yaml
file_patterns:
  include:
    - src/**
    - "*.py"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.quoting import quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    value = problem.data.get("value", "")
    if not value or "\n" in value or "\r" in value:
        return
    replacement = quoted(value, subject.nodes.preferred_quote)
    yield Fix(f"write {shown(replacement)}", (TextEdit(problem.span, replacement),))


CHECK = Check.documented(
    "unquoted-glob",
    "error",
    found_by_reading("unquoted-glob", _fixes),
    __doc__,
    Stage.TEXT,
    "safe",
    kinds=WITH_PROMPTER,
)
