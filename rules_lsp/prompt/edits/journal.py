"""The journal of one apply: what is to become of which file, and how far it has come. It is always whole.

Stages: `preparing` (temporary files are made, no file is touched), `committing` (the renames have begun and are to be
finished), `undoing` (what was renamed is to be put back). All names in it are below the project's real root.
"""

from __future__ import annotations

import json
import os

from rules_lsp.prompt.edits.disk import remove, sync_directory
from rules_lsp.prompt.edits.places import JOURNAL
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Stage: TypeAlias = "Literal['preparing', 'committing', 'undoing']"
STAGES = ("preparing", "committing", "undoing")
VERSION = 1
_TEMPORARY = expression(r"(\.rules-lsp-[0-9a-f]{16}-[0-9]+)\.(new|old)\.tmp")
_FINGERPRINT = expression(r"[0-9a-f]{64}")


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


def temporary_names(token: str, number: int) -> tuple[str, str]:
    """The names of the new text and of the old file of one entry; `token` is 16 hexadecimal digits of its apply."""
    return f".rules-lsp-{token}-{number}.new.tmp", f".rules-lsp-{token}-{number}.old.tmp"


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
    directories, files = content["directories"], content["files"]
    if not isinstance(directories, list) or not isinstance(files, list):
        raise ValueError
    entries = tuple(Entry(*each) for each in files)
    names = [*directories, *(entry.name for entry in entries)]
    if not all(map(_lies_below_root, names)) or len(set(names)) < len(names) or not all(map(_is_ours, entries)):
        raise ValueError
    return Journal(root, stage, tuple(directories), entries)


def _lies_below_root(name: object) -> bool:
    if not isinstance(name, str) or not name or "\0" in name or os.path.isabs(name):
        return False
    return os.path.normpath(name) == name and name.split(os.sep)[0] not in (os.curdir, os.pardir)


def _is_ours(entry: Entry) -> bool:
    """Whether an entry takes away temporary files alone, under the names that an apply gives them."""
    new, old = _TEMPORARY.fullmatch(entry.new), _TEMPORARY.fullmatch(entry.old)
    if new is None or old is None or (new[1], new[2], old[2]) != (old[1], "new", "old"):
        return False
    prints = [each for each in (entry.before, entry.after) if each is not None]
    return bool(prints) and all(_FINGERPRINT.fullmatch(each) for each in prints)


def remove_journal(directory: str) -> None:
    """End an apply."""
    path = os.path.join(directory, JOURNAL)
    remove(path + ".tmp")
    remove(path)
    sync_directory(directory)
