"""The directories of a project as they were last listed, so that only what changed is listed again."""

from __future__ import annotations

import os
import stat
import time
import weakref
from bisect import bisect_left
from collections.abc import Callable, Iterable

from rules_lsp.source.records import dataclass
from rules_lsp.workspace.inventory import MAX_FILES, Change, FileInventory

_SETTLING_NANOSECONDS = 2_000_000_000
"""A directory that changed so shortly before it was listed can change again without another time stamp."""
_GIT = ".git"
_STEP = 1000
_FEW = 200
"""Files that came or went, up to which an inventory is made of the one before."""

Progress = Callable[[int], bool]
"""Told the number of files so far, now and then; an answer of False ends the work."""


@dataclass(frozen=True, slots=True)
class _Listing:
    """What a directory holds. `stamp` is its time of change, or None where that says nothing of later changes."""

    stamp: int | None
    files: tuple[str, ...]
    directories: tuple[str, ...]
    readable: bool = True


_NOTHING = _Listing(None, (), ())


class FileTree:
    """The files of one real directory but those of Git's own. One thread at a time may use it; it never raises."""

    def __init__(self, root: str, limit: int = MAX_FILES) -> None:
        self._root = root
        self._limit = limit
        self._listings: dict[str, _Listing] = {}
        self._inventory: FileInventory | None = None

    def update(self, progress: Progress | None = None, suspects: Iterable[str] | None = None) -> FileInventory | None:
        """The files as they are now: the inventory of before, the same one, where nothing changed.

        Directories whose time of change is another are listed again; with `suspects`, root-relative directories, only
        those are looked at and what has come to lie below them. None where `progress` ended it: nothing is learnt then.
        """
        known = self._listings
        listings: dict[str, _Listing] = {}
        changed = self._inventory is None
        asked = None if suspects is None or changed else set(suspects)
        number, told = 0, 0
        pending = [""]
        while pending:
            directory = pending.pop()
            old = known.get(directory)
            if old is not None and (asked is not None and directory not in asked):
                listing = old
            else:
                listing = self._listing(directory, old)
                changed = changed or old is None or (listing.files, listing.directories) != (old.files, old.directories)
            listings[directory] = listing
            number += len(listing.files)
            if number >= told + _STEP:
                told = number
                if progress is not None and not progress(number):
                    return None
            if number > self._limit:
                break
            prefix = f"{directory}/" if directory else ""
            pending += [prefix + name for name in listing.directories]
        self._listings = listings
        if changed or self._inventory is None or len(listings) != len(known):
            self._inventory = self._made(known)
        return self._inventory

    def _listing(self, directory: str, old: _Listing | None) -> _Listing:
        path = os.path.join(self._root, *directory.split("/")) if directory else self._root
        try:
            found = os.lstat(path)
            if not stat.S_ISDIR(found.st_mode):
                return _Listing(None, (), (), readable=False)
            if old is not None and old.stamp == found.st_mtime_ns:
                return old
            settled = time.time_ns() - found.st_mtime_ns > _SETTLING_NANOSECONDS
            files: list[str] = []
            directories: list[str] = []
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.name != _GIT:
                        (directories if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        except (OSError, ValueError):
            return _Listing(None, (), (), readable=False)
        files.sort()
        directories.sort()
        return _Listing(found.st_mtime_ns if settled else None, tuple(files), tuple(directories))

    def _made(self, known: dict[str, _Listing]) -> FileInventory:
        files, change = self._changed(known)
        if files is None:
            files = sorted(path for directory, each in self._listings.items() for path in _paths(directory, each))
        capped = len(files) > self._limit
        del files[self._limit :]
        readable = all(listing.readable for listing in self._listings.values())
        directories = sorted(directory for directory in self._listings if directory)
        complete = readable and not capped
        return FileInventory(tuple(files), tuple(directories), complete, capped, self._root, None if capped else change)

    def _changed(self, known: dict[str, _Listing]) -> tuple[list[str] | None, Change | None]:
        """The files as they come from those of before, where few are others."""
        before = self._inventory
        if before is None or before.capped:
            return None, None
        gone: set[str] = set()
        come: set[str] = set()
        for directory in known.keys() | self._listings.keys():
            old, new = known.get(directory, _NOTHING), self._listings.get(directory, _NOTHING)
            if old is not new:
                gone.update(_paths(directory, old))
                come.update(_paths(directory, new))
                if len(gone ^ come) > _FEW:
                    return None, None
        files = list(before.files)
        removed = sorted((bisect_left(files, path) for path in gone - come), reverse=True)
        for place in removed:
            del files[place]
        added: list[int] = []
        for path in sorted(come - gone):
            place = bisect_left(files, path)
            files.insert(place, path)
            added.append(place)
        return files, Change(weakref.ref(before), tuple(removed), tuple(added))


def _paths(directory: str, listing: _Listing) -> list[str]:
    prefix = f"{directory}/" if directory else ""
    return [prefix + name for name in listing.files]
