"""Which of many paths a glob covers, without trying each of them.

The paths stand in one text, sorted. A glob is tried on those only that begin with its leading names and hold the
longest literal that it needs: finding these costs a search through a text, not a match for every path.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, islice
from operator import le

from rules_lsp.policy.glob import Alternative, AnyDirectories, Glob, Literal, Name, parse_glob
from rules_lsp.policy.patterns.lists import index_key

_MOST_REMEMBERED = 100_000


class PathIndex:
    """Root-relative POSIX paths that globs are asked about. Immutable, but for what it remembers of answers.

    A path is compared in Unicode normal form C and told as it was given. `directories` says what all of them are.
    """

    def __init__(self, paths: Iterable[str], *, directories: bool = False) -> None:
        self._paths = tuple(paths)
        self._directories = directories
        composed = (path if path.isascii() else unicodedata.normalize("NFC", path) for path in self._paths)
        self._composed = tuple(composed)
        self._exact = _Keys(self._composed, str)
        self._folded: _Keys | None = None
        self._firsts: dict[tuple[str, bool], str | None] = {}

    def covered(self, glob: Glob, *, fold_case: bool = False) -> Iterator[str]:
        """The paths that a glob covers, each once, in no particular order. `fold_case` is as in `Glob.covers`."""
        paths = self._paths
        return (paths[position] for position in self.positions(glob, fold_case=fold_case))

    def positions(self, glob: Glob, *, fold_case: bool = False) -> Iterator[int]:
        """The places of the paths that `covered` gives, among those that the index was made of."""
        composed = glob.composed
        keys = self._keys(fold_case)
        several = len(composed.alternatives) > 1
        seen: set[int] = set()
        for alternative in composed.alternatives:
            # A folded key is wider than what is compared.
            certain = not fold_case and _takes_all_below(alternative)
            for position in keys.below(alternative) if certain else keys.candidates(alternative):
                if several:
                    if position in seen:
                        continue
                    seen.add(position)
                if certain or composed.covers(self._composed[position], self._directories, fold_case=fold_case):
                    yield position

    def first(self, glob: Glob, *, fold_case: bool = False) -> str | None:
        """Some path that a glob covers, or None. The answer for a glob that is as its text is read is remembered."""
        if parse_glob(glob.text) is not glob:
            return next(self.covered(glob, fold_case=fold_case), None)
        key = (glob.text, fold_case)
        # Threads may ask at once: what one of them has found is used whatever the others do to the memory.
        found = self._firsts.get(key, "")
        if found == "":
            found = next(self.covered(glob, fold_case=fold_case), None)
            if len(self._firsts) >= _MOST_REMEMBERED:
                self._firsts.clear()
            self._firsts[key] = found
        return found

    def _keys(self, fold_case: bool) -> _Keys:
        if not fold_case:
            return self._exact
        if self._folded is None:
            self._folded = _Keys(self._composed, index_key)
        return self._folded


class _Keys:
    """The keys of the paths, sorted, in one text: a slash in front of each and a line break behind it.

    A path may hold a line break itself: no literal of a glob does, and places are told by offsets alone.
    """

    def __init__(self, paths: tuple[str, ...], key_of: Callable[[str], str]) -> None:
        self._key_of = key_of
        keys = list(map(key_of, paths))
        if all(map(le, keys, islice(keys, 1, None))):
            # As they are given, paths are mostly sorted.
            self._sorted, self._positions = keys, list(range(len(keys)))
        else:
            self._positions = sorted(range(len(keys)), key=keys.__getitem__)
            self._sorted = [keys[position] for position in self._positions]
        self._text = "".join([f"/{key}\n" for key in self._sorted])
        self._offsets = list(accumulate((len(key) + 2 for key in self._sorted), initial=0))

    def candidates(self, alternative: Alternative) -> Iterator[int]:
        """The positions of the paths that an alternative may cover."""
        leading = _leading_names(alternative)
        literal = self._key_of(_longest_literal(alternative, len(leading)))
        for start, end in self._ranges(self._key_of("/".join(leading))):
            yield from self._holding(literal, start, end)

    def below(self, alternative: Alternative) -> list[int]:
        """The positions of the paths below the leading names of an alternative, of which there is one at least."""
        beginning = self._key_of("/".join(_leading_names(alternative)))
        _, (start, end) = self._ranges(beginning)
        return self._positions[start:end]

    def _ranges(self, beginning: str) -> Iterator[tuple[int, int]]:
        """The indices of the path that is the beginning itself, and of those below it."""
        if not beginning:
            yield 0, len(self._sorted)
            return
        yield bisect_left(self._sorted, beginning), bisect_right(self._sorted, beginning)
        yield bisect_left(self._sorted, beginning + "/"), bisect_left(self._sorted, beginning + chr(ord("/") + 1))

    def _holding(self, literal: str, start: int, end: int) -> Iterator[int]:
        if not literal:
            yield from self._positions[start:end]
            return
        stop = self._offsets[end]
        at = self._text.find(literal, self._offsets[start], stop)
        while at >= 0:
            index = bisect_right(self._offsets, at) - 1
            yield self._positions[index]
            at = self._text.find(literal, self._offsets[index + 1], stop)


def _takes_all_below(alternative: Alternative) -> bool:
    """Whether an alternative is that of `a/b/**`: all that lies below the names, and nothing else."""
    *names, last = alternative.segments or (None,)
    if not names or not isinstance(last, AnyDirectories) or last.minimum != 1 or alternative.directory_only:
        return False
    return len(_leading_names(alternative)) == len(names)


def _leading_names(alternative: Alternative) -> list[str]:
    names: list[str] = []
    for segment in alternative.segments:
        if not isinstance(segment, Name) or not segment.literal:
            break
        names.append(segment.literal)
    return names


def _longest_literal(alternative: Alternative, skipped: int) -> str:
    """The longest text that every path must hold for the segments behind the first `skipped`, or an empty one."""
    found = [""]
    for segment in alternative.segments[skipped:]:
        if isinstance(segment, Name):
            run = "/"
            for token in segment.tokens:
                run = run + token.text if isinstance(token, Literal) else ""
                found.append(run)
    return max(found, key=len)
