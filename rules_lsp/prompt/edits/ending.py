"""How a begun apply is ended, by the process that began it or by a later one: finished, or undone.

Both ways may themselves be cut short at any step and be taken again: each step looks at what is there.
"""

from __future__ import annotations

import contextlib
import os

from rules_lsp.prompt.edits.disk import digest_of, put_in_place, remove
from rules_lsp.prompt.edits.journal import Entry, Journal, remove_journal, write_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

_State: TypeAlias = "Literal['waiting', 'done', 'changed before', 'changed after', 'changed']"


def finish(directory: str, journal: Journal) -> tuple[bool, tuple[str, ...]]:
    """End an apply whose renames have begun: True and the files that have changed since, which stay as they are.

    It is undone instead, and the answer is False, where a file has changed that was still to be renamed, or one cannot
    be renamed. Raises OSError where it can be neither finished nor undone; then the journal stays.
    """
    states = {entry: state_of(journal, entry) for entry in journal.entries}
    if any(state in ("changed before", "changed") for state in states.values()):
        return False, undo(directory, journal)
    try:
        for entry, state in states.items():
            if state == "waiting":
                rename(journal, entry)
        journal.sync()
    except OSError:
        return False, undo(directory, journal)
    clear(directory, journal)
    return True, tuple(entry.name for entry, state in states.items() if state == "changed after")


def rename(journal: Journal, entry: Entry) -> None:
    """Give one file its new text, or take it away. Raises OSError."""
    path, new = journal.path(entry), journal.new_path(entry)
    if entry.after is None:
        os.unlink(path)
    elif entry.before is None:
        put_in_place(new, path)
    else:
        os.replace(new, path)


def state_of(journal: Journal, entry: Entry) -> _State:
    """How far one file is, by what is on the disk."""
    path, new, old = journal.path(entry), journal.new_path(entry), journal.old_path(entry)
    if not _is_in_place(path):
        return "changed"
    now = digest_of(path)
    if entry.after is None:
        if now is None:
            return "done"
        if now == entry.before:
            return "waiting"
        return "changed before" if _are_same(path, old) else "changed after"
    if os.path.lexists(new) and not _are_same(path, new):
        return "waiting" if now == entry.before else "changed before"
    if now == entry.before:
        # The new text that waited has been taken away.
        return "changed before"
    return "done" if now == entry.after else "changed after"


def undo(directory: str, journal: Journal) -> tuple[str, ...]:
    """Put every file back, and tell which have changed since they were renamed: those stay as they are.

    Raises OSError where one cannot be put back; then the journal stays.
    """
    touched = journal.stage != "preparing"
    if touched and journal.stage != "undoing":
        journal = journal.at("undoing")
        write_journal(directory, journal)
    left = tuple(entry.name for entry in journal.entries if touched and not _put_back(journal, entry))
    journal.sync()
    clear(directory, journal, undone=True)
    return left


def clear(directory: str, journal: Journal, *, undone: bool = False) -> None:
    """Take away the temporary files, where it was undone the directories, and at last the journal."""
    for entry in filter(lambda entry: _is_in_place(journal.path(entry)), journal.entries):
        with contextlib.suppress(NotADirectoryError):
            remove(journal.new_path(entry))
            remove(journal.old_path(entry))
    for name in reversed(journal.directories) if undone else ():
        path = os.path.join(journal.root, name)
        with contextlib.suppress(OSError):
            if _is_in_place(path):
                os.rmdir(path)
    journal.sync()
    remove_journal(directory)


def _put_back(journal: Journal, entry: Entry) -> bool:
    """Put one file back where it was renamed; False where it has changed since."""
    path, new, old = journal.path(entry), journal.new_path(entry), journal.old_path(entry)
    if not _is_in_place(path):
        return False
    now = digest_of(path)
    if now == entry.before:
        return True
    if entry.before is None:
        if now == entry.after and (not os.path.lexists(new) or _are_same(path, new)):
            os.unlink(path)
            return True
        return False
    if now != entry.after or not os.path.lexists(old):
        return False
    if entry.after is None:
        put_in_place(old, path)
    else:
        os.replace(old, path)
    return True


def _is_in_place(path: str) -> bool:
    """Whether no link has come in the way to a path: where one has it is another place, in which nothing is ours."""
    directory = os.path.dirname(path)
    return os.path.realpath(directory) == directory


def _are_same(path: str, other: str) -> bool:
    """Whether two names are those of one file."""
    try:
        return os.path.samestat(os.lstat(path), os.lstat(other))
    except OSError:
        return False
