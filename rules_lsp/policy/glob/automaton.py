"""The automaton of patterns over the characters of a path: one bit for each place that reading a pattern can be at.

It accepts what `Glob.covers` does. A set of places is a number, so that one character costs a few operations however
many patterns there are. `top` is the place where everything below is covered: an ancestor has been matched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from rules_lsp.policy.glob.nodes import (
    Alternative,
    AnyCharacter,
    AnyDirectories,
    CharacterClass,
    Literal,
    Name,
)


class Move(IntEnum):
    """What a place waits for, where that is no literal character and no class."""

    ANY = 0
    """Any character of a name."""
    STAR = 1
    """Any characters of a name, also none."""
    SLASH = 2
    """The slash behind a name."""
    DIRECTORIES = 3
    """The beginning of a directory's name, or nothing."""
    WITHIN = 4
    """The rest of a directory's name and its slash."""
    END = 5
    """The end of the path, or the slash of a directory."""
    DIRECTORY_END = 6
    """The slash of a directory."""
    TOP = 7
    """Anything."""


Step = Move | str | CharacterClass
_PREFERRED = "xyzwvutsrqponmlkjihgfedcba0123456789_XYZWVUTSRQPONMLKJIHGFEDCBA"
_LAST_CODE_POINT = 0x10FFFF
_VISIBLE = 0x21


class _Class(NamedTuple):
    """A class with the bit of its place: the code points that it names, ends included, or all others of a name."""

    place: int
    ranges: tuple[tuple[int, int], ...]
    negated: bool

    def accepts(self, letter: str) -> bool:
        code_point = ord(letter)
        return any(first <= code_point <= last for first, last in self.ranges) != self.negated


class Automaton:
    """Alternatives side by side. `steps` is what each place waits for, `start` where reading begins."""

    def __init__(self, alternatives: Iterable[Alternative]) -> None:
        self.steps: list[Step] = []
        self.characters: dict[str, int] = {}
        self.classes: list[_Class] = []
        begins = [0]
        for alternative in alternatives:
            steps = steps_of(alternative)
            if steps is not None:
                self.steps += steps
                begins.append(len(self.steps))
        self.steps.append(Move.TOP)
        masks = [0] * len(Move)
        for place, step in enumerate(self.steps):
            if isinstance(step, Move):
                masks[step] |= 1 << place
            elif isinstance(step, str):
                self.characters[step] = self.characters.get(step, 0) | 1 << place
            else:
                self.classes.append(_Class(1 << place, tuple(step.ranges()), step.negated))
        self.top = masks[Move.TOP]
        self.as_file = masks[Move.END] | self.top
        self.negated = sum(each.place for each in self.classes if each.negated)
        self._stars, self._directories = masks[Move.STAR], masks[Move.DIRECTORIES]
        self._slashes, self._within = masks[Move.SLASH], masks[Move.WITHIN]
        self._unlettered = masks[Move.ANY] | self._directories
        self._staying = self._stars | self._within | self.top
        self._topped = masks[Move.END] | masks[Move.DIRECTORY_END] | self.top
        self._advancing: dict[str, int] = {}
        self._after: dict[tuple[int, str], int] = {}
        self.start = self._closed(sum(1 << begin for begin in begins[:-1]))

    def advancing(self, letter: str) -> int:
        """The places that a character of a name moves on from."""
        known = self._advancing.get(letter)
        if known is None:
            known = self._unlettered | self.characters.get(letter, 0)
            for each in self.classes:
                if each.accepts(letter):
                    known |= each.place
            self._advancing[letter] = known
        return known

    def after(self, places: int, letter: str) -> int:
        """The places behind a character of a name."""
        key = (places, letter)
        known = self._after.get(key)
        if known is None:
            known = self._closed((places & self.advancing(letter)) << 1 | places & self._staying)
            self._after[key] = known
        return known

    def after_slash(self, places: int) -> int:
        """The places behind the slash that ends a name; among them `top` if what ends there is covered."""
        moved = (places & self._slashes) << 1 | (places & self._within) >> 1
        return self._closed(moved | (self.top if places & self._topped else 0))

    def _closed(self, places: int) -> int:
        while True:
            more = places | (places & self._stars) << 1 | (places & self._directories) << 2
            if more == places:
                return places
            places = more


