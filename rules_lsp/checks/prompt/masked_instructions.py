"""Instructions of a folder in whose place another file is told.

## What it finds
An `AGENTS.md` beside an `AGENTS.override.md`, or beside another spelling that is read before it, and an override that
is empty. It is told at both files.

## Why it matters
Of each folder an agent is told one file: the first of `AGENTS.override.md`, `AGENTS.Override.md`, `AGENTS.md`,
`Agents.md` and `agents.md`. What the others say is not added to it, and an empty file in front masks them to nothing.

## Example
```markdown web/AGENTS.md
Run the tests before you finish.
```

```markdown web/AGENTS.override.md
Use the mock server.
```

## Instead
```markdown web/AGENTS.md
Run the tests before you finish. Use the mock server.
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, RelatedPlace, Stage
from rules_lsp.checks.common.instruction_files import folder_of, is_of_chain
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.policy import Document
from rules_lsp.policy.roots import Root
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES
from rules_lsp.prompt.told_files import read_told
from rules_lsp.source.text import Text

_CODE = "masked-instructions"
_TAKING = ("outside", "secret")
"""Why a file is told by nobody here and all the same stands in the place of those behind it."""


def _find(subject: Subject) -> Iterator[Diagnostic]:
    path, root = subject.path, subject.root
    if path is None or root is None or not is_of_chain(subject):
        return
    directory, name = os.path.split(path)
    names = folder_of(path)
    order = [each for each in INSTRUCTION_NAMES if each in names]
    if name not in order:
        return
    for above in order[: order.index(name)]:
        text = _standing(os.path.join(directory, above), root)
        if text is not None and not _is_same(os.path.join(directory, above), path):
            yield _masked(subject, above, os.path.join(directory, above), text)
            return
    if subject.error is None:
        yield from _masking(subject, directory, order[order.index(name) + 1 :])


def _standing(path: str, root: Root) -> Text | None:
    """The text of a file that stands in the place of those behind it; None where it does not."""
    told = read_told(path, root)
    return told.text if told is not None and (told.cause is None or told.cause in _TAKING) else None


def _is_same(one: str, other: str) -> bool:
    """Whether two names lead to one file; a link that leads nowhere is nobody's instructions."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return True


def _masked(subject: Subject, above: str, path: str, text: Text) -> Diagnostic:
    if text.content.strip():
        message = f"`{above}` of this folder is told in the place of this file: put what holds into that one"
    else:
        message = f"`{above}` of this folder is empty and masks this file, so that nothing is told: remove that one"
    related = RelatedPlace(text.line_span(0), "this file is told", Document(path, text))
    return Diagnostic(_CODE, "warning", message, subject.text.line_span(0), (related,))


def _masking(subject: Subject, directory: str, behind: list[str]) -> Iterator[Diagnostic]:
    path = subject.path or ""
    others = [each for each in behind if not _is_same(os.path.join(directory, each), path)]
    if not others:
        return
    named = ", ".join(f"`{each}`" for each in others)
    place = subject.text.line_span(0)
    if subject.text.content.strip():
        yield Diagnostic(_CODE, "information", f"this file is told in the place of {named} of its folder", place)
    else:
        message = f"this file is empty and masks {named} of its folder, so that nothing is told: write it or remove it"
        yield Diagnostic(_CODE, "warning", message, place)


CHECK = Check.documented(
    _CODE,
    "warning",
    _find,
    __doc__,
    Stage.BESIDE,
    "none",
    about_the_file=True,
    kinds=frozenset({"instructions"}),
)
