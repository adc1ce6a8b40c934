"""What a policy denies, in a form that hosts' dialects can be written from.

Every reading of an exclude is taken, so that no host lets through what the engine denies; where a reading cannot be
told from a wider one without the disk, the wider one stands here and its entry among the `losses`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import product

from rules_lsp.agents.export.losses import Loss, loss
from rules_lsp.policy.glob import (
    Alternative,
    AnyCharacter,
    AnyDirectories,
    Literal,
    Name,
    PosixClass,
    Segment,
    Star,
    Token,
)
from rules_lsp.policy.patterns import ExcludeMatcher
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class Wild(Enum):
    """`ONE` is any character of a name, `SOME` any number of them."""

    ONE = "?"
    SOME = "*"


@dataclass(frozen=True, slots=True)
class Choice:
    """One character out of code-point ranges, ends included; with `negated` one outside of them."""

    ranges: tuple[tuple[int, int], ...]
    negated: bool


Piece: TypeAlias = "str | Wild | Choice"
Part: TypeAlias = "tuple[Piece, ...]"
Parts: TypeAlias = "tuple[Part, ...]"
DIRECTORIES: Part = ()
"""The part that stands for any number of directories; every other part is one name."""
EVERYTHING: Parts = (DIRECTORIES, (Wild.SOME,))
_MOST_VARIED = 2
_SIGNS = frozenset("*?[]{}()\\\r\t")


@dataclass(frozen=True, slots=True)
class DeniedFiles:
    """Files that a host is to deny. `patterns` are tried from the root and cover all that lies below what they match.

    `protected` are root-relative paths that may be read and not be changed; no pattern denies reading them. `fold_case`
    says that the volume does not tell cases apart. `varying` are the entries with characters that a dialect may have to
    write as a wildcard, or a wildcard as a wider one.
    """

    patterns: tuple[Parts, ...]
    protected: tuple[str, ...]
    fold_case: bool
    losses: tuple[Loss, ...] = ()
    varying: tuple[str, ...] = ()


def denied_files(policy: Policy) -> DeniedFiles:
    """The files that a policy denies by excludes and by protection; all of them where it cannot be read."""
    if not policy.enabled:
        return DeniedFiles((), (), policy.fold_case)
    if policy.refusal is not None or policy.broken_exclude is not None:
        return DeniedFiles((EVERYTHING,), (), policy.fold_case)
    found: dict[Parts, None] = {}
    wider: list[str] = []
    varying: list[str] = []
    for entry in policy.excludes.entries:
        text = entry.text if entry.list == "file_patterns.exclude" else entry.text.removeprefix("!")
        if text is entry.text and entry.list != "file_patterns.exclude":
            continue
        matcher = ExcludeMatcher(text, policy.root.given, policy.root.real)
        if matcher.covers_all:
            return DeniedFiles((EVERYTHING,), (), policy.fold_case)
        globs = list(matcher.every_glob())
        for alternative in (item for glob in globs for item in glob.alternatives):
            for parts in _forms(alternative):
                found[parts] = None
                if any(_varies(piece) for part in parts for piece in part):
                    varying.append(text)
        # A directory's pattern cannot be kept from a file of that name: whether one stands there is not known now.
        ends = (item for glob in globs for item in glob.alternatives)
        if any(item.directory_only for item in ends) or len(globs) > len(list(matcher.certain_globs())):
            wider.append(text)
    patterns = tuple(_without_covered(found))
    protected = sorted(policy.protected - policy.unprotected)
    open_to_read = [name for name in protected if policy.excludes.first_covering(name, None) is None]
    message = "a file with the name of an excluded directory is denied too, and brackets are also read as written"
    losses = (loss("wider-name", "denies-more", message, wider),) if wider else ()
    return DeniedFiles(patterns, tuple(open_to_read), policy.fold_case, losses, tuple(varying))


def literal_parts(path: str) -> Parts:
    """The parts of a root-relative path."""
    return tuple((name,) for name in path.split("/"))


def varied(patterns: Iterable[Parts], widest: int) -> Iterator[Parts]:
    """The patterns for a dialect in which a character outside of ASCII is up to `widest` units wide.

    Each wildcard for one character is written for one to `widest` of them, or as one and more where there are many.
    """
    for parts in patterns:
        wild = sum(_is_wide(piece) for part in parts for piece in part)
        if wild > _MOST_VARIED:
            yield tuple(tuple(each for piece in part for each in _one_or_more(piece)) for part in parts)
            continue
        yield parts
        for widths in product(range(1, widest + 1), repeat=wild):
            if any(width > 1 for width in widths):
                left = iter(widths)
                yield tuple(tuple(each for piece in part for each in _wide(piece, left)) for part in parts)


def wider_characters(files: DeniedFiles, widest: int) -> Iterator[Loss]:
    """What a dialect denies in addition whose characters are up to `widest` units wide."""
    if files.varying:
        message = (
            f"`?` and classes that a character outside of ASCII may match also take 2 to {widest} characters, or more"
            " where there are many, and a sign that cannot be escaped is any character"
        )
        yield loss("wider-characters", "denies-more", message, files.varying)


def _varies(piece: Piece) -> bool:
    return bool(set(piece) & _SIGNS) if isinstance(piece, str) else piece is not Wild.SOME


def _is_wide(piece: Piece) -> bool:
    """Whether one character that is no ASCII may stand for a piece."""
    return piece is Wild.ONE or (isinstance(piece, Choice) and (piece.negated or piece.ranges[-1][1] > 0x7F))


def _wide(piece: Piece, widths: Iterator[int]) -> tuple[Piece, ...]:
    if not _is_wide(piece):
        return (piece,)
    width = next(widths)
    return (piece,) if width == 1 else (Wild.ONE,) * width


def _one_or_more(piece: Piece) -> tuple[Piece, ...]:
    return (Wild.ONE, Wild.SOME) if _is_wide(piece) else (piece,)


def _forms(alternative: Alternative) -> Iterator[Parts]:
    """The parts of an alternative in both Unicode normal forms; nothing for one that matches nothing."""
    parts = _parts(alternative)
    if parts is None:
        return
    yield parts
    for form in ("NFC", "NFD"):
        yield tuple(
            tuple(unicodedata.normalize(form, piece) if isinstance(piece, str) else piece for piece in part)
            for part in parts
        )


def _parts(alternative: Alternative) -> Parts | None:
    segments: list[Segment] = list(alternative.segments)
    parts: list[Part] = []
    for segment in segments:
        if isinstance(segment, Name):
            if not segment.tokens:
                return None
            parts.append(_part(segment.tokens))
        else:
            parts += [(Wild.SOME,)] * segment.minimum
            if not parts or parts[-1] != DIRECTORIES:
                parts.append(DIRECTORIES)
    if segments and isinstance(segments[-1], AnyDirectories):
        parts.pop()
        if not alternative.directory_only:
            # `a/**` is said of `a` itself too.
            del parts[len(parts) - segments[-1].minimum :]
    while parts and parts[-1] == DIRECTORIES:
        parts.pop()
    return tuple(parts) or EVERYTHING


def _part(tokens: tuple[Token, ...]) -> Part:
    pieces: list[Piece] = []
    for token in tokens:
        piece = _piece(token)
        if isinstance(piece, str) and pieces and isinstance(last := pieces[-1], str):
            pieces[-1] = last + piece
        elif piece is not Wild.SOME or not pieces or pieces[-1] is not Wild.SOME:
            pieces.append(piece)
    return tuple(pieces)


def _piece(token: Token) -> Piece:
    if isinstance(token, Literal):
        return token.text
    if isinstance(token, Star):
        return Wild.SOME
    if isinstance(token, AnyCharacter):
        return Wild.ONE
    ranges = tuple(token.ranges())
    single = not token.negated and len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    plain = single and not any(isinstance(item, PosixClass) for item in token.items) and ranges[0][0] != ord("/")
    return chr(ranges[0][0]) if plain else Choice(ranges, token.negated)


def _without_covered(patterns: Iterable[Parts]) -> Iterator[Parts]:
    """The patterns without those that go on where another one ends: they match only what that one covers."""
    every = set(patterns)
    if EVERYTHING in every:
        yield EVERYTHING
        return
    for parts in patterns:
        if not any(parts[:length] in every for length in range(1, len(parts))):
            yield parts