def steps_of(alternative: Alternative) -> list[Step] | None:
    """What the places of one alternative wait for, the end among them; None if it can match nothing."""
    segments = list(alternative.segments)
    trailing = 0
    while segments and isinstance(last := segments[-1], AnyDirectories):
        trailing += last.minimum
        segments.pop()
    if not segments and not trailing:
        return [Move.TOP]
    steps: list[Step] = []
    for segment in segments:
        if isinstance(segment, AnyDirectories):
            steps += [Move.STAR, Move.SLASH] * segment.minimum
            steps += [Move.DIRECTORIES, Move.WITHIN]
        elif not segment.tokens:
            return None
        else:
            steps += [*_steps_of_name(segment), Move.SLASH]
    steps += [Move.STAR, Move.SLASH] * trailing
    steps[-1] = Move.DIRECTORY_END if alternative.directory_only else Move.END
    return steps


def _steps_of_name(name: Name) -> Iterator[Step]:
    for token in name.tokens:
        if isinstance(token, Literal):
            yield from token.text
        elif isinstance(token, CharacterClass):
            yield token
        else:
            yield Move.ANY if isinstance(token, AnyCharacter) else Move.STAR


def plain_path(alternative: Alternative) -> str | None:
    """A file that the alternative covers, with one character for each wildcard; None where that makes no real path."""
    names: list[str] = []
    for segment in alternative.segments:
        if isinstance(segment, AnyDirectories):
            names += _PREFERRED[:1] * max(1, segment.minimum)
            continue
        name = ""
        for step in _steps_of_name(segment):
            letter = _letter_of(step)
            if letter is None:
                return None
            name += letter
        names.append(name)
    if alternative.directory_only or not names:
        names.append(_PREFERRED[0])
    return None if any(name in ("", ".", "..") for name in names) else "/".join(names)


def _letter_of(step: Step) -> str | None:
    if isinstance(step, CharacterClass):
        return next(filter(step.accepts, _PREFERRED), None)
    return step if isinstance(step, str) else _PREFERRED[0]


class Alphabet:
    """Characters that stand for all: two that no automaton tells apart are stood for by one.

    `plain` is a character that nothing but wildcards and negated classes speak of, or None where there is none.
    """

    def __init__(self, *automata: Automaton) -> None:
        # A dot is not like other characters: names may not be of one or two dots alone.
        literals = {".", *(letter for automaton in automata for letter in automaton.characters)}
        classes = [each for automaton in automata for each in automaton.classes]
        if not classes:
            self.plain: str | None = next(letter for letter in _candidates() if letter not in literals)
            self.letters: tuple[str, ...] = (*sorted(literals), self.plain)
            return
        cuts = {1, _LAST_CODE_POINT + 1, ord("/"), ord("/") + 1}
        cuts.update(cut for each in classes for first, last in each.ranges for cut in (first, last + 1) if cut)
        found = _one_of_each(sorted(cuts), literals)
        self.letters = (*sorted(literals), *found)
        free = (letter for letter in found if all(each.negated == each.accepts(letter) for each in classes))
        self.plain = next(free, None)


def _one_of_each(borders: Sequence[int], literals: set[str]) -> list[str]:
    """One character of each stretch between borders that is no literal, where there is one."""
    count = len(borders) - 1
    found: list[str | None] = [None] * count
    for letter in _PREFERRED:
        place = bisect_right(borders, ord(letter)) - 1
        if found[place] is None and letter not in literals:
            found[place] = letter
    for place in range(count):
        if found[place] is None and borders[place] != ord("/"):
            found[place] = _other_than(literals, borders[place], borders[place + 1])
    return [letter for letter in found if letter is not None]


def _candidates() -> Iterator[str]:
    yield from _PREFERRED
    yield from (chr(code_point) for code_point in range(ord("\x7f") + 1, _LAST_CODE_POINT))


def _other_than(literals: set[str], first: int, end: int) -> str | None:
    visible = range(max(first, _VISIBLE), end)
    for stretch in (visible, range(first, min(end, _VISIBLE))):
        for code_point in stretch:
            if chr(code_point) not in literals:
                return chr(code_point)
    return None
