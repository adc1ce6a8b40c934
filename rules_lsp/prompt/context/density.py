"""Where the files of a selection lie: how many, and how much, in and below each directory."""

from __future__ import annotations

import os

from rules_lsp.prompt.context.model import ContextSelection
from rules_lsp.source.records import dataclass


@dataclass(frozen=True, slots=True)
class DirectoryCount:
    """A directory as it is shown, `.` for the working directory itself, with what lies in it and below it."""

    directory: str
    files: int
    size: int
    tokens: int


def count_by_directory(selection: ContextSelection) -> tuple[DirectoryCount, ...]:
    """The directories with the most files first. The working directory counts what lies directly in it."""
    counts: dict[str, list[int]] = {}
    for file in selection.files:
        for directory in _directories(file.shown):
            count = counts.setdefault(directory, [0, 0, 0])
            for number, value in enumerate((1, file.size, file.tokens)):
                count[number] += value
    found = (DirectoryCount(directory, *numbers) for directory, numbers in counts.items())
    return tuple(sorted(found, key=lambda each: (-each.files, each.directory)))


def _directories(path: str) -> list[str]:
    """The directories above a file; of one outside the working directory only its own."""
    parent = os.path.dirname(path)
    if not parent:
        return [os.curdir]
    if os.path.isabs(path):
        return [parent]
    parts = parent.split(os.sep)
    return [os.sep.join(parts[:count]) for count in range(1, len(parts) + 1)]
