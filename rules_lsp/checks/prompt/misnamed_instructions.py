"""Instructions under a name that no agent looks for.

## What it finds
A file whose name is nearly `AGENTS.md` or `AGENTS.override.md`: `AGENTS.MD`, `AGENT.md`, `Agents.markdown`.

## Why it matters
Nobody is told what it says. On a disk that takes both cases for the same it seems to work, and stops working on
another machine.

## Example
```markdown web/AGENT.md
Run the tests before you finish.
```

## Instead
```markdown web/AGENTS.md
Run the tests before you finish.
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.instruction_files import folder_of, is_of_chain
from rules_lsp.checks.common.other_files import relative_name
from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES, meant_name

_CODE = "misnamed-instructions"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    name = relative_name(subject)
    if name is None or not is_of_chain(subject):
        return
    folder, _, base = name.rpartition("/")
    meant = meant_name(base)
    if meant is None:
        return
    message = f"no agent looks for instructions under this name: it is `{meant}`"
    right = f"{folder}/{meant}" if folder else meant
    fixes = (Fix(f"rename it to `{right}`", (), safe=False, rename=(name, right)),) if _may_be(subject) else ()
    yield Diagnostic(_CODE, "warning", message, subject.text.line_span(0), (), fixes)


def _may_be(subject: Subject) -> bool:
    """Whether a file with the name would neither replace another, nor mask one, nor be masked by one."""
    if subject.path is None or subject.root is None:
        return False
    # A volume that folds case has the file under both names.
    names = folder_of(subject.path) - {os.path.basename(subject.path)}
    return not names.intersection(INSTRUCTION_NAMES)


CHECK = Check.documented(
    _CODE,
    "warning",
    _find,
    __doc__,
    Stage.BESIDE,
    "unsafe",
    about_the_file=True,
    kinds=frozenset({"instructions"}),
)
