"""A key that a rule of Auto Prompter or a persona cannot do without.

## What it finds
A file without `version`, a rule without `id`, `when` or `action`, an `inject_instruction` without its `instruction`,
a part of a condition without what it is about, and a persona without `user_content`.

## Why it matters
Nobody can tell what such a rule would hold back, so that the gate denies whatever it could be meant for; without
`version` it denies every call. A persona without its message cannot be used.

## Example
```yaml .auto-prompter.yaml
rules: []
```

## Instead
```yaml .auto-prompter.yaml
version: 1
rules: []
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, resolve


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    if subject.kind != "prompter":
        return
    root = resolve(subject.tree) if subject.tree is not None else None
    if not isinstance(root, Mapping) or root.flow or not root.pairs or root.pairs[0][0].token != problem.span:
        return
    place = problem.span.start
    line = subject.text.line_span(subject.text.line_of(place))
    if not subject.text.content[line.start : place].strip("\ufeff"):
        yield Fix("add `version: 1`", (TextEdit(Span(place, place), f"version: 1{line_break_of(subject.text)}"),))


CHECK = Check.documented(
    "missing-key",
    "error",
    found_by_reading("missing-key", _fixes),
    __doc__,
    Stage.SHAPE,
    "safe",
    kinds=frozenset({"prompter", "persona"}),
)
