"""An exclude that takes nothing away from what the includes allow.

## What it finds
An entry of `exclude` that has no path in common with `include`, in any case. That is proved for all paths, not tried
on those that exist. What names a secret is left alone.

## Why it matters
What no include takes may not be changed anyway. The entry only keeps files from being read: includes do not limit that.
If that is what it is for, it is right; if not, it has no effect, and often its path is wrong.

## Example
```yaml
file_patterns:
  include:
    - src/**
  exclude:
    - lib/generated/**
```

## Instead
```yaml
file_patterns:
  include:
    - src/**
  exclude:
    - src/generated/**
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, RelatedPlace, Stage
from rules_lsp.checks.common.proved import covered_in, dead_in
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.secret_exposed import names_a_secret
from rules_lsp.policy.entries import shown


def _find(subject: Subject) -> Iterator[Diagnostic]:
    # There is no fix: without the entry files could be read that cannot be now.
    for holder in subject.shown.exclude if subject.shown.include else ():
        covered = {entry.span for entry, _ in covered_in(subject, holder)}
        texts: set[str] = set()
        for entry, include in dead_in(subject, holder):
            if entry.span in covered or entry.text in texts or names_a_secret(entry.text):
                continue
            texts.add(entry.text)
            message = (
                f"`{shown(entry.text)}` takes nothing away from what `include` allows to change, it only keeps files "
                "from being read: remove it if they may be"
            )
            related = (RelatedPlace(include.span, "nothing that is allowed here is excluded by it"),)
            yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, related)


CHECK = Check.documented("dead-exclude", "information", _find, __doc__, Stage.PROVED, "none")
