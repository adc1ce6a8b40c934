"""A rule file of the configuration that is not there.

## What it finds
An entry of `rule_files` in `config.yaml` that lies outside the project or does not exist. One of the three ordinary
names may be missing while another entry of the list exists: the list is an order, and the first that exists counts.

## Why it matters
The entry is passed over. If no other one exists, the project has no rules.

## Example
```yaml config.yaml
project_agent_rules:
  rule_files: [agent/rule.yaml]
```

```yaml agent/rules.yaml
denied_tools: [Bash]
```

## Instead
```yaml config.yaml
project_agent_rules:
  rule_files: [agent/rules.yaml]
```

```yaml agent/rules.yaml
denied_tools: [Bash]
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.config import DEFAULT_RULE_FILES, Config
from rules_lsp.policy.entries import shown
from rules_lsp.policy.roots import Root


def _find(subject: Subject) -> Iterator[Diagnostic]:
    config, root = subject.reading, subject.root
    if not isinstance(config, Config) or root is None:
        return
    names = [(entry.name, entry.span) for entry in config.rule_files]
    faults = [_fault(root, name) for name, _ in names]
    one_exists = None in faults
    for (name, span), fault in zip(names, faults, strict=True):
        fallback = one_exists and name in DEFAULT_RULE_FILES
        if span is not None and fault is not None and not fallback:
            yield Diagnostic("unknown-rule-file", "error", f"`{shown(name)}` {fault}", span)


def _fault(root: Root, name: str) -> str | None:
    path = os.path.normpath(os.path.join(root.real, name))
    if "\0" in name or not root.relative(path):
        return "is no file inside the project: it is skipped"
    return None if os.path.lexists(path) else "does not exist: it is skipped"


CHECK = Check.documented("unknown-rule-file", "error", _find, __doc__, Stage.PROJECT, "none")
