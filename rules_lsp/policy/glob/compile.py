"""From alternatives to one regular expression that answers in time O(pattern × path).

Nothing in it ever backtracks over a choice that was right. Within a name every run of tokens between two stars has a
fixed width, so the leftmost place for it leaves the most for the rest; the last run is tied to the end of the name.
Between two `**` every run of names has a fixed count, so the leftmost place is right again. Each place is taken
inside an atomic group, and the pieces between are possessive. Forms of a pattern that differ in one place share the
rest, which costs no more than each of them on its own. Measuring the prefix of the path that the segments need, and
no more, answers for the path and for all of its ancestors at once.

The subject is the path with `/` at the end where it is a directory; "directory only" then means "a slash follows".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rules_lsp.policy.glob.nodes import (
    Alternative,
    AnyCharacter,
    AnyDirectories,
    CharacterClass,
    ClassRange,
    Literal,
    Name,
    Star,
    Token,
)
from rules_lsp.source.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class _Atom:
    """A part of an expression: a whole expression itself, or a structural one that must be the same to be shared."""

    text: str
    structural: bool


_NEVER = "(?!)"
_IN_NAME = "[^/]"
_DIRECTORY = "[^/]++/"
_NAME_ENDS = "(?![^/])"
_SLASH = ord("/")
_LAST_CODE_POINT = 0x10FFFF


def compile_covering(alternatives: Iterable[Alternative], *, ignore_case: bool = False) -> re.Pattern[str]:
    """Matches (with `match`) the subject of every path that one of the alternatives matches, or an ancestor of it."""
    return _compile((_path(item, whole=False) for item in alternatives), ignore_case)


def compile_whole(alternatives: Iterable[Alternative], *, ignore_case: bool = False) -> re.Pattern[str]:
    """Matches (with `match`) the subject of every path that one of the alternatives matches itself."""
    return _compile((_path(item, whole=True) for item in alternatives), ignore_case)


def case_folded(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives with full case folding (`ß` is `ss`) of their literals, for paths folded alike.

    Classes stay as they are: a class takes one character, and the expression that is made of it ignores case.
    """

    def folded(token: Token) -> Token:
        return replace(token, text=token.text.casefold()) if isinstance(token, Literal) else token

    return tuple(
        replace(
            item,
            segments=tuple(
                replace(part, tokens=tuple(map(folded, part.tokens))) if isinstance(part, Name) else part
                for part in item.segments
            ),
        )
        for item in alternatives
    )


def _compile(paths: Iterable[list[_Atom] | None], ignore_case: bool) -> re.Pattern[str]:
    possible = [path for path in paths if path is not None]
    return re.compile("|".join(_merged(possible)) or _NEVER, re.IGNORECASE if ignore_case else 0)


