"""A `file_structure` of a project that is not whole.

## What it finds
A `file_structure` in `.a0proj/project.json` without one of its six keys: `enabled`, `max_depth`, `max_files`,
`max_folders`, `max_lines` and `gitignore`.

## Why it matters
Agent Zero fills in a `file_structure` that is absent, and none that is partial: what is missing is missing when it
tells an agent the tree of the project.

## Example
```json .a0proj/project.json
{"file_structure": {"enabled": true, "max_depth": 3}}
```

## Instead
```json .a0proj/project.json
{"file_structure": {
  "enabled": true, "max_depth": 3, "max_files": 20, "max_folders": 20, "max_lines": 250, "gitignore": ""
}}
```
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.key_renames import meant_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompt.a0_project import FileStructure
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping

_CODE = "partial-file-structure"


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    found = subject.nodes.pair(problem.span)
    if found is None or not isinstance(found[2], Mapping):
        return
    structure = found[2]
    missing = problem.data["missing"].split()
    slips = {meant_of(each) for each in subject.problems if each.code == "unknown-key"}
    if slips.intersection(missing):
        # These are renamed first.
        return
    written = [f"{json.dumps(name)}: {json.dumps(getattr(FileStructure(), name))}" for name in missing]
    start = structure.span.start + 1
    if structure.pairs:
        between = subject.text.content[start : structure.pairs[0][0].token.start]
        # What stands in front of the first key separates the others, unless it is a comment.
        gap = between if between and not between.strip() else " "
        start = structure.pairs[0][0].token.start
        added = "".join(f"{pair},{gap}" for pair in written)
    else:
        added = ", ".join(written)
    named = ", ".join(f"`{name}`" for name in missing)
    yield Fix(f"add {named} as Agent Zero has them", (TextEdit(Span(start, start), added),), safe=False)


CHECK = Check.documented(
    _CODE,
    "error",
    found_by_reading(_CODE, _fixes),
    __doc__,
    Stage.SHAPE,
    "unsafe",
    kinds=frozenset({"a0-project"}),
)
