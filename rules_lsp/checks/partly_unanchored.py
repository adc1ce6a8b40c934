"""A name without a slash that is there at several depths.

## What it finds
A plain name such as `README.md` or `build/` in a project that has it in its root and deeper too. Names that nobody
means in one place alone, such as `node_modules/`, are left out.

## Why it matters
A pattern without a `/` in front or inside matches at every depth: `README.md` allows or denies `docs/README.md` too.

## Example
```yaml
file_patterns:
  include:
    - README.md
```
```text README.md
The project.
```
```text docs/README.md
Its pages.
```

## Instead
```yaml
file_patterns:
  include:
    - /README.md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Check, Diagnostic, Fix, Stage
from rules_lsp.checks.common.glob_entries import PatternEntry, known_files, pattern_entries
from rules_lsp.checks.common.pattern_edits import rewritten
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import shown
from rules_lsp.policy.glob import AnyDirectories, Name
from rules_lsp.workspace.inventory import FileInventory

_EVERYWHERE = frozenset(
    {
        "node_modules", "bower_components", "__pycache__", "site-packages", "venv", "Thumbs.db", "desktop.ini",
        "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa",
    }
)  # fmt: skip


def _find(subject: Subject) -> Iterator[Diagnostic]:
    files = known_files(subject)
    if files is None:
        return
    for item in pattern_entries(subject):
        deeper = _deeper(item, files)
        if deeper is not None:
            text = item.entry.text
            message = (
                f"`{shown(text)}` has no `/` in front, so that it takes `{shown(deeper)}` too: "
                f"write `/{shown(text)}` for the one in the root, `**/{shown(text)}` for all of them"
            )
            yield Diagnostic(CHECK.code, CHECK.severity, message, item.entry.span, (), _fixes(subject, item))


def _deeper(item: PatternEntry, files: FileInventory) -> str | None:
    """A deeper path of the name of a pattern, where the root has one too."""
    name = _name(item)
    if name is None or name in _EVERYWHERE or (name.startswith(".") and not item.including):
        return None
    if name not in files.names or (item.glob.directory_only and name not in files.directory_names):
        return None
    return files.deeper_directory(name) or (None if item.glob.directory_only else files.deeper_file(name))


def _name(item: PatternEntry) -> str | None:
    if len(item.glob.alternatives) != 1:
        return None
    segments = item.glob.alternatives[0].segments
    if len(segments) != 2 or not isinstance(segments[0], AnyDirectories) or not isinstance(segments[1], Name):
        return None
    # One that is written `**/x` says that every depth is meant.
    return segments[1].literal if segments[0].start == segments[0].end else None


def _fixes(subject: Subject, item: PatternEntry) -> tuple[Fix, ...]:
    fixes: list[Fix] = []
    for prefix in ("/", "**/"):
        edits = rewritten(subject, item.entry, prefix + item.entry.text)
        if edits is not None:
            fixes.append(Fix(f"write `{shown(prefix + item.entry.text)}`", edits, safe=False))
    return tuple(fixes)


CHECK = Check.documented("partly-unanchored", "information", _find, __doc__, Stage.PROJECT, "unsafe")
