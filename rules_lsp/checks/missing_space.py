"""A dash or a colon without the space behind it.

## What it finds
A line such as `-github/x` or `exclude:["a"]` where a list or a key belongs.

## Why it matters
Without the space YAML reads plain text: neither is the one an entry nor the other a key. Lines of that kind run
together into one text, or the file does not parse and none of its rules is in force.

## Example
```yaml
denied_tools:
  -Bash
  -github/delete_file
```

## Instead
```yaml
denied_tools:
  - Bash
  - github/delete_file
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.slip_fixes import found_with_all_slips

CHECK = Check.documented(
    "missing-space",
    "error",
    found_with_all_slips("missing-space", "add the missing spaces"),
    __doc__,
    Stage.TEXT,
    "safe",
    kinds=WITH_PROMPTER,
)
