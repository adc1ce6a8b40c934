"""A document that grows without end when it is written out.

## What it finds
Brackets or lists more than 100 levels deep, and aliases that stand for more than 10,000 values.

## Why it matters
Such a document takes all time and memory of a program that reads it. It is not read here, so that none of its rules is
in force, its deny list included.

## Example
```yaml
x-a: &a [Read, Read, Read, Read, Read, Read, Read, Read, Read, Read]
x-b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
x-c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
x-d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
allowed_tools: *d
```

## Instead
```yaml
allowed_tools: [Read]
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_PROMPTER

CHECK = Check.documented(
    "alias-bomb", "error", found_by_reading("alias-bomb"), __doc__, Stage.TEXT, "none", kinds=WITH_PROMPTER
)
