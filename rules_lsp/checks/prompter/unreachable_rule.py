"""A rule that another one always forestalls.

## What it finds
A rule for `tool.before` of which each call is denied already, whatever happens: by another rule that is switched on,
denies, and whose target and condition cover all of this one's. Tools, patterns of files and every other part are
compared; what is not proved is not said. A rule that only audits is heard all the same, and nothing is said of it.

## Why it matters
Its instruction is never told, nobody is asked to approve. Whoever edits it believes to change something.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-infrastructure
    when: tool.before
    condition: {files: ["infra/**"]}
    action: deny_current_tool
  - id: ask-before-production
    when: tool.before
    condition: {files: ["infra/production/**"]}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: no-production
    when: tool.before
    condition: {files: ["infra/production/**"]}
    action: deny_current_tool
  - id: ask-before-infrastructure
    when: tool.before
    condition: {files: ["infra/**"]}
    action: request_approval
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules_lsp.checks.common.base import Check, Diagnostic, RelatedPlace, Stage
from rules_lsp.checks.common.glob_entries import roots_of
from rules_lsp.checks.common.prompter_cover import covers, may_cover
from rules_lsp.checks.common.prompter_rules import PlacedRule, placed_rules, without_rule
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.prompter.keys import APPROVE, AUDIT, BEFORE_TOOL, DENY

if TYPE_CHECKING:
    from rules_lsp.prompter.model import Rule

MOST_COMPARED = 20_000
"""Pairs of rules that are compared; of the rules behind them nothing is said."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    rules = [placed for placed in placed_rules(subject) if placed.holds]
    denying = [(place, placed) for place, placed in enumerate(rules) if may_cover(placed.rule)]
    left = MOST_COMPARED
    for place, placed in enumerate(rules if denying else ()):
        if not _can_be_forestalled(placed.rule):
            continue
        by, compared = _covering(place, placed, denying, roots_of(subject))
        left -= compared
        if left < 0:
            return
        if by is None:
            continue
        name = shown(by.rule.id)
        message = (
            f"the rule `{shown(placed.rule.id)}` never comes to act, since `{name}` denies each of its calls: "
            f"narrow `{name}`, or remove this rule"
        )
        related = (RelatedPlace(by.place, f"`{name}` denies its calls"),)
        yield Diagnostic(CHECK.code, CHECK.severity, message, placed.place, related, without_rule(subject, placed))


def _can_be_forestalled(rule: Rule) -> bool:
    """Whether a denial leaves nothing of what a rule does. What needs no store is recorded of a denied call too."""
    return rule.when == BEFORE_TOOL and not rule.is_shadow and (rule.action != AUDIT or _asks_the_store(rule))


def _covering(
    place: int, placed: PlacedRule, denying: list[tuple[int, PlacedRule]], roots: tuple[str, ...]
) -> tuple[PlacedRule | None, int]:
    """The first denying rule that covers a rule and whose reason is the one that is told; how many were compared."""
    later_counts = placed.rule.action != DENY or _asks_the_store(placed.rule)
    for compared, (other_place, other) in enumerate(denying[:MOST_COMPARED]):
        if other_place >= place and not later_counts:
            return None, compared
        if other_place != place and covers(other.rule, placed.rule, roots):
            return other, compared + 1
    return None, len(denying)


def _asks_the_store(rule: Rule) -> bool:
    return rule.action == APPROVE or bool(rule.limit) or "fired" in rule.condition or "approved" in rule.condition


CHECK = Check.documented(
    "unreachable-rule", "warning", _find, __doc__, Stage.PROVED, "unsafe", kinds=frozenset({"prompter"})
)
