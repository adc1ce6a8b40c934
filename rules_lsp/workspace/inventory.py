"""The files of a project: every one but those of Git's own directory, as one scan found them."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from functools import cached_property

from rules_lsp.source.records import dataclass
from rules_lsp.workspace.ignored import IgnoredPaths
from rules_lsp.workspace.path_index import PathIndex

MAX_FILES = 500_000
_STEP = 1000
_AFTER_SLASH = chr(ord("/") + 1)

Progress = Callable[[int], bool]
"""Told the number of files so far, now and then; an answer of False ends the scan."""


@dataclass(frozen=True, eq=False)
class Change:
    """How the files of an inventory come from those of the one `before`, of which nothing else is kept alive.

    `removed` are places in the files of before, the last first; `added` are places in the files of now, ascending.
    """

    before: Callable[[], FileInventory | None]
    removed: tuple[int, ...]
    added: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FileInventory:
    """What a scan found. Paths are root-relative POSIX paths, sorted; a link counts as a file and is not followed.

    `complete` is False where the scan was cut off at `MAX_FILES` or cancelled, or a directory could not be read;
    `capped` says that it was the limit. `root` is the real directory, or None where it is not known. `change` tells how
    the files come from those of an inventory before, if few are others. The indices are made when first asked for. Two
    inventories are equal only if they are the same one.
    """

    files: tuple[str, ...]
    directories: tuple[str, ...]
    complete: bool = True
    capped: bool = False
    root: str | None = None
    change: Change | None = None

    @cached_property
    def file_index(self) -> PathIndex:
        """The files, to ask which of them a glob covers."""
        return PathIndex(self.files)

    @cached_property
    def directory_index(self) -> PathIndex:
        """The directories, to ask which of them a glob covers."""
        return PathIndex(self.directories, directories=True)

    def prepare(self) -> None:
        """Make what the first who asks would wait for."""
        _ = (self.file_index, self.directory_index, self.names, self._deeper_files, self._deeper_directories)

    @cached_property
    def excluding(self) -> dict[tuple[str | bool, ...], bool]:
        """What has been found out of excluding patterns, for those who ask again: it holds as long as the files do."""
        return {}

    @cached_property
    def names(self) -> frozenset[str]:
        """The paths of all files and directories."""
        return self.directory_names.union(self.files)

    @cached_property
    def directory_names(self) -> frozenset[str]:
        """The paths of all directories."""
        return frozenset(self.directories)

    @cached_property
    def ignored(self) -> IgnoredPaths | None:
        """What Git ignores of the files; None where the root is not known. An ignored file is a file like any other."""
        return None if self.root is None else IgnoredPaths(self.root, self.files)

    def children(self, directory: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the files and of the directories in a directory, sorted; an empty text is the root."""
        return _names_in(directory, self.files), _names_in(directory, self.directories)

    def deeper_file(self, name: str) -> str | None:
        """The first file of a name that does not lie in the root, or None."""
        return self._deeper_files.get(name)

    def deeper_directory(self, name: str) -> str | None:
        """The first directory of a name that does not lie in the root, or None."""
        return self._deeper_directories.get(name)

    @cached_property
    def _deeper_files(self) -> dict[str, str]:
        return _first_of_each_name(self.files)

    @cached_property
    def _deeper_directories(self) -> dict[str, str]:
        return _first_of_each_name(self.directories)


def _names_in(directory: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    prefix = directory + "/" if directory else ""
    at = bisect_left(paths, prefix)
    names: list[str] = []
    while at < len(paths) and paths[at].startswith(prefix):
        name, slash, _ = paths[at][len(prefix) :].partition("/")
        if not slash:
            names.append(name)
        # What lies below a directory stands together in the order: on to the first path behind it.
        at = bisect_left(paths, prefix + name + _AFTER_SLASH, at) if slash else at + 1
    return tuple(names)


def _first_of_each_name(paths: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        above, _, name = path.rpartition("/")
        if above:
            found.setdefault(name, path)
    return found


def scan(root: str, progress: Progress | None = None, limit: int = MAX_FILES) -> FileInventory:
    """Find every file below a real directory; never raises."""
    files: list[str] = []
    directories: list[str] = []
    complete = True
    pending = [("", root)]
    while pending:
        prefix, directory = pending.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    name = prefix + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != ".git":
                            directories.append(name)
                            pending.append((name + "/", entry.path))
                    elif entry.name != ".git" and len(files) < limit:
                        files.append(name)
                        if progress is not None and len(files) % _STEP == 0 and not progress(len(files)):
                            return FileInventory(tuple(sorted(files)), tuple(sorted(directories)), False)
                    elif entry.name != ".git":
                        return FileInventory(tuple(sorted(files)), tuple(sorted(directories)), False)
        except OSError:
            complete = False
    return FileInventory(tuple(sorted(files)), tuple(sorted(directories)), complete)
