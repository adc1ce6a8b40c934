"""After a crash: the journal that it left is ended."""

from __future__ import annotations

import os

from rules_lsp.prompt.edits.applying import BUSY
from rules_lsp.prompt.edits.ending import finish, undo
from rules_lsp.prompt.edits.journal import read_journal, remove_journal
from rules_lsp.prompt.edits.locking import exclusive
from rules_lsp.prompt.edits.places import JOURNAL, journal_directory
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

OUTCOMES = ("nothing", "finished", "undone", "failed")
Outcome: TypeAlias = "Literal['nothing', 'finished', 'undone', 'failed']"


@dataclass(frozen=True, slots=True)
class Recovery:
    """How a recovery went. `files` are those of the batch, `left` those that others have changed meanwhile.

    Names are from the root. What is left stays as it is.
    """

    outcome: Outcome
    reason: str
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The answer of a recovery in the shape of its schema."""
        return {
            "recovered": self.outcome,
            "reason": self.reason,
            "files": list(self.files),
            "left": list(self.left),
        }


def recover_structured_edits(root: str, state: str | None = None) -> Recovery:
    """Finish or undo the apply that a crash left in a project's directory; twice is once.

    All files have their new texts afterwards, or all have their old ones. No rule is asked: the edits were allowed when
    their renames began. Raises OSError where the disk fails; then the journal stays.
    """
    real = os.path.realpath(root)
    directory = journal_directory(real, state)
    if not os.path.isdir(directory):
        return _NOTHING
    with exclusive(directory) as mine:
        if not mine:
            return Recovery("failed", BUSY)
        journal = read_journal(directory, real)
        if journal is None:
            # What was written of a first journal is none.
            if os.path.lexists(os.path.join(directory, JOURNAL + ".tmp")):
                remove_journal(directory)
            return _NOTHING
        if isinstance(journal, str):
            return Recovery("failed", journal)
        begun = journal.stage == "committing"
        finished, left = finish(directory, journal) if begun else (False, undo(directory, journal))
    names = tuple(entry.name.replace(os.sep, "/") for entry in journal.entries)
    told = f"; changed meanwhile and left as they are: {len(left):,}" if left else ""
    if finished:
        return Recovery("finished", f"every file has its new text{told}", names, left)
    return Recovery("undone", f"every file has its old text{told}", names, left)


_NOTHING = Recovery("nothing", "there is nothing to recover")
