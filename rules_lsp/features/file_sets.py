"""Sets of a project's files, and what patterns take of them, remembered as long as the files are the same.

The files have numbers, their places in the sorted inventory; a set is an integer whose bits are these numbers, so that
a union costs no more than a walk over its words. Where few files come or go, the sets are moved and not made anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.patterns import ExcludeMatcher
from rules_lsp.policy.patterns.matchers import composed_path
from rules_lsp.source.expressions import expression
from rules_lsp.workspace.inventory import Change, FileInventory

FileSet = int
_MOST_REMEMBERED = 50_000
_MOST_MOVED = 50_000
_HELD = expression(rb"[^\0]")
_ExcludeKey = tuple[str, tuple[str, ...], bool]


class TakenFiles:
    """What patterns take of one inventory."""

    def __init__(self, inventory: FileInventory) -> None:
        # Only the parts are held: what is remembered must not keep alive what it is remembered for.
        self._index = inventory.file_index
        self._files = inventory.files
        self._including: dict[str, FileSet] = {}
        self._excluding: dict[_ExcludeKey, FileSet] = {}

    @property
    def all(self) -> FileSet:
        """Every file."""
        return (1 << len(self._files)) - 1

    def by_include(self, glob: Glob) -> FileSet:
        """The files that git's reading takes."""
        found = self._including.get(glob.text)
        if found is None:
            if len(self._including) >= _MOST_REMEMBERED:
                self._including.clear()
            found = self._including[glob.text] = self._set(self._index.positions(glob))
        return found

    def by_exclude(self, text: str, roots: tuple[str, ...], fold_case: bool) -> FileSet:
        """The files that any reading of a denying pattern takes."""
        key = (text, roots, fold_case)
        found = self._excluding.get(key)
        if found is None:
            if len(self._excluding) >= _MOST_REMEMBERED:
                self._excluding.clear()
            matcher, index = ExcludeMatcher(text, *roots), self._index
            numbers = (n for glob in matcher.every_glob() for n in index.positions(glob, fold_case=fold_case))
            found = self._excluding[key] = self.all if matcher.covers_all else self._set(numbers)
        return found

    def named(self, paths: Iterable[str]) -> FileSet:
        """A set of files by their paths; others are passed over."""
        found = 0
        for path in paths:
            number = bisect_left(self._files, path)
            if number < len(self._files) and self._files[number] == path:
                found |= 1 << number
        return found

    def take_over(self, before: TakenFiles, change: Change) -> None:
        """Remember what is remembered of the files of before, with what has come and gone since."""
        including, excluding = dict(before._including), dict(before._excluding)
        if (len(including) + len(excluding)) * (len(change.added) + len(change.removed)) > _MOST_MOVED:
            return
        added = [(number, composed_path(self._files[number])) for number in change.added]
        for text, files in including.items():
            glob = parse_glob(text)
            globs: tuple[Glob, ...] = (glob.composed,) if isinstance(glob, Glob) else ()
            self._including[text] = _moved(files, change) | _covered(added, globs, fold_case=False)
        for key, files in excluding.items():
            text, roots, fold_case = key
            matcher = ExcludeMatcher(text, *roots)
            globs = tuple(glob.composed for glob in matcher.every_glob())
            new = _covered(added, globs, fold_case=fold_case)
            self._excluding[key] = self.all if matcher.covers_all else _moved(files, change) | new

    def _set(self, numbers: Iterable[int]) -> FileSet:
        found = list(numbers)
        if len(found) < len(self._files) >> 6:
            return _sparse(found)
        digits = bytearray(b"0") * (len(self._files) or 1)
        for number in found:
            digits[number] = 49
        digits.reverse()
        return int(digits, 2)


def _sparse(numbers: list[int]) -> FileSet:
    """The set of few numbers, without a look at the others."""
    bits = bytearray((max(numbers, default=0) >> 3) + 1)
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(bits, "little")


def _moved(files: FileSet, change: Change) -> FileSet:
    """A set in the numbers of now, without the files that have come."""
    for number in change.removed:
        files = files & ((1 << number) - 1) | files >> number + 1 << number
    for number in change.added:
        files = files & ((1 << number) - 1) | files >> number << number + 1
    return files


def _covered(files: list[tuple[int, str]], globs: tuple[Glob, ...], *, fold_case: bool) -> FileSet:
    found = 0
    for number, path in files:
        if any(glob.covers(path, False, fold_case=fold_case) for glob in globs):
            found |= 1 << number
    return found


_REMEMBERED: WeakKeyDictionary[FileInventory, TakenFiles] = WeakKeyDictionary()


def taken_by(inventory: FileInventory) -> TakenFiles:
    """What is remembered of an inventory."""
    found = _REMEMBERED.get(inventory)
    if found is None:
        found = TakenFiles(inventory)
        change = inventory.change
        before = change.before() if change is not None else None
        if change is not None and before is not None and before in _REMEMBERED:
            found.take_over(_REMEMBERED[before], change)
        _REMEMBERED[inventory] = found
    return found


def union(sets: Iterable[FileSet]) -> FileSet:
    """The files that are in some of the sets."""
    found = 0
    for each in sets:
        found |= each
    return found


def once(sets: Iterable[FileSet]) -> FileSet:
    """The files that are in exactly one of the sets."""
    seen = again = 0
    for each in sets:
        again |= seen & each
        seen |= each
    return seen & ~again


def listed(files: FileSet, paths: tuple[str, ...]) -> Iterator[str]:
    """The paths of a set, in their order."""
    data = files.to_bytes((files.bit_length() + 7) >> 3, "little")
    for held in _HELD.finditer(data):
        at = held.start()
        byte = data[at]
        while byte:
            low = byte & -byte
            yield paths[(at << 3) + low.bit_length() - 1]
            byte ^= low
