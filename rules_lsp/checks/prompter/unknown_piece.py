"""A piece or a movement that is nearly, but not quite, what other rules name.

## What it finds
A name under `pieces` or `movements` that stands only once in the file and is almost one that other rules name more
often. Which pieces and movements there are is known to the agent's loop alone: of a name that is near to no other
nothing is said.

## Why it matters
The rule never holds, and what it was to hold back passes.

## Example
```yaml .auto-prompter.yaml
version: 1
rules:
  - {id: a, when: tool.before, condition: {pieces: [deploy]}, target: {categories: [ssh]}, action: audit_only}
  - {id: b, when: tool.before, condition: {pieces: [deploy]}, target: {categories: [browser]}, action: audit_only}
  - {id: c, when: tool.before, condition: {pieces: [deplyo]}, target: {categories: [ssh]}, action: request_approval}
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules:
  - {id: a, when: tool.before, condition: {pieces: [deploy]}, target: {categories: [ssh]}, action: audit_only}
  - {id: b, when: tool.before, condition: {pieces: [deploy]}, target: {categories: [browser]}, action: audit_only}
  - {id: c, when: tool.before, condition: {pieces: [deploy]}, target: {categories: [ssh]}, action: request_approval}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.nearest import Nearest
from rules_lsp.checks.common.prompter_rules import placed_rules
from rules_lsp.checks.common.quoting import plain_or_quoted
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.yaml_tree import Scalar

_WORDS = {"pieces": "piece", "movements": "movement"}


def _find(subject: Subject) -> Iterator[Diagnostic]:
    for key, word in _WORDS.items():
        named = [each for placed in placed_rules(subject) for each in placed.scalars("condition", key)]
        yield from _misspelt(subject, word, named)


def _misspelt(subject: Subject, word: str, named: list[Scalar]) -> Iterator[Diagnostic]:
    count = Counter(each.value for each in named)
    often = [name for name, times in count.items() if times > 1]
    if not often or len(often) == len(count):
        return
    nearest = Nearest(often)
    first: dict[str, Scalar] = {}
    for each in named:
        first.setdefault(each.value, each)
    found = 0
    for each in named:
        near = nearest.to(each.value) if count[each.value] == 1 else None
        if near is None:
            continue
        found += 1
        message = f"no other rule names the {word} `{shown(each.value)}`: did you mean `{shown(near)}`?"
        related = (RelatedPlace(first[near].span, f"`{shown(near)}` stands here"),)
        fixes = _fixes(subject, each, near) if found <= MAX_DIAGNOSTICS else ()
        yield Diagnostic(CHECK.code, CHECK.severity, message, each.span, related, fixes)


def _fixes(subject: Subject, each: Scalar, near: str) -> tuple[Fix, ...]:
    if subject.nodes.has_aliases or each.style in ("|", ">") or not near.isprintable():
        return ()
    edit = TextEdit(each.token, plain_or_quoted(near, subject.nodes.preferred_quote, flow=True))
    return (Fix(f"write `{shown(near)}`", (edit,), safe=False),)


CHECK = Check.documented(
    "unknown-piece", "warning", _find, __doc__, Stage.PROJECT, "unsafe", kinds=frozenset({"prompter"})
)
