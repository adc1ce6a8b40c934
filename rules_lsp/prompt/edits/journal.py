"""The journal of one apply: what is to become of which file, and how far it has come. It is always whole.

Stages: `preparing` (temporary files are made, no file is touched), `committing` (the renames have begun and are to be
finished), `undoing` (what was renamed is to be put back). All names in it are below the project's real root.
"""

from __future__ import annotations

import json
import os

from rules_lsp.prompt.edits.disk import remove, sync_directory
from rules_lsp.prompt.edits.places import JOURNAL
from rules_lsp.source.records import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Stage: TypeAlias = "Literal['preparing', 'committing', 'undoing']"
STAGES = ("preparing", "committing", "undoing")
VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: `name` from the root, the names of its new text and of its old file beside it, and their fingerprints.

    `before` is None for a file that is created, `after` for one that is deleted.
    """

    name: str
    new: str
    old: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Journal:
    """An apply. `directories` are those that had to be made, from the root, the outer ones first."""

    root: str
    stage: Stage
    directories: tuple[str, ...]
    entries: tuple[Entry, ...]

    def path(self, entry: Entry) -> str:
        """The absolute path of a file."""
        return os.path.join(self.root, entry.name)

    def new_path(self, entry: Entry) -> str:
        """Where its new text waits."""
        return os.path.join(os.path.dirname(self.path(entry)), entry.new)

    def old_path(self, entry: Entry) -> str:
        """Where its old file is kept."""
        return os.path.join(os.path.dirname(self.path(entry)), entry.old)

    def at(self, stage: Stage) -> Journal:
        """The journal at another stage."""
        return replace(self, stage=stage)

    def sync(self) -> None:
        """Bring the names in every directory that it is about down to the disk."""
        directories = {os.path.dirname(self.path(entry)) for entry in self.entries}
        above = {os.path.dirname(os.path.join(self.root, name)) for name in self.directories}
        for directory in sorted(directories | above):
            sync_directory(directory)


def write_journal(directory: str, journal: Journal) -> None:
    """Put a journal in the place of the one before, down to the disk. Raises OSError; then that one stands."""
    content = {
        "version": VERSION,
        "root": journal.root,
        "stage": journal.stage,
        "directories": journal.directories,
        "files": [[entry.name, entry.new, entry.old, entry.before, entry.after] for entry in journal.entries],
    }
    data = json.dumps(content).encode("ascii")
    path = os.path.join(directory, JOURNAL)
    descriptor = os.open(path + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(path + ".tmp", path)
    sync_directory(directory)


def has_journal(directory: str) -> bool:
    """Whether an apply was not ended."""
    return os.path.lexists(os.path.join(directory, JOURNAL))


def read_journal(directory: str, root: str) -> Journal | str | None:
    """The journal of a root, None where there is none, or why it cannot be read. Raises OSError."""
    try:
        with open(os.path.join(directory, JOURNAL), "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    try:
        return _journal(json.loads(data), root)
    except (ValueError, KeyError, TypeError, RecursionError):
        return f"the journal {os.path.join(directory, JOURNAL)} cannot be read: look into it, and remove it by hand"


def _journal(content: dict[str, Any], root: str) -> Journal:
    stage = content["stage"]
    if content["version"] != VERSION or content["root"] != root or stage not in STAGES:
        raise ValueError
    entries = tuple(Entry(*each) for each in content["files"])
    names = [*content["directories"], *(entry.name for entry in entries)]
    own = [name for entry in entries for name in (entry.new, entry.old)]
    if any(os.path.isabs(name) or ".." in name.split(os.sep) for name in names) or any(os.sep in name for name in own):
        raise ValueError
    return Journal(root, stage, tuple(content["directories"]), entries)


def remove_journal(directory: str) -> None:
    """End an apply."""
    path = os.path.join(directory, JOURNAL)
    remove(path + ".tmp")
    remove(path)
    sync_directory(directory)
