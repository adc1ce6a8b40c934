"""What is proved of whole lists of patterns: which entries others cover, and which have no effect.

Each answer is true of every file that there could be. An entry is passed over where its proof takes more than its
budget, and the rest of a list where the list does: to say nothing is always right. Lists are given by the texts of
their entries; those that cannot be read or negate are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rules_lsp.policy.glob.inclusion import Proof, covered, disjoint
from rules_lsp.policy.model import ListName
from rules_lsp.policy.patterns.lists import PatternIndex
from rules_lsp.policy.patterns.provable import ProvablePattern, provable_exclude, provable_include

EFFORT = 100_000
"""Matches, and steps of walks, that one list may cost; each costs one to five microseconds."""
MOST_PATTERNS = 20_000
"""The longest list of which anything is proved: getting one pattern ready costs a quarter of a millisecond."""
_OF_ONE_WALK = 50
_MOST_TOGETHER = 16
_MOST_TRIED = 16
_REMEMBERED = 16_384
Roots = tuple[str, ...]
Texts = tuple[str, ...]


@lru_cache(maxsize=64)
def covered_entries(texts: Texts, list_name: ListName, roots: Roots = ()) -> tuple[tuple[int, int], ...]:
    """The positions of the entries that another entry of the list covers, each with that one's.

    Of two that cover each other the later one is named, of equal texts none. For excludes it holds for directories
    and for volumes that ignore case as well, so that the entry can go without anything becoming allowed.
    """
    first = {text: position for position, text in reversed(list(enumerate(texts)))}
    patterns = _patterns(texts, list_name, roots)
    known = [(place, pattern) for place, pattern in patterns if first[pattern.text] == place]
    search = _Search(known, list_name, roots)
    return tuple(search.covered_by_one())


@lru_cache(maxsize=64)
def shadowed_includes(includes: Texts, excludes: Texts, roots: Roots = ()) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The positions of the includes of which the excludes leave no file, each with those of the excludes that do."""
    search = _Search(_patterns(excludes, "file_patterns.exclude", roots), "file_patterns.exclude", roots)
    found: list[tuple[int, tuple[int, ...]]] = []
    for position, include in _patterns(includes, "file_patterns.include", roots):
        by = search.covering_together(include)
        if by:
            found.append((position, by))
    return tuple(found)


@lru_cache(maxsize=64)
def dead_excludes(excludes: Texts, includes: Texts, roots: Roots = ()) -> tuple[int, ...]:
    """The positions of the excludes that cover nothing of what the includes do, in any case."""
    including = [pattern for _, pattern in _patterns(includes, "file_patterns.include", roots)]
    if not including or any(pattern.anywhere for pattern in including):
        return ()
    near = _Beginnings(including)
    effort = _Effort()
    found: list[int] = []
    for position, exclude in _patterns(excludes, "file_patterns.exclude", roots):
        # Below any directory of an include lies something that such an exclude takes.
        if not exclude.anywhere and exclude.loosened is not None:
            apart = all(_apart(exclude, include, effort) for include in near.to(exclude))
            if apart and effort.left >= 0:
                found.append(position)
    return tuple(found)


@lru_cache(maxsize=64)
def nothing_in_common(one: Texts, other: Texts) -> bool:
    """Whether no file is in both of two lists of includes."""
    sides = [
        [glob for _, pattern in _patterns(texts, "file_patterns.include", ()) for glob in pattern.certain]
        for texts in (one, other)
    ]
    return all(sides) and disjoint(*sides).verdict is True


class _Effort:
    """What is left of the budget of a list."""

    def __init__(self) -> None:
        self.left = EFFORT

    def spend(self, proof: Proof) -> Proof:
        """The same proof. Its cost counts also where it is remembered, so that an answer does not depend on that."""
        self.left -= proof.steps + _OF_ONE_WALK
        return proof


