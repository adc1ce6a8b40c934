"""An instruction that would be given before every call, forever.

## What it finds
A rule for `tool.before` that injects an instruction and has no `limit` of `fires`.

## Why it matters
Each time the instruction is given the calls are held back, and the agent tries again: without a limit it never gets
any further.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: explain-commands
    when: tool.before
    target: {categories: [command_execution]}
    action: inject_instruction
    instruction: Say what the command changes.
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - id: explain-commands
    when: tool.before
    target: {categories: [command_execution]}
    action: inject_instruction
    instruction: Say what the command changes.
    limit: {fires: 1, per: task}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.lines import line_at, line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Scalar

_LIMIT = "limit: {fires: 1, per: task}"


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    if found is None:
        return
    mapping, key, value = found
    limit = mapping.get("limit")
    if limit is None:
        edit = _beside(subject, mapping, key, value.token)
    elif isinstance(limit, Mapping) and limit.flow and limit.pairs and not subject.nodes.has_aliases:
        edit = TextEdit(Span(limit.pairs[0][0].token.start, limit.pairs[0][0].token.start), "fires: 1, ")
    else:
        edit = None
    if edit is not None:
        yield Fix("give it once a task", (edit,), safe=False)


def _beside(subject: Subject, mapping: Mapping, key: Scalar, value: Span) -> TextEdit | None:
    """The limit in front of the action, which stands on one line."""
    text = subject.text
    if mapping.flow:
        return TextEdit(Span(key.token.start, key.token.start), f"{_LIMIT}, ")
    line = line_at(text, key.token.start)
    if line.end < value.end:
        return None
    before = text.content[line.start : key.token.start]
    if not before.strip(" "):
        return TextEdit(Span(line.start, line.start), f"{before}{_LIMIT}{line_break_of(text)}")
    if before.strip() != "-":
        return None
    indented = f"{_LIMIT}{line_break_of(text)}{' ' * len(before)}"
    return TextEdit(Span(key.token.start, key.token.start), indented)


CHECK = Check.documented(
    "unlimited-injection",
    "error",
    found_by_reading("unlimited-injection", _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"prompter"}),
)
