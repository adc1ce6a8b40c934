"""A file of rules or of instructions that is no text.

## What it finds
A rule file, an `.auto-prompter.yaml`, an `AGENTS.md`, a `.a0proj/project.json`, a persona or a template of Agent Zero
that is not UTF-8, is larger than 1 MiB, is a directory, is a link that leads nowhere or out of the project, or may not
be read.

## Why it matters
None of its rules is in force, its deny list included. Until it is repaired the agent works under `default_rules` of
`config.yaml` where there are any, else without rules.
With such an `.auto-prompter.yaml` every call that the gate is asked about is denied. Of the others an agent is told
nothing.

## Example
```yaml .coding-agent-rules.yaml latin-1
# Schlüssel
denied_tools: [Bash]
```

## Instead
```yaml
# Schlüssel
denied_tools: [Bash]
```
"""

from __future__ import annotations

from rules_lsp.checks.common.base import Check, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_OBJECTS

CHECK = Check.documented(
    "unreadable-file",
    "error",
    found_by_reading("unreadable-file"),
    __doc__,
    Stage.TEXT,
    "none",
    kinds=WITH_OBJECTS | {"instructions", "a0-template"},
)
