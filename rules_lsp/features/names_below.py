"""The names that files and directories have at any depth below a directory: what may follow `**/`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from rules_lsp.workspace.inventory import FileInventory

MOST_NAMES = 24
MOST_PATHS = 20_000
"""Paths from which on none is looked through: a completion must not keep its reader waiting."""
MOST_COUNTED = 5_000
"""Files of a project from which on it is not counted what each name would take."""


def directories_below(files: FileInventory, directory: str, typed: str) -> tuple[str, ...]:
    """The names of directories below a root-relative directory that begin with a text, most frequent first."""
    return _most_frequent(_below(files.directories, directory), typed)


def files_below(files: FileInventory, directory: str, typed: str) -> tuple[str, ...]:
    """The names of files below a root-relative directory that begin with a text, most frequent first."""
    return _most_frequent(_below(files.files, directory), typed)


def _below(paths: Sequence[str], directory: str) -> Sequence[str]:
    if not directory:
        return paths
    return paths[bisect_left(paths, f"{directory}/") : bisect_left(paths, f"{directory}0")]


def _most_frequent(paths: Sequence[str], typed: str) -> tuple[str, ...]:
    if len(paths) > MOST_PATHS:
        return ()
    start = typed.casefold()
    counts = Counter(path.rpartition("/")[2] for path in paths)
    fitting = (name for name in counts if name.casefold().startswith(start))
    return tuple(sorted(fitting, key=lambda name: (-counts[name], name))[:MOST_NAMES])
