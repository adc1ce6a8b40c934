"""Proofs about what globs cover: whether some cover all that others do, and whether two sides have a path in common.

Both walk the product of two automata, place by place of the left one and with the set of places of the right one, and
make only what they come to. Every path that a system can have is looked at and no other: no empty name, no `.`, no
`..`. Characters are compared as they are. A walk that comes to more than its budget ends without an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules_lsp.policy.glob.automaton import Alphabet, Automaton, Move, plain_path
from rules_lsp.policy.glob.nodes import CharacterClass
from rules_lsp.policy.glob.pattern import Glob
from rules_lsp.source.records import dataclass

BUDGET = 10_000
"""Steps that a walk may make; each costs one to five microseconds."""
LARGEST = 20_000
"""Characters of all patterns of a question, braces expanded; of more there is no answer."""
_COMPARED_IN_A_STEP = 16
# How far a name is: it may neither be empty nor be one of the two names that mean another directory.
_EMPTY, _DOT, _DOTS, _WHOLE = range(4)
_LETTERLESS = (Move.SLASH, Move.END, Move.DIRECTORY_END)


@dataclass(frozen=True, slots=True)
class Proof:
    """An answer: `verdict` is None where the budget did not suffice.

    `witness` is a path that shows why it is False; one that ends in `/` is a directory. `steps` is what it cost.
    """

    verdict: bool | None
    witness: str | None
    steps: int


class _Node(NamedTuple):
    """A state of a walk and the way to it: one place on the left, a set of places on the right."""

    place: int
    name: int
    right: int
    text: str
    before: _Node | None

    def path(self) -> str:
        parts: list[str] = []
        node: _Node | None = self
        while node is not None:
            parts.append(node.text)
            node = node.before
        return "".join(reversed(parts))


def covered(left: Iterable[Glob], right: Iterable[Glob], *, directories: bool = False, budget: int = BUDGET) -> Proof:
    """Whether every file that one of `left` covers is covered by one of `right`; with `directories` these as well.

    The witness is covered by the left side and not by the right one.
    """
    walk = _Walk.between(left, right)
    if walk is None:
        return Proof(None, None, 0)
    line = _Line()
    for start in walk.starts():
        line.add(start)
    while line.pending:
        node = line.pending.popleft()
        if line.steps > budget:
            return Proof(None, None, line.steps)
        if node.name == _WHOLE:
            if walk.left_ends(node) and not node.right & walk.right.as_file:
                return Proof(False, node.path(), line.steps)
            after = walk.right.after_slash(node.right)
            if not after & walk.right.top:
                for place in walk.left_after_slash(node.place):
                    if directories and place == walk.top:
                        return Proof(False, node.path() + "/", line.steps)
                    line.add(_Node(place, _EMPTY, after, "/", node))
        for letter in walk.least_letters(node):
            after = walk.right.after(node.right, letter)
            name = _name_after(node.name, letter)
            for place in walk.left_after(node.place, letter):
                line.add(_Node(place, name, after, letter, node))
    return Proof(True, None, line.steps)


def disjoint(left: Iterable[Glob], right: Iterable[Glob], *, budget: int = BUDGET) -> Proof:
    """Whether no file is covered by both sides; then no directory is either. The witness is a file that is."""
    walk = _Walk.between(left, right)
    if walk is None:
        return Proof(None, None, 0)
    # What is true of a set of places is true of one of them: those that have been looked at need not be again.
    known: dict[tuple[int, int], int] = {}
    pending = deque(walk.starts())
    steps = 0
    while pending:
        node = pending.popleft()
        steps += 1
        if steps > budget:
            return Proof(None, None, steps)
        seen = known.get((node.place, node.name), 0)
        new = node.right & ~seen
        if not new:
            continue
        known[(node.place, node.name)] = seen | new
        if node.name == _WHOLE:
            if walk.left_ends(node) and new & walk.right.as_file:
                return Proof(False, node.path(), steps)
            after = walk.right.after_slash(new)
            pending.extend(_Node(place, _EMPTY, after, "/", node) for place in walk.left_after_slash(node.place))
        for letter in walk.leading_letters(node.place, new):
            after = walk.right.after(new, letter)
            name = _name_after(node.name, letter)
            pending.extend(_Node(place, name, after, letter, node) for place in walk.left_after(node.place, letter))
    return Proof(True, None, steps)


def example(globs: Iterable[Glob], *, budget: int = BUDGET) -> str | None:
    """A file that one of the globs covers, or None where there is none or it was not found within the budget.

    Where that is simple it is one that little else covers: wildcards stand for something in it.
    """
    globs = tuple(globs)
    paths = (path for glob in globs for item in glob.alternatives if (path := plain_path(item)) is not None)
    return next(paths, None) or covered(globs, (), budget=budget).witness


class _Walk:
    """The two automata, and the letters on which a walk has to go on."""

    @classmethod
    def between(cls, left: Iterable[Glob], right: Iterable[Glob]) -> _Walk | None:
        """The walk of two sides, or None where they are too large for one."""
        sides = [[item for glob in globs for item in glob.alternatives] for globs in (left, right)]
        if sum(len(item.text) for side in sides for item in side) > LARGEST:
            return None
        return cls(Automaton(sides[0]), Automaton(sides[1]))

    def __init__(self, left: Automaton, right: Automaton) -> None:
        self._left, self.right = left, right
        self._alphabet = Alphabet(self._left, self.right)
        self.top = self._left.top.bit_length() - 1
        self._by_class: dict[int, tuple[str, ...]] = {}
        self._spoken_of: list[tuple[str, int]] = []
        for letter in self._alphabet.letters if right.negated else ():
            missed = right.negated & ~right.advancing(letter)
            if missed:
                self._spoken_of.append((letter, missed))

    def starts(self) -> Iterator[_Node]:
        """The states in front of a path."""
        return (_Node(place, _EMPTY, self.right.start, "", None) for place in _places(self._left.start))

    def left_ends(self, node: _Node) -> bool:
        """Whether the left side covers a file that ends here."""
        return bool(self._left.as_file >> node.place & 1)

    def left_after(self, place: int, letter: str) -> Iterator[int]:
        """The places of the left side behind a character of a name."""
        return _places(self._left.after(1 << place, letter))

    def left_after_slash(self, place: int) -> Iterator[int]:
        """The places of the left side behind a slash."""
        after = self._left.after_slash(1 << place)
        return iter((self.top,)) if after & self._left.top else _places(after)

    def least_letters(self, node: _Node) -> Iterable[str]:
        """Letters of which one leaves the right side with the fewest places, whatever the left side goes on with.

        Where the left side takes any character, a plain one moves the right side on from its wildcards only. What
        another one leads to includes that, unless a negated class speaks of it.
        """
        step = self._left.steps[node.place]
        if isinstance(step, str):
            return step
        if isinstance(step, CharacterClass):
            return self._letters_of(node.place)
        if step in _LETTERLESS:
            return ()
        if self._alphabet.plain is None:
            return self._alphabet.letters
        return self._alphabet.plain, *(letter for letter, missed in self._spoken_of if missed & node.right)

    def leading_letters(self, place: int, right: int) -> Iterable[str]:
        """Letters of which one leads each place of the right side on that the left side's letters can lead on."""
        step = self._left.steps[place]
        if isinstance(step, str):
            return step
        if isinstance(step, CharacterClass):
            return self._letters_of(place)
        if step in _LETTERLESS:
            return ()
        plain = self._alphabet.plain
        if plain is None:
            return self._alphabet.letters
        rest = right & ~self.right.advancing(plain)
        return plain, *(letter for letter in self._alphabet.letters if rest & self.right.advancing(letter))

    def _letters_of(self, place: int) -> tuple[str, ...]:
        known = self._by_class.get(place)
        if known is None:
            letters = self._alphabet.letters
            known = tuple(letter for letter in letters if self._left.advancing(letter) >> place & 1)
            self._by_class[place] = known
        return known


class _Line:
    """The states that are to be looked at. `steps` counts those that were offered and what comparing them cost."""

    def __init__(self) -> None:
        self.pending: deque[_Node] = deque()
        self.steps = 0
        self._known: dict[tuple[int, int], list[int]] = {}

    def add(self, node: _Node) -> None:
        """Put a state in line, unless one with the same left side and no further places on the right has been there.

        A state whose right side is left with nothing comes first: whatever ends there is a witness.
        """
        sets = self._known.setdefault((node.place, node.name), [])
        self.steps += 1 + len(sets) // _COMPARED_IN_A_STEP
        if any(not seen & ~node.right for seen in sets):
            return
        sets[:] = [seen for seen in sets if node.right & ~seen]
        sets.append(node.right)
        if node.right:
            self.pending.append(node)
        else:
            self.pending.appendleft(node)


def _name_after(name: int, letter: str) -> int:
    if letter != ".":
        return _WHOLE
    return min(name + 1, _WHOLE)


def _places(places: int) -> Iterator[int]:
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest
