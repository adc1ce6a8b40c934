"""A character that only looks like YAML's punctuation.

## What it finds
A full-width or typographic character where YAML syntax belongs: `：` for `:`, `－` or `–` or `•` for `-`, curly
quotes around an entry, `［ ］` or `【 】` around a list, `，` between its entries, `＃` before a remark, `｜` before
a block of text, a no-break space or an ideographic one in the indentation or behind a dash or a colon. The marks of a
Markdown list, `*` and `+` and `1.`, are such too.

## Why it matters
YAML takes it for a letter. What is written as a key or a list is read as plain text: mostly the file does not parse and
none of its rules is in force.

## Example
```yaml
denied_tools：
  － Bash
```

## Instead
```yaml
denied_tools:
  - Bash
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.slip_fixes import found_with_all_slips

CHECK = Check.documented(
    "fullwidth-punctuation",
    "error",
    found_with_all_slips("fullwidth-punctuation", "write the punctuation of YAML"),
    __doc__,
    Stage.TEXT,
    "safe",
    kinds=WITH_PROMPTER,
)
