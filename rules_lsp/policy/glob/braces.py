"""Brace alternation as in bash: `{a,b}`, nested, and `{1..3}`, `{01..10..2}`, `{a..e}`.

Braces without a comma or a valid sequence, `${…}` and a `}` too many are literal. Backslash escapes. Brackets mean
nothing here, as in bash: braces are expanded before classes are read. Unlike bash, a `}` always closes the nearest
open brace (`{a},b}` is literal text), and what stands in literal braces is still expanded.
"""

from __future__ import annotations

import re

from rules_lsp.policy.glob.nodes import GlobError
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass, field

MAXIMUM_EXPANSIONS = 1000
_PLAIN = expression(r"[^\\{},$]+")
_SEQUENCE = expression(r"(?:(-?\d+)\.\.(-?\d+)|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that an expansion is made of, and its place; `generated` text has the place of its whole sequence."""

    text: str
    start: int
    end: int
    generated: bool = False


Expansion = tuple[Piece, ...]
_EMPTY: Expansion = ()


@dataclass(slots=True)
class _Group:
    """An open brace: the alternatives that are complete, and the one that is being read."""

    start: int
    complete: list[Expansion] = field(default_factory=list)
    current: list[Expansion] = field(default_factory=lambda: [_EMPTY])
    commas: int = 0


class _TooMany(Exception):
    """More expansions than allowed; never leaves this module."""


def expand_braces(text: str) -> list[Expansion] | GlobError:
    """Every expansion of `text` in bash's order; one, if nothing expands. Counted before anything is built."""
    try:
        return _expand(text)
    except _TooMany:
        return GlobError(f"expands to more than {MAXIMUM_EXPANSIONS} patterns", 0, len(text), "too-many-expansions")


def _expand(text: str) -> list[Expansion] | GlobError:
    stack = [_Group(0)]
    index = 0
    while index < len(text):
        group, character = stack[-1], text[index]
        plain = _PLAIN.match(text, index)
        if plain is not None:
            end = plain.end()
        elif character == "\\":
            end = min(index + 2, len(text))
        elif text.startswith("${", index):
            end = _after_parameter(text, index)
        elif character == "{":
            sequence = _sequence(text, index)
            if sequence is None:
                stack.append(_Group(index))
                end = index = index + 1
            else:
                pieces, end = sequence
                group.current = _product(group.current, pieces)
                index = end
            continue
        elif character == "," and len(stack) > 1:
            _finish_alternative(group)
            group.commas += 1
            index += 1
            continue
        elif character == "}" and len(stack) > 1:
            stack.pop()
            stack[-1].current = _product(stack[-1].current, _closed(group, text, index))
            index += 1
            continue
        else:
            end = index + 1
        group.current = _product(group.current, [(Piece(text[index:end], index, end),)])
        index = end
    while len(stack) > 1:
        group = stack.pop()
        if group.commas:
            return GlobError("has a `{` that is never closed", group.start, group.start + 1, "unclosed-brace")
        brace = (Piece("{", group.start, group.start + 1),)
        stack[-1].current = _product(stack[-1].current, _product([brace], group.current))
    return stack[0].current


def _closed(group: _Group, text: str, end: int) -> list[Expansion]:
    if group.commas:
        _finish_alternative(group)
        return group.complete
    opening = (Piece("{", group.start, group.start + 1),)
    closing = (Piece(text[end], end, end + 1),)
    return _product(_product([opening], group.current), [closing])


def _finish_alternative(group: _Group) -> None:
    if len(group.complete) + len(group.current) > MAXIMUM_EXPANSIONS:
        raise _TooMany
    group.complete.extend(group.current)
    group.current = [_EMPTY]


def _product(left: list[Expansion], right: list[Expansion]) -> list[Expansion]:
    # Every part is a factor or a summand of the whole, so a part over the limit puts the whole over it.
    if len(left) * len(right) > MAXIMUM_EXPANSIONS:
        raise _TooMany
    return [first + second for first in left for second in right]


def _after_parameter(text: str, index: int) -> int:
    """The end of the `${…}` at `index`; of its first two characters alone, if it is never closed."""
    depth = 0
    at = index + 1
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return index + 2


def _sequence(text: str, index: int) -> tuple[list[Expansion], int] | None:
    match = _SEQUENCE.match(text, index + 1)
    if match is None or not text.startswith("}", match.end()):
        return None
    number, last_number, letter, last_letter, step = match.groups()
    by = abs(int(step or 1)) or 1
    first, last = (int(number), int(last_number)) if number is not None else (ord(letter), ord(last_letter))
    if abs(last - first) // by + 1 > MAXIMUM_EXPANSIONS:
        raise _TooMany
    values = range(first, last + 1, by) if first <= last else range(first, last - 1, -by)
    if number is None:
        # Between `Z` and `a` lie `[` and the backslash: what is generated is literal.
        texts = [chr(value) if chr(value).isalpha() else "\\" + chr(value) for value in values]
    else:
        padded = any(part.lstrip("-").startswith("0") and len(part.lstrip("-")) > 1 for part in (number, last_number))
        width = max(len(number), len(last_number)) if padded else 0
        texts = [f"{value:0{width}d}" for value in values]
    end = match.end() + 1
    return [(Piece(item, index, end, generated=True),) for item in texts], end