class _Search:
    """The entries of one list that cover something, found by a file that they must cover for that."""

    def __init__(self, patterns: Iterable[tuple[int, ProvablePattern]], list_name: ListName, roots: Roots) -> None:
        self._patterns = dict(patterns)
        self._list = list_name
        self._roots = roots
        self._effort = _Effort()
        self._index = PatternIndex()
        for position, pattern in self._patterns.items():
            self._index.add_keys(position, pattern.keys)

    def covered_by_one(self) -> Iterator[tuple[int, int]]:
        """The entries that another one of the list covers, and that one."""
        for position in self._patterns:
            if self._effort.left < 0:
                return
            by = self._covering(position)
            if by is not None:
                yield position, by

    def covering_together(self, include: ProvablePattern) -> tuple[int, ...]:
        """Entries that together cover all that an include does, none of them needlessly; none where they do not.

        A file that those found so far leave shows which one is needed next.
        """
        chosen: list[int] = []
        missing: str | None = include.example
        while missing is not None and len(chosen) < _MOST_TOGETHER:
            by = next(iter(self._holding(missing)), None)
            if by is None or by in chosen:
                return ()
            chosen.append(by)
            proof = self._proof(include, chosen)
            if proof.verdict:
                return self._needed(include, chosen)
            missing = proof.witness
        return ()

    def _needed(self, include: ProvablePattern, chosen: list[int]) -> tuple[int, ...]:
        for position in chosen[:-1]:
            rest = [other for other in chosen if other != position]
            if self._proof(include, rest).verdict:
                chosen = rest
        return tuple(sorted(chosen))

    def _covering(self, position: int) -> int | None:
        pattern = self._patterns[position]
        if self._list == "file_patterns.exclude" and not pattern.keeps_case:
            return None
        candidates = list(self._holding(pattern.example, besides=position))
        for _ in range(_MOST_TRIED):
            if not candidates:
                return None
            other = candidates.pop(0)
            proof = self._in_one(pattern, self._patterns[other])
            if proof.verdict and (other < position or self._in_one(self._patterns[other], pattern).verdict is False):
                return other
            if (witness := proof.witness) is not None:
                candidates = [other for other in candidates if self._patterns[other].covers(witness)]
        return None

    def _holding(self, path: str, besides: int | None = None) -> Sequence[int]:
        """The entries, all or all but one, that certainly cover a file."""
        if self._effort.left < 0:
            return ()
        candidates = [position for position in self._index.candidates(path) if position != besides]
        self._effort.left -= len(candidates)
        patterns = tuple(self._patterns[position] for position in candidates)
        return [candidates[place] for place in _places_of_covering(patterns, path)]

    def _in_one(self, one: ProvablePattern, other: ProvablePattern) -> Proof:
        excluding = self._list == "file_patterns.exclude"
        if excluding and not (one.keeps_case and other.keeps_case and other.takes_every_case):
            return Proof(None, None, 0)
        return self._effort.spend(_covered(one, (other,), True))

    def _proof(self, include: ProvablePattern, chosen: Sequence[int]) -> Proof:
        return self._effort.spend(_covered(include, tuple(self._patterns[position] for position in chosen), False))


def _patterns(texts: Texts, list_name: ListName, roots: Roots) -> Iterator[tuple[int, ProvablePattern]]:
    for position, text in enumerate(texts) if len(texts) <= MOST_PATTERNS else ():
        including = list_name == "file_patterns.include"
        pattern = provable_include(text) if including else provable_exclude(text, *roots)
        if pattern is not None:
            yield position, pattern


class _Beginnings:
    """Includes by the literal names that their paths begin with."""

    def __init__(self, including: Iterable[ProvablePattern]) -> None:
        self._whole: dict[tuple[str, ...], list[ProvablePattern]] = {}
        self._longer: dict[tuple[str, ...], list[ProvablePattern]] = {}
        for pattern in including:
            for names in pattern.beginnings:
                self._whole.setdefault(names, []).append(pattern)
                for length in range(len(names)):
                    self._longer.setdefault(names[:length], []).append(pattern)

    def to(self, exclude: ProvablePattern) -> Iterator[ProvablePattern]:
        """The includes of which a path can begin as one of an exclude does; some may come more than once."""
        for names in exclude.beginnings:
            yield from self._longer.get(names, ())
            for length in range(len(names) + 1):
                yield from self._whole.get(names[:length], ())


def _apart(exclude: ProvablePattern, include: ProvablePattern, effort: _Effort) -> bool:
    if effort.left < 0 or include.loosened is None or exclude.covers(include.example):
        return False
    return effort.spend(_disjoint(exclude, include)).verdict is True


@lru_cache(maxsize=_REMEMBERED)
def _places_of_covering(patterns: tuple[ProvablePattern, ...], path: str) -> tuple[int, ...]:
    return tuple(place for place, pattern in enumerate(patterns) if pattern.covers(path))


@lru_cache(maxsize=_REMEMBERED)
def _covered(one: ProvablePattern, others: tuple[ProvablePattern, ...], directories: bool) -> Proof:
    return covered(one.possible, [glob for other in others for glob in other.certain], directories=directories)


@lru_cache(maxsize=_REMEMBERED)
def _disjoint(exclude: ProvablePattern, include: ProvablePattern) -> Proof:
    return disjoint(exclude.loosened or (), include.loosened or ())
