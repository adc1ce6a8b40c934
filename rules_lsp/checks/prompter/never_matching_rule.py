"""A condition that can never hold.

## What it finds
`external: false` on a target of which every category is external; `approved: true`, since a rule knows no approvals but
its own, and asks for none before it holds; `below: 0`, since no share is less. Nothing is said of what depends on files
and tools.

## Why it matters
The rule never acts, and what it was to hold back passes.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: ask-before-ssh
    when: tool.before
    target: {categories: [ssh]}
    condition: {external: false}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: ask-before-ssh
    when: tool.before
    target: {categories: [ssh]}
    action: request_approval
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.prompter_rules import PlacedRule, placed_rules, without_pair
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompter.keys import EXTERNAL
from rules_lsp.source.yaml_tree import Mapping

if TYPE_CHECKING:
    from rules_lsp.prompter.model import Rule


def _find(subject: Subject) -> Iterator[Diagnostic]:
    for placed in placed_rules(subject):
        found = _cause(placed.rule) if placed.holds else None
        key = placed.key("condition", *found[0]) if found is not None else None
        if found is not None and key is not None:
            fixes = _fixes(subject, placed, found[0])
            yield Diagnostic(CHECK.code, CHECK.severity, found[1], key.span, (), fixes)


def _cause(rule: Rule) -> tuple[tuple[str, ...], str] | None:
    condition = rule.condition
    only_external = rule.has_target and not rule.tools and rule.categories <= EXTERNAL
    if condition.get("external") is False and only_external:
        return ("external",), "every category of this target is external, so that the rule never holds: remove it"
    if condition.get("approved") is True:
        message = "this rule has no approval before it holds, so that it never does: remove it, or write `false`"
        return ("approved",), message
    if (condition.get("language") or {}).get("below") == 0:
        return ("language", "below"), "no share is below 0, so that the rule never holds: write `0.5`"
    return None


def _fixes(subject: Subject, placed: PlacedRule, path: tuple[str, ...]) -> tuple[Fix, ...]:
    """Less of a condition holds more often: the rule becomes no weaker."""
    name = path[0]
    condition = placed.value("condition")
    if not isinstance(condition, Mapping) or len(path) > 1:
        return ()
    if len(condition.pairs) > 1:
        return without_pair(subject, condition, name, safe=False)
    return without_pair(subject, placed.mapping, "condition", safe=False)


CHECK = Check.documented(
    "never-matching-rule", "warning", _find, __doc__, Stage.PROVED, "unsafe", kinds=frozenset({"prompter"})
)
