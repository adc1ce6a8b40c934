"""Where the journal of a project is: in the user's state folder, so that nothing in a project can plant one."""

from __future__ import annotations

import hashlib
import os

JOURNAL = "journal.json"
LOCK = "lock"


def journal_directory(real_root: str, state: str | None = None) -> str:
    """The directory of a project's journal and lock; `state` takes the place of the user's state folder."""
    if state is None:
        from platformdirs import user_state_dir

        state = user_state_dir("rules-lsp", appauthor=False)
    return os.path.join(state, "edits", hashlib.sha256(os.fsencode(real_root)).hexdigest()[:32])
