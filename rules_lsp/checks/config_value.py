"""A configuration that holds something else than it should.

## What it finds
In the section `project_agent_rules` of a `config.yaml`: a key that does not exist, a key that stands twice, a value of
another kind than its key holds, and keys that count only in the operator's own configuration.

## Why it matters
A value that cannot be read is taken for the strictest one: rules stay on, protection stays on, an error denies. An
unknown key has no effect at all.

## Example
```yaml config.yaml
project_agent_rules:
  protect_rule_file: true
```

## Instead
```yaml config.yaml
project_agent_rules:
  protect_rule_files: true
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.yaml_tree import Node, Scalar, resolve

_TRUE = ("true", "yes", "on")


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    rename = problem.data.get("rename")
    if rename is None or found is None:
        return
    mapping, _, value = found
    safe = rename not in subject.nodes.keys(mapping) and _allows_nothing_more(rename, value)
    yield Fix(f"rename it to `{rename}`", (TextEdit(problem.span, rename),), safe)


def _allows_nothing_more(key: str, node: Node) -> bool:
    """Whether a key that had no effect allows nothing new where it comes to have one."""
    value = resolve(node)
    if key == "default_rules":
        return True
    if not isinstance(value, Scalar):
        return False
    if key == "on_error":
        return value.value == "deny"
    return key in ("enabled", "protect_rule_files") and value.value.casefold() in _TRUE


CHECK = Check.documented(
    "config-value", "error", found_by_reading("config-value", _fixes), __doc__, Stage.SHAPE, "either"
)
