r"""A pattern that cannot be read.

## What it finds
A bracket or a brace that is never closed, a range that runs backwards (`[z-a]`), an unknown class (`[:alhpa:]`), a
lone backslash at the end, a pattern that is too long or stands for too many.

## Why it matters
In `include` the entry allows nothing. In `exclude` nobody can say what it denies, so every file is denied until it is
repaired.
A rule of `.auto-prompter.yaml` with one denies whatever it could be meant for.

## Example
```yaml
file_patterns:
  include:
    - docs/[a-z.md
```

## Instead
```yaml
file_patterns:
  include:
    - docs/[a-z].md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Fix, Stage, found_by_reading
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.glob import GlobError, parse_glob
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span

_UNCLOSED = ("unclosed-class", "unclosed-brace")
_MOST_ESCAPES = 8


def _fixes(subject: Subject, problem: Problem) -> Iterator[Fix]:
    entry = subject.entry_at(problem.span)
    if entry is None or subject.text.slice(entry.span) != entry.text:
        return
    negation = 1 if entry.text.startswith("!") else 0
    brackets = _unclosed_brackets(entry.text[negation:])
    escape = _escape_at(subject, entry.span)
    if not brackets or escape is None:
        return
    places = [entry.span.start + negation + offset for offset in brackets]
    names = " and ".join(f"`{subject.text.content[place]}`" for place in places)
    title = f"read {names} as {'a plain character' if len(places) == 1 else 'plain characters'}"
    yield Fix(title, tuple(TextEdit(Span(place, place), escape) for place in places), safe=False)


def _unclosed_brackets(pattern: str) -> list[int]:
    """The offsets of the brackets that must be escaped for the pattern to be readable; empty where that is not it."""
    escaped: list[int] = []
    for _ in range(_MOST_ESCAPES):
        # Each backslash that was put in stands in front of its bracket and moves what follows by one.
        text = "".join(f"\\{char}" if at in escaped else char for at, char in enumerate(pattern))
        error = parse_glob(text)
        if not isinstance(error, GlobError):
            return sorted(escaped)
        if error.kind not in _UNCLOSED:
            return []
        escaped.append(error.start - sum(1 for at in escaped if at < error.start - len(escaped)))
    return []


def _escape_at(subject: Subject, span: Span) -> str | None:
    """How a backslash is written at the place of an entry; None where the document would read it otherwise."""
    before = subject.text.content[span.start - 1 : span.start]
    if before == "`":
        return "\\"
    if subject.kind == "markdown":
        return None
    return "\\\\" if before == '"' else "\\"


CHECK = Check.documented(
    "invalid-glob",
    "error",
    found_by_reading("invalid-glob", _fixes),
    __doc__,
    Stage.ENTRY,
    "unsafe",
    kinds=WITH_PROMPTER,
)
