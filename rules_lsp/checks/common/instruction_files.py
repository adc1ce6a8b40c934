"""Which files of instructions stand in a folder."""

from __future__ import annotations

import os

from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER


def is_of_chain(subject: Subject) -> bool:
    """Whether a subject is read by the name that it bears, and not as all files of its folder are."""
    name = subject.name if subject.path is None or subject.root is None else subject.root.relative(subject.path)
    return name is not None and name.rpartition("/")[0] != INSTRUCTIONS_FOLDER


def folder_of(path: str) -> frozenset[str]:
    """The names in the folder of a file as they are written there; none where it cannot be looked into."""
    try:
        return frozenset(os.listdir(os.path.dirname(path)))
    except OSError:
        return frozenset()
