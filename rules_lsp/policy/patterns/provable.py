"""One entry as proofs see it: what it takes whatever is on disk, and what it may take at most."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache

from rules_lsp.policy.glob import (
    Alternative,
    AnyDirectories,
    CharacterClass,
    Glob,
    Literal,
    Name,
    Star,
    Token,
    parse_glob,
)
from rules_lsp.policy.glob.inclusion import example
from rules_lsp.policy.patterns.lists import IndexKey, index_key, index_keys
from rules_lsp.policy.patterns.matchers import ExcludeMatcher, IncludeMatcher
from rules_lsp.source.records import dataclass, replace

_LAST_ASCII = 0x7F


@dataclass(frozen=True, eq=False)
class ProvablePattern:
    """An entry that takes something. `certain` covers no more than the entry does, `possible` no less.

    That is said of characters compared as they are, paths of includes in Unicode normal form C. `example` is a file
    that the entry takes.
    """

    text: str
    certain: tuple[Glob, ...]
    possible: tuple[Glob, ...]
    example: str

    def covers(self, path: str) -> bool:
        """Whether the entry certainly covers a file, or a directory, whose path ends in `/`."""
        return self._together.covers(path.removesuffix("/"), path.endswith("/"))

    @cached_property
    def _together(self) -> Glob:
        return Glob(self.text, tuple(item for glob in self.certain for item in glob.alternatives))

    @cached_property
    def keys(self) -> tuple[IndexKey, ...]:
        """What a file must hold for the entry to cover it certainly."""
        return index_keys(self.certain)

    @cached_property
    def anywhere(self) -> bool:
        """Whether the entry may take something below any directory."""
        items = [item for glob in self.possible for item in glob.alternatives]
        return any(not item.segments or isinstance(item.segments[0], AnyDirectories) for item in items)

    @cached_property
    def beginnings(self) -> frozenset[tuple[str, ...]]:
        """The literal names that its paths begin with, form by form, as `index_key` folds them."""
        return frozenset(_beginning(item) for glob in self.possible for item in glob.alternatives)

    @cached_property
    def loosened(self) -> tuple[Glob, ...] | None:
        """Globs that cover, of folded paths, all that the entry may take in any case and any normal form.

        None where a character is another one, or several, in another normal form.
        """
        if not _keep_their_form(self.text):
            return None
        return tuple(Glob(glob.text, tuple(map(_loosened, glob.alternatives))) for glob in self.possible)

    @cached_property
    def keeps_case(self) -> bool:
        """Whether what is true of its exact case is true of any: each letter is of ASCII or has no case."""
        return all(letter.isascii() or letter.lower() == letter.upper() == letter.casefold() for letter in self.text)

    @cached_property
    def takes_every_case(self) -> bool:
        """Whether it takes, where case is ignored, what it takes of a letter in one case also in the other."""
        tokens = (token for glob in self.certain for item in glob.alternatives for token in _tokens(item))
        classes = [token for token in tokens if isinstance(token, CharacterClass)]
        return not any(each.negated or each.ranges()[-1][1] > _LAST_ASCII for each in classes)


@lru_cache(maxsize=32768)
def provable_include(text: str) -> ProvablePattern | None:
    """An entry of `include`; None where it allows nothing."""
    globs = tuple(IncludeMatcher(text).every_glob())
    path = example(globs)
    return None if path is None else ProvablePattern(text, globs, globs, path)


@lru_cache(maxsize=32768)
def provable_exclude(text: str, *roots: str) -> ProvablePattern | None:
    """An entry of `exclude`; None where it denies nothing or cannot be read. `roots` are as for `ExcludeMatcher`."""
    matcher = ExcludeMatcher(text, *roots)
    everything = parse_glob("**") if matcher.covers_all else None
    all_of_it = (everything,) if isinstance(everything, Glob) else ()
    certain = all_of_it or tuple(matcher.certain_globs())
    possible = all_of_it or tuple(matcher.every_glob())
    path = example(certain)
    return None if path is None else ProvablePattern(text, certain, possible, path)


def _keep_their_form(text: str) -> bool:
    if text.isascii():
        return True
    return all(unicodedata.normalize("NFD", letter) == letter and not unicodedata.combining(letter) for letter in text)


def _beginning(alternative: Alternative) -> tuple[str, ...]:
    names: list[str] = []
    for segment in alternative.segments:
        if not isinstance(segment, Name) or not segment.literal:
            break
        names.append(index_key(segment.literal))
    return tuple(names)


def _loosened(alternative: Alternative) -> Alternative:
    segments = (
        replace(segment, tokens=tuple(map(_loosened_token, segment.tokens))) if isinstance(segment, Name) else segment
        for segment in alternative.segments
    )
    return replace(alternative, segments=tuple(segments))


def _loosened_token(token: Token) -> Token:
    # One character may be several, or none, once it is folded.
    if isinstance(token, Literal):
        return replace(token, text=index_key(token.text))
    return Star(token.start, token.end)


def _tokens(alternative: Alternative) -> Iterator[Token]:
    for segment in alternative.segments:
        if isinstance(segment, Name):
            yield from segment.tokens
