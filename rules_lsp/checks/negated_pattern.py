"""A pattern that begins with `!`.

## What it finds
`!p` in `include` or in `exclude`. The lists have no order: what is excluded is excluded, and nothing takes it out of
that again.
Under `files` in `.auto-prompter.yaml` neither.

## Why it matters
In `include` it excludes `p` and allows nothing by itself. In `exclude` it has no effect at all: what it was to save
stays denied.

## Example
```yaml
file_patterns:
  include:
    - src/**
    - "!src/secrets/**"
```

## Instead
```yaml
file_patterns:
  include:
    - src/**
  exclude:
    - src/secrets/**
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import MAX_DIAGNOSTICS, Check, Diagnostic, Fix, Stage, found_by_reading
from rules_lsp.checks.common.exclude_edits import NewEntry, added_to_exclude
from rules_lsp.checks.common.kinds import WITH_PROMPTER
from rules_lsp.checks.common.pattern_edits import removed
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.model import Entry, RuleList


def _find(subject: Subject) -> Iterator[Diagnostic]:
    if subject.kind == "prompter":
        yield from _of_conditions(subject)
    for rules in subject.shown.include:
        negated = _negated(rules)
        moving = [entry for entry in negated if shown(_denied(entry))]
        fixes = _moved(subject, moving) if moving else ()
        for entry in negated:
            text = shown(_denied(entry))
            if text:
                message = f"`{shown(entry.text)}` excludes `{text}` and allows nothing: move `{text}` to `exclude`"
                yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, (), fixes)
            else:
                message = f"`{shown(entry.text)}` negates no pattern and has no effect: remove it"
                yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, (), _taken_out(subject, entry))
    for rules in subject.shown.exclude:
        for number, entry in enumerate(_negated(rules)):
            message = (
                f"`{shown(entry.text)}` has no effect: nothing takes a file out of `exclude` again; "
                "remove it and exclude less"
            )
            fixes = _taken_out(subject, entry) if number < MAX_DIAGNOSTICS else ()
            yield Diagnostic(CHECK.code, CHECK.severity, message, entry.span, (), fixes)


_of_conditions = found_by_reading("negated-pattern")


def _negated(rules: RuleList) -> list[Entry]:
    return [entry for entry in rules.entries if entry.text.startswith("!") and entry.broken is None]


def _denied(entry: Entry) -> str:
    """What a negated include denies; of `!!p` that is a name that begins with `!`."""
    return f"\\{entry.text[1:]}" if entry.text.startswith("!!") else entry.text[1:]


def _moved(subject: Subject, entries: list[Entry]) -> tuple[Fix, ...]:
    """All negated entries of an `include` move together, so that the fixes of two of them are the same edits."""
    removals = removed(subject, entries)
    if removals is None:
        return ()
    moved = [NewEntry(_denied(entry), removal.remark) for entry, removal in zip(entries, removals, strict=True)]
    added = added_to_exclude(subject, moved)
    if added is None:
        return ()
    title = "move it to `exclude`" if len(entries) == 1 else f"move the {len(entries)} negated patterns to `exclude`"
    return (Fix(title, (*(edit for removal in removals for edit in removal.edits), *added)),)


def _taken_out(subject: Subject, entry: Entry) -> tuple[Fix, ...]:
    removals = removed(subject, [entry])
    return () if removals is None else (Fix("remove it", removals[0].edits, safe=False),)


CHECK = Check.documented("negated-pattern", "error", _find, __doc__, Stage.ENTRY, "either", kinds=WITH_PROMPTER)
