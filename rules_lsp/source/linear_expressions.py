"""Regular expressions whose search takes time in proportion to the text, whoever wrote them.

Python's own engine tries one way after another and may take years; here all ways are followed at once. What cannot be
followed so (references back, a look around, atomic groups) is refused. The notation is that of Python's `re`.
"""

from __future__ import annotations

import re

# `re` gives no other way to the tree of an expression than these modules, which are its own.
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_LENGTH = 1_000
MAX_STATES = 2_000
MAX_CACHED = 20_000
_CATEGORIES = {
    names.CATEGORY_DIGIT: r"\d",
    names.CATEGORY_NOT_DIGIT: r"\D",
    names.CATEGORY_SPACE: r"\s",
    names.CATEGORY_NOT_SPACE: r"\S",
    names.CATEGORY_WORD: r"\w",
    names.CATEGORY_NOT_WORD: r"\W",
}
_REFUSED = {
    names.GROUPREF: "a reference back",
    names.GROUPREF_EXISTS: "a reference back",
    names.ASSERT: "a look ahead or behind",
    names.ASSERT_NOT: "a look ahead or behind",
    names.ATOMIC_GROUP: "an atomic group",
    names.POSSESSIVE_REPEAT: "a possessive repetition",
}
_START, _END = "start", "end"
_UNKNOWN: frozenset[int] = frozenset((-1,))


class _Refused(Exception):
    """Why an expression is not taken."""


class LinearExpression:
    """An expression that was read by `parse_linear`."""

    def __init__(self, text: str, states: list[tuple[str, Any, tuple[int, ...]]], start: int, needed: str = "") -> None:
        self.text = text
        self._needed = needed
        self._states = states
        self._start = start
        self._steps: dict[tuple[frozenset[int], str, str, bool], frozenset[int] | None] = {}

    def search(self, text: str) -> bool:
        """Whether the expression matches somewhere in a text."""
        if self._needed not in text:
            return False
        current: frozenset[int] = frozenset()
        before, end = _START, len(text)
        steps = self._steps
        for at in range(end + 1):
            after = text[at] if at < end else _END
            last = at == end - 1 and after == "\n"
            key = (current, before, after, last)
            found = steps.get(key, _UNKNOWN)
            if found is _UNKNOWN:
                if len(steps) >= MAX_CACHED:
                    steps.clear()
                found = steps[key] = self._step(current, before, after, last)
            if found is None:
                return True
            current, before = found, after
        return False

    def _step(self, current: frozenset[int], before: str, after: str, last: bool) -> frozenset[int] | None:
        """The states behind a character, or None where the expression has matched in front of it."""
        reached: set[int] = set()
        waiting = [self._start, *current]
        while waiting:
            at = waiting.pop()
            if at in reached:
                continue
            reached.add(at)
            kind, value, targets = self._states[at]
            if kind == "match":
                return None
            if kind == "empty" or (kind == "at" and _holds(value, before, after, last)):
                waiting.extend(targets)
        if after == _END:
            return frozenset()
        following: set[int] = set()
        for at in reached:
            kind, value, targets = self._states[at]
            if kind == "one" and value(after):
                following.update(targets)
        return frozenset(following)


def parse_linear(text: str) -> LinearExpression | str:
    """An expression, or why it is refused."""
    if len(text) > MAX_LENGTH:
        return f"is longer than {MAX_LENGTH:,} characters"
    try:
        tree = parser.parse(text)
        build = _Build(tree.state.flags)
        start = build.sequence(list(tree), build.add("match", None, ()))
    except _Refused as refused:
        return str(refused)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is no regular expression ({error})"
    needed = "" if tree.state.flags & re.IGNORECASE else _longest_literal(list(tree))
    return LinearExpression(text, build.states, start, needed)


def _longest_literal(items: list[Any]) -> str:
    """The longest run of letters that every match must hold, as far as it stands in no group."""
    runs = [""]
    for operator, argument in items:
        if operator is names.LITERAL:
            runs[-1] += chr(argument)
        elif operator is not names.AT:
            runs.append("")
    return max(runs, key=len)


class _Build:
    def __init__(self, flags: int) -> None:
        self.states: list[tuple[str, Any, tuple[int, ...]]] = []
        self._flags = flags

    def add(self, kind: str, value: Any, targets: tuple[int, ...]) -> int:
        if len(self.states) >= MAX_STATES:
            raise _Refused("repeats too much: write smaller numbers")
        self.states.append((kind, value, targets))
        return len(self.states) - 1

    def sequence(self, items: list[Any], following: int) -> int:
        for operator, argument in reversed(items):
            following = self._item(operator, argument, following)
        return following

    def _item(self, operator: Any, argument: Any, following: int) -> int:
        if operator in _REFUSED:
            raise _Refused(f"holds {_REFUSED[operator]}, which is not linear: write it without")
        if operator is names.SUBPATTERN:
            _, added, removed, inner = argument
            outer, self._flags = self._flags, (self._flags | added) & ~removed
            start = self.sequence(list(inner), following)
            self._flags = outer
            return start
        if operator is names.BRANCH:
            starts = tuple(self.sequence(list(branch), following) for branch in argument[1])
            return self.add("empty", None, starts)
        if operator in (names.MAX_REPEAT, names.MIN_REPEAT):
            return self._repeat(argument, following)
        if operator is names.AT:
            return self.add("at", (argument, self._flags), (following,))
        if operator is names.LITERAL:
            expression = re.escape(chr(argument))
        elif operator is names.NOT_LITERAL:
            expression = f"[^{re.escape(chr(argument))}]"
        elif operator is names.ANY:
            expression = "."
        elif operator is names.IN:
            expression = f"[{''.join(map(_class_part, argument))}]"
        else:
            raise _Refused(f"holds `{str(operator).lower()}`, which is not taken here")
        flags = self._flags & (re.IGNORECASE | re.DOTALL | re.ASCII)
        return self.add("one", re.compile(expression, flags).fullmatch, (following,))

    def _repeat(self, argument: Any, following: int) -> int:
        least, most, inner = argument
        items = list(inner)
        if most is names.MAXREPEAT:
            loop = self.add("empty", None, ())
            start = self.sequence(items, loop)
            self.states[loop] = ("empty", None, (start, following))
            following = loop
        else:
            for _ in range(most - least):
                following = self.add("empty", None, (self.sequence(items, following), following))
        for _ in range(least):
            following = self.sequence(items, following)
        return following


def _class_part(part: Any) -> str:
    operator, argument = part
    if operator is names.NEGATE:
        return "^"
    if operator is names.LITERAL:
        return re.escape(chr(argument))
    if operator is names.RANGE:
        return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
    return _CATEGORIES[argument]


def _kind(character: str) -> str:
    if character in (_START, _END, "\n"):
        return character
    if character.isalnum() or character == "_":
        return "word" if character.isascii() else "wide"
    return "other"


def _holds(value: Any, before: str, after: str, last: bool) -> bool:
    where, flags = value
    many = bool(flags & re.MULTILINE)
    if where in (names.AT_BEGINNING, names.AT_BEGINNING_STRING):
        return before == _START or (many and where is names.AT_BEGINNING and before == "\n")
    if where in (names.AT_END, names.AT_END_STRING):
        return after == _END or (where is names.AT_END and (last or (many and after == "\n")))
    words = [_kind(each) in (("word",) if flags & re.ASCII else ("word", "wide")) for each in (before, after)]
    return (words[0] != words[1]) is (where is names.AT_BOUNDARY)
