"""A `**` that does not stand between slashes.

## What it finds
`**` beside other characters of a name, as in `**.py`, `src**` or `src/**.ts`. Only as a whole name, between slashes or
at an end, it stands for any directories.

## Why it matters
It is read as `*`, which stays within one name: `src/**.ts` takes the files of `src` and none below, and `src**` also
takes `src-old`. Other tools read it otherwise.

## Example
```yaml
file_patterns:
  include:
    - src/**.ts
```

## Instead
```yaml
file_patterns:
  include:
    - src/**/*.ts
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rules_lsp.checks.comma_in_entry import parts_of
from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.glob_entries import PatternEntry, known_files, pattern_entries, why_never
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import Glob, Name, Star, parse_glob
from rules_lsp.policy.model import RuleList
from rules_lsp.workspace.inventory import FileInventory

_MOST_COUNTED = 1000


def _find(subject: Subject) -> Iterator[Diagnostic]:
    rules = subject.shown
    if not any(map(_may_be_stray, (*rules.include, *rules.exclude))):
        return
    files = known_files(subject)
    for item in pattern_entries(subject):
        places = stray_stars(item.glob)
        if places and why_never(subject, item) is None and not parts_of(item, files):
            message = f"the `**` in `{shown(item.entry.text)}` does not stand between slashes and is read as `*`"
            message += f"{_effect(item.glob, files)}{_advice(item, places)}"
            yield Diagnostic(CHECK.code, CHECK.severity, message, item.entry.span, (), _fixes(subject, item, places))


@once_a_list
def _may_be_stray(holder: RuleList) -> bool:
    globs = (parse_glob(entry.text) for entry in holder.entries if "**" in entry.text)
    return any(stray_stars(glob) for glob in globs if isinstance(glob, Glob))


def stray_stars(glob: Glob) -> list[tuple[int, int]]:
    """The offsets of every `**` of a pattern that is read as `*`; not of one that is a whole name."""
    found = {
        (token.start, token.end)
        for alternative in glob.alternatives
        for segment in alternative.segments
        if isinstance(segment, Name) and len(segment.tokens) > 1
        for token in segment.tokens
        if isinstance(token, Star) and token.end - token.start > 1
    }
    return sorted(found)


def _effect(glob: Glob, files: FileInventory | None) -> str:
    if files is None:
        return ""
    count = sum(1 for _ in islice(files.file_index.covered(glob), _MOST_COUNTED))
    if count == 0:
        return ", so that it takes no file here"
    several = f"{count} file{'' if count == 1 else 's'}" if count < _MOST_COUNTED else f"{count:,} files or more"
    return f", so that it takes {several} here"


def _advice(item: PatternEntry, places: list[tuple[int, int]]) -> str:
    meant = _meant(item, places)
    return f": write `{shown(meant)}`" if meant is not None else ": write `*`, or `**` as a name of its own"


def _meant(item: PatternEntry, places: list[tuple[int, int]]) -> str | None:
    """The pattern with `**` as a name of its own; None where it stands in the middle of a name or there are several."""
    text = item.entry.text
    if len(places) != 1 or len(item.glob.alternatives) > 2:
        return None
    start, end = places[0]
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in ("", "/") and after not in ("", "/"):
        meant = f"{text[:start]}**/{'' if after in '*?' else '*'}{text[end:]}"
    elif before not in ("", "/") and after in ("", "/"):
        meant = f"{text[:start]}/**{text[end:]}"
    else:
        return None
    glob = parse_glob(meant)
    return meant if isinstance(glob, Glob) and not stray_stars(glob) else None


def _fixes(subject: Subject, item: PatternEntry, places: list[tuple[int, int]]) -> tuple[Fix, ...]:
    meant = _meant(item, places)
    edits = None if meant is None else rewritten(subject, item.entry, meant)
    if meant is None or edits is None:
        return ()
    # In front of a name `**/*` takes more than `*` did, or the same; behind one `/**` takes less. More is a guess in
    # `include`, less is one in `exclude`.
    in_front = item.entry.text[places[0][0] - 1 : places[0][0]] in ("", "/")
    same = not item.glob.anchored and in_front
    return (Fix(f"write `{shown(meant)}`", edits, same or in_front != item.including),)


CHECK = Check.documented("stray-double-star", "information", _find, __doc__, Stage.ENTRY, "either")
