"""The same key twice.

## What it finds
A key that stands a second time in its mapping.

## Why it matters
Programs that read YAML or JSON disagree about which of the two counts. Here the lists of a denying key are united, and
of an allowing key both lists must allow, so that what is left may be less than either says; of JSON the last counts.

## Example
```yaml
allowed_tools: [Read, Grep]
denied_tools: [Bash]
allowed_tools: [Read, Edit]
```

## Instead
```yaml
allowed_tools: [Read]
denied_tools: [Bash]
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_OBJECTS

CHECK = Check.documented(
    "duplicate-key", "error", found_by_reading("duplicate-key"), __doc__, Stage.SHAPE, "none", kinds=WITH_OBJECTS
)
