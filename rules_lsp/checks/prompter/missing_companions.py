"""A rule about writing files that shells and MCP tools go around.

## What it finds
A rule that denies calls of the category `file_write` or asks for approval of them, where no rule of the same strength
speaks of `command_execution` or of `external_communication`. A rule about kinds of commands speaks of writing where it
names `overwrites`.

## Why it matters
A shell writes files too, and so do tools of MCP servers: the agent that is not let through one door takes the other.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: ask-before-infrastructure
    when: tool.before
    target: {categories: [file_write]}
    condition: {files: ["infra/**"]}
    action: request_approval
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: ask-before-infrastructure
    when: tool.before
    target: {categories: [file_write, command_execution, external_communication]}
    condition: {files: ["infra/**"]}
    action: request_approval
```
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.lines import line_at, line_break_of
from rules_lsp.checks.common.prompter_rules import PlacedRule, placed_rules
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.prompter.keys import APPROVE, BEFORE_TOOL, DENY
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Scalar, Sequence

if TYPE_CHECKING:
    from rules_lsp.prompter.model import Rule

_WRITING = "file_write"
_OTHER_DOORS = ("command_execution", "external_communication")
_STRENGTH = {APPROVE: 1, DENY: 2}
_WRITES = "overwrites"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    guarding = [
        placed
        for placed in placed_rules(subject)
        if placed.holds and placed.rule.when == BEFORE_TOOL and placed.rule.action in _STRENGTH
    ]
    if not any(_WRITING in placed.rule.categories for placed in guarding):
        return
    strongest = {door: max((_strength(placed.rule, door) for placed in guarding), default=0) for door in _OTHER_DOORS}
    for placed in guarding:
        place = next((each for each in placed.scalars("target", "categories") if each.value == _WRITING), None)
        missing = [door for door in _OTHER_DOORS if strongest[door] < _STRENGTH[placed.rule.action]]
        if place is None or not missing:
            continue
        names = " and ".join(f"`{door}`" for door in missing)
        ways = {"command_execution": "a shell", "external_communication": "a tool of an MCP server"}
        means = " and ".join(ways[door] for door in missing)
        message = f"{means} may write past the rule `{shown(placed.rule.id)}`: add {names}"
        fixes = _fixes(subject, placed, place, missing)
        yield Diagnostic(CHECK.code, CHECK.severity, message, place.span, (), fixes)


def _strength(rule: Rule, door: str) -> int:
    """How strong a rule is about a category, as far as it may be about writing; 0 where it is not."""
    kinds = (rule.condition.get("command") or {}).get("kinds")
    if kinds is not None and _WRITES not in kinds:
        return 0
    named = not rule.has_target or door in rule.categories or any(door in _categories(tool) for tool in rule.tools)
    return _STRENGTH[rule.action] if named else 0


@lru_cache(maxsize=1024)
def _categories(tool: str) -> frozenset[str]:
    from rules_lsp.prompter.categories import categories_of

    return categories_of(tool, frozenset(), None, frozenset())


def _fixes(subject: Subject, placed: PlacedRule, place: Scalar, missing: list[str]) -> tuple[Fix, ...]:
    around = placed.value("target", "categories")
    if not isinstance(around, Sequence) or subject.nodes.has_aliases:
        return ()
    end = place.token.end
    line = line_at(subject.text, end)
    head = subject.text.content[line.start : place.token.start]
    if around.flow:
        added = "".join(f", {door}" for door in missing)
    elif head.strip() == "-":
        added = "".join(f"{line_break_of(subject.text)}{head}{door}" for door in missing)
        end = line.end
    else:
        return ()
    title = f"add {' and '.join(f'`{door}`' for door in missing)}"
    return (Fix(title, (TextEdit(Span(end, end), added),), safe=False),)


CHECK = Check.documented(
    "missing-companions", "warning", _find, __doc__, Stage.TOGETHER, "unsafe", kinds=frozenset({"prompter"})
)
