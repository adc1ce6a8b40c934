"""A regular expression that does not compile, or that is not linear.

## What it finds
A `matches` that is no regular expression in the notation of Python's `re`, that holds a reference back, a look ahead
or behind, an atomic group or a possessive repetition, or that repeats too much.

## Why it matters
The gate searches every command line, whoever wrote it: an expression that may take years would stop all work. A rule
with such a one denies whatever it could be meant for.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-terraform
    when: tool.before
    condition:
      command: {matches: '\\bterraform\\b(?! plan)'}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-terraform
    when: tool.before
    condition:
      command: {matches: '\\bterraform\\b'}
    action: request_approval
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading

CHECK = Check.documented(
    "invalid-expression",
    "error",
    found_by_reading("invalid-expression"),
    __doc__,
    Stage.SHAPE,
    "none",
    kinds=frozenset({"prompter"}),
)