def _merged(paths: list[list[_Atom]]) -> Iterable[str]:
    """The expressions of the paths, those that differ in single atoms made one."""
    if len(paths) < 2:
        return ["".join(atom.text for atom in path) for path in paths]
    shapes: dict[tuple[str | None, ...], list[list[str]]] = {}
    for path in paths:
        shape = tuple(atom.text if atom.structural else None for atom in path)
        shapes.setdefault(shape, []).append([atom.text for atom in path])
    found: list[str] = []
    for rows in shapes.values():
        differing = [place for place, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
        for merged in _merged_rows([tuple(row[place] for place in differing) for row in rows]):
            text = list(rows[0])
            for place, value in zip(differing, merged, strict=True):
                text[place] = value
            found.append("".join(text))
    return found


def _merged_rows(rows: Iterable[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    """Rows with the same meaning, fewer: where all but one value are equal, that one becomes a choice."""
    merged = list(dict.fromkeys(rows))
    for place in reversed(range(len(merged[0]))):
        choices: dict[tuple[str, ...], list[str]] = {}
        for row in merged:
            choices.setdefault((*row[:place], *row[place + 1 :]), []).append(row[place])
        merged = [
            (*rest[:place], values[0] if len(values) == 1 else f"(?:{'|'.join(values)})", *rest[place:])
            for rest, values in choices.items()
        ]
    return merged


def _path(alternative: Alternative, *, whole: bool) -> list[_Atom] | None:
    groups: list[tuple[int | None, list[Name]]] = [(None, [])]
    for segment in alternative.segments:
        if isinstance(segment, AnyDirectories):
            before, names = groups[-1]
            if names or before is None:
                groups.append((segment.minimum, []))
            else:
                groups[-1] = (before + segment.minimum, [])
        elif not segment.tokens:
            return None
        else:
            groups[-1][1].append(segment)
    trailing = groups.pop()[0] if not groups[-1][1] else None
    if groups and not groups[0][1]:
        groups.pop(0)
    open_end = trailing is not None or not whole
    slash_ends = "/" if open_end else "/\\Z"
    name_ends = _NAME_ENDS if open_end else "/?\\Z"
    atoms: list[_Atom] = []
    for place, (minimum, names) in enumerate(groups):
        if place + 1 < len(groups) or trailing:
            ends = "/"
        elif whole and trailing == 0:
            ends = _NAME_ENDS
        else:
            ends = slash_ends if alternative.directory_only else name_ends
        if minimum is not None:
            atoms.append(_Atom(f"(?>(?:{_DIRECTORY}){_at_least(minimum)}?", True))
        for number, name in enumerate(names):
            if number:
                atoms.append(_Atom("/", True))
            atoms.extend(_name(name))
        atoms.append(_Atom(ends if minimum is None else ends + ")", True))
    if trailing:
        ends = _DIRECTORY if alternative.directory_only and not whole else _IN_NAME
        atoms.append(_Atom(_DIRECTORY * (trailing - 1) + ends, True))
    if whole and trailing is not None and alternative.directory_only:
        atoms.append(_Atom("(?s:.)*+(?<=/)", True))
    return atoms


def _at_least(minimum: int) -> str:
    return f"{{{minimum},}}" if minimum else "*"


def _name(name: Name) -> Iterable[_Atom]:
    runs: list[list[Token]] = [[]]
    for token in name.tokens:
        if isinstance(token, Star):
            runs.append([])
        else:
            runs[-1].append(token)
    for token in runs[0]:
        yield _Atom(_token(token), False)
    if len(runs) == 1:
        return
    if not any(runs):
        yield _Atom(f"{_IN_NAME}++", False)
        return
    for run in runs[1:-1]:
        if run:
            yield _Atom(f"(?>{_IN_NAME}*?{_run(run)})", False)
    last, width = runs[-1], sum(len(token.text) if isinstance(token, Literal) else 1 for token in runs[-1])
    # At least as many characters as the last run has must be left, or it would overlap what stands before it.
    yield _Atom(f"{_IN_NAME}{{{width},}}+(?<={_run(last)})" if last else f"{_IN_NAME}*+", False)


def _run(tokens: Sequence[Token]) -> str:
    return "".join(map(_token, tokens))


def _token(token: Token) -> str:
    if isinstance(token, Literal):
        return re.escape(token.text)
    if isinstance(token, CharacterClass):
        return _class(token)
    assert isinstance(token, AnyCharacter)
    return _IN_NAME


def _class(token: CharacterClass) -> str:
    if token.negated:
        slash = ClassRange("/", "/")
        ranges = replace(token, items=(*token.items, slash)).ranges()
        if ranges == [(0, _LAST_CODE_POINT)]:
            return _NEVER + _IN_NAME
        return f"[^{_ranges(ranges)}]"
    ranges = []
    for first, last in token.ranges():
        if first <= _SLASH <= last:
            ranges.extend(part for part in ((first, _SLASH - 1), (_SLASH + 1, last)) if part[0] <= part[1])
        else:
            ranges.append((first, last))
    # In front of one character that can be none: the width that a look-behind needs, and no match.
    return f"[{_ranges(ranges)}]" if ranges else _NEVER + _IN_NAME


def _ranges(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\U{first:08x}" if first == last else f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
