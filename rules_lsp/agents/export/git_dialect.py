"""Patterns as lines of a file in the syntax of `.gitignore`, for matchers of several makes.

What the makes disagree on is not written: no POSIX class and no negated one, no backslash, no trailing slash.
Characters are escaped as a class of one. A character outside of ASCII may be four units wide (Git matches bytes).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.agents.export.denied import DIRECTORIES, EVERYTHING, Choice, Part, Parts, Wild, varied

WIDEST = 4
"""The units of the widest character: bytes of UTF-8."""
_AS_CLASS = "*?["
_UNSAFE = "\\\r\t"
_IN_CLASS = "_.~@%+=:;"


def git_lines(patterns: Iterable[Parts], *, fold_case: bool = False, unsafe: str = "") -> list[str]:
    """The lines for patterns, each once. Characters of `unsafe` are written as a wildcard for one character."""
    found: dict[str, None] = {}
    for parts in varied(patterns, WIDEST):
        found[_line(parts, fold_case, unsafe)] = None
    return list(found)


def anchored(line: str) -> str:
    """The line with a `/` in front: the same where every pattern without one is taken from another directory."""
    if line.startswith("/"):
        return line
    return f"/{line}" if line.startswith("**/") else f"/**/{line}"


def _line(parts: Parts, fold_case: bool, unsafe: str) -> str:
    if parts == EVERYTHING:
        return "/**"
    names = ["**" if part == DIRECTORIES else "".join(_texts(part, fold_case, unsafe)) for part in parts]
    if names[0] != "**":
        return "/" + "/".join(names)
    alone = len(names) == 2 and names[1][0] not in "!#"
    return names[1] if alone else "/".join(names)


def _texts(part: Part, fold_case: bool, unsafe: str) -> Iterator[str]:
    for number, piece in enumerate(part):
        if isinstance(piece, Wild):
            yield piece.value
        elif isinstance(piece, Choice):
            yield (None if piece.negated else class_text(piece)) or "?"
        else:
            outer = {0} if number == 0 else set()
            outer |= {len(piece) - 1} if number == len(part) - 1 else set()
            for place, character in enumerate(piece):
                yield _character(character, fold_case, unsafe, at_end=place in outer)


def _character(character: str, fold_case: bool, unsafe: str, *, at_end: bool) -> str:
    if character in _UNSAFE or character in unsafe:
        return "?"
    if character in _AS_CLASS or (character == " " and at_end):
        return f"[{character}]"
    if fold_case and character.isascii() and character.isalpha():
        return f"[{character.lower()}{character.upper()}]"
    return character


def class_text(choice: Choice) -> str | None:
    """A class that every dialect reads alike, or None where there is none: of letters and digits."""
    ends = {chr(end) for pair in choice.ranges for end in pair}
    if not all(end.isascii() and (end.isalnum() or end in _IN_CLASS) for end in ends):
        return None
    # What lies between `9` and `A`, or `Z` and `a`, holds brackets and the backslash.
    if any(
        chr(first).isdigit() != chr(last).isdigit() or chr(first).isupper() != chr(last).isupper()
        for first, last in choice.ranges
        if first != last
    ):
        return None
    return (
        ("[!" if choice.negated else "[")
        + "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in choice.ranges)
        + "]"
    )
