"""A pattern that other tools read otherwise.

## What it finds
Patterns that minimatch (JavaScript tools and editors) or Python's `fnmatch` would read with another outcome for a file
of the project. It is off by default: in rules that are only read here it says nothing of interest.

## Why it matters
Whoever copies a pattern from one tool's settings to another's gets other files. Here a pattern means what git means by
it.

## Example
```yaml
file_patterns:
  include:
    - src/*.py
```
```text src/app.py
print()
```
```text src/shop/cart.py
print()
```

## Instead
```yaml
file_patterns:
  include:
    - src/app.py
    - src/shop/cart.py
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from rules_lsp.checks.common.base import Check, Diagnostic, Stage
from rules_lsp.checks.common.dialects import Reading, fnmatch_reading, minimatch
from rules_lsp.checks.common.glob_entries import PatternEntry, known_files, pattern_entries
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import Glob
from rules_lsp.workspace.inventory import FileInventory

_DIALECTS: tuple[tuple[str, Callable[[Glob], Reading | None]], ...] = (
    ("minimatch", minimatch),
    ("fnmatch", fnmatch_reading),
)
_MOST_FILES = 200
_MOST_ENTRIES = 1000
# Other tools match by backtracking, which costs too much for a pattern with many stars.
_MOST_STARS = 6


def _find(subject: Subject) -> Iterator[Diagnostic]:
    files = known_files(subject)
    if files is None:
        return
    for item in islice(pattern_entries(subject), _MOST_ENTRIES):
        if item.entry.text.count("*") > _MOST_STARS:
            continue
        for name, dialect in _DIALECTS:
            reading = dialect(item.glob)
            witness = None if reading is None else _witness(item, reading, files)
            if witness is not None:
                path, here = witness
                verdict = "does not take it" if here else "takes it"
                meaning = "takes" if here else "does not take"
                message = f"`{shown(item.entry.text)}` {meaning} `{shown(path)}`, and {name} {verdict}"
                yield Diagnostic(CHECK.code, CHECK.severity, message, item.entry.span)
                break


def _witness(item: PatternEntry, reading: Reading, files: FileInventory) -> tuple[str, bool] | None:
    """A file that only one of both takes, and whether it is taken here."""
    for path in islice(files.file_index.covered(item.glob), _MOST_FILES):
        if not reading(path):
            return path, True
    for path in islice(files.files, _MOST_FILES):
        if reading(path) and not item.glob.covers(path, False):
            return path, False
    return None


CHECK = Check.documented("dialect-divergent", "information", _find, __doc__, Stage.PROJECT, "none", on=False)
