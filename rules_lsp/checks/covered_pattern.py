"""A pattern that a wider one of its list covers.

## What it finds
An entry of `include` or `exclude` for which every path that it could ever take is taken by another entry of the same
list. That is proved for all paths, not tried on those that exist. Of two that take the same, the later one is told.

## Why it matters
The entry adds nothing. Whoever removes it, or the wider one, may believe to have changed more or less than that.

## Example
```yaml
file_patterns:
  exclude:
    - "*.pem"
    - keys/*.pem
```

## Instead
```yaml
file_patterns:
  exclude:
    - "*.pem"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, RelatedPlace, Stage
from rules_lsp.checks.common.proved import covered_in, shadowed_in
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import remove, with_fixes
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    for holder in (*subject.shown.include, *subject.shown.exclude):
        including = holder.name == "file_patterns.include"
        shadowed = {entry.span for entry, _ in shadowed_in(subject, holder)} if including else set()
        for entry, by in covered_in(subject, holder):
            if entry.span in shadowed:
                continue
            message = f"`{shown(entry.text)}` adds nothing, `{shown(by.text)}` in this list covers it: remove it"
            related = (RelatedPlace(by.span, f"`{shown(by.text)}` covers it"),)
            yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, related), remove(subject, entry)


CHECK = Check.documented(
    "covered-pattern", "information", lambda subject: with_fixes(_find(subject)), __doc__, Stage.PROVED, "safe"
)
