"""An entry that says no in a list that allows.

## What it finds
An entry of `Allowed Tools` or of an include that is struck out, is an unchecked task, bears a cross mark, stands in a
row or below a heading or a sentence that says no, or has words beside its code such as `everything except`.

## Why it matters
What cannot be read never widens access: the entry allows nothing. It does not deny anything either, so that a wider
entry still allows what it names.

## Example
```markdown
## Allowed Tools

- `Read`
- ~~`WebFetch`~~ - use the mirror

## Denied Tools

- `Bash`
```

## Instead
```markdown
## Allowed Tools

- `Read`

## Denied Tools

- `Bash`
- `WebFetch` - use the mirror
```
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage, diagnostic_of
from rules_lsp.checks.common.markdown_moves import moved_entries
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.source.records import replace

CODE = "negated-entry"


def _find(subject: Subject) -> Iterator[Diagnostic]:
    problems = [problem for problem in subject.problems if problem.code == CODE]
    if not problems:
        return
    # All entries of a target move at once: two that are put in one place would be in each other's way.
    fixes: dict[int, tuple[Fix, ...]] = {}
    for move in moved_entries(subject):
        one = len(move.entries) == 1
        what = f"`{shown(move.entries[0].text)}`" if one else f"the {len(move.entries)} entries that say no"
        fix = (Fix(f"move {what} to `{move.target}`", move.edits, safe=False),)
        fixes.update((entry.span.start, fix) for entry in move.entries)
    lines = sorted(problem.span for problem in subject.problems if problem.code == "near-miss-heading")
    for problem in problems:
        found = diagnostic_of(problem, fixes.get(problem.span.start, ()))
        above = bisect_left(lines, problem.span) if "below" in problem.data else 0
        related = (RelatedPlace(lines[above - 1], "this line names another section"),) if above else ()
        yield replace(found, related=related)


CHECK = Check.documented(CODE, "error", _find, __doc__, Stage.ENTRY, "unsafe")
