"""Two slow matchers that are easy to check: one reads a pattern's text as git describes it, one walks the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from rules_lsp.policy.glob import (
    Alternative,
    AnyCharacter,
    AnyDirectories,
    CharacterClass,
    Glob,
    Literal,
    Segment,
    Star,
    Token,
)

_POSIX: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "lower": str.islower,
    "upper": str.isupper,
    "punct": lambda c: c.isprintable() and not c.isalnum() and c != " ",
    "space": lambda c: c in " \t\n\r",
}


def covered(pattern: str, path: str, is_directory: bool) -> bool:
    """Whether git's rules ignore the path for a line without braces, comment, negation or `./`."""
    parts = path.split("/")
    return any(
        matched(pattern, "/".join(parts[:count]), is_directory or count < len(parts))
        for count in range(1, len(parts) + 1)
    )


def matched(pattern: str, path: str, is_directory: bool) -> bool:
    """Whether git's rules match the path itself."""
    pattern = _trimmed(pattern)
    if pattern.endswith("/"):
        pattern = pattern[:-1]
        if not is_directory:
            return False
    if "/" not in pattern:
        return _wild(pattern, path.rpartition("/")[2])
    pattern = pattern.removeprefix("/")
    wildcard = next((place for place, character in enumerate(pattern) if character in "*?[\\"), len(pattern))
    literal = pattern[:wildcard]
    return path.startswith(literal) and _wild(pattern[wildcard:], path[wildcard:])


def _trimmed(pattern: str) -> str:
    kept = at = 0
    while at < len(pattern):
        width = 2 if pattern[at] == "\\" else 1
        if pattern[at] != " ":
            kept = at + width
        at += width
    return pattern[:kept]


def _wild(pattern: str, text: str) -> bool:
    """Whether the pattern matches the text; a `**` at the pattern's start or behind a slash crosses slashes."""

    @cache
    def match(at: int, here: int) -> bool:
        if at == len(pattern):
            return here == len(text)
        rest = range(here, len(text) + 1)
        if pattern[at] == "*":
            after = at
            while pattern[after : after + 1] == "*":
                after += 1
            crosses = after - at > 1 and (at == 0 or pattern[at - 1] == "/")
            if crosses and pattern[after : after + 1] == "/":
                return match(after + 1, here) or any(match(after, end) for end in rest)
            if crosses and (after == len(pattern) or pattern.startswith("\\/", after)):
                return any(match(after, end) for end in rest)
            return any(match(after, end) for end in rest if "/" not in text[here:end])
        if here == len(text):
            return False
        if pattern[at] == "?":
            return text[here] != "/" and match(at + 1, here + 1)
        if pattern[at] == "[":
            accepted, after = _class(pattern, at + 1, text[here])
            return accepted and text[here] != "/" and match(after, here + 1)
        if pattern[at] == "\\":
            at += 1
        return pattern[at] == text[here] and match(at + 1, here + 1)

    return match(0, 0)


def _class(pattern: str, at: int, character: str) -> tuple[bool, int]:
    negated = pattern[at] in "!^"
    at += negated
    start, found, low = at, False, ""
    while pattern[at] != "]" or at == start:
        end = pattern.index("]", at + 2) if pattern.startswith("[:", at) else 0
        if end > at + 2 and pattern[end - 1] == ":":
            found |= character.isascii() and _POSIX[pattern[at + 2 : end - 1]](character)
            at, low = end + 1, ""
            continue
        if pattern[at] == "-" and low and pattern[at + 1] != "]":
            at += 2 if pattern[at + 1] == "\\" else 1
            found |= low <= character <= pattern[at]
            at, low = at + 1, ""
            continue
        at += pattern[at] == "\\"
        low = pattern[at]
        found |= character == low
        at += 1
    return found != negated, at + 1


def walked(glob: Glob, path: str, is_directory: bool) -> bool:
    """Whether the path can be dealt out to the segments of one of the pattern's alternatives."""
    return any(_walk(item, path) for item in glob.alternatives if is_directory or not item.directory_only)


def _walk(alternative: Alternative, path: str) -> bool:
    def names(segments: tuple[Segment, ...], parts: list[str]) -> bool:
        if not segments:
            return not parts
        first, rest = segments[0], segments[1:]
        if isinstance(first, AnyDirectories):
            return any(names(rest, parts[count:]) for count in range(first.minimum, len(parts) + 1))
        return bool(parts) and _tokens(first.tokens, parts[0]) and names(rest, parts[1:])

    return names(alternative.segments, path.split("/"))


def _tokens(tokens: tuple[Token, ...], name: str) -> bool:
    if not tokens:
        return not name
    return any(_tokens(tokens[1:], name[width:]) for width in _widths(tokens[0], name))


def _widths(token: Token, name: str) -> Iterator[int]:
    match token:
        case Literal(text=text):
            yield from [len(text)] if name.startswith(text) else []
        case AnyCharacter():
            yield from [1] if name else []
        case Star():
            yield from range(len(name) + 1)
        case CharacterClass():
            yield from [1] if name and token.accepts(name[0]) else []
