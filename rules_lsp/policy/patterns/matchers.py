"""One entry as a matcher: an exclude in every plausible reading, an include in git's alone."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

from rules_lsp.policy.glob import (
    Alternative,
    AnyDirectories,
    CharacterClass,
    Glob,
    Literal,
    Name,
    Segment,
    Star,
    parse_glob,
)
from rules_lsp.policy.patterns.reading import WHOLE_PROJECT, read_pattern
from rules_lsp.policy.patterns.rewriting import other_readings
from rules_lsp.source.records import replace

_MOST_READINGS = 32
_MOST_COMBINED = 4


class ExcludeMatcher:
    """A denying pattern: git's reading of it, and every second one that its author may mean.

    `roots` are the absolute paths of the project, as given and real; the last is the one that is looked at on disk.
    `!p` has no effect. A pattern that cannot be read covers nothing: the caller sees `broken` and denies all.
    """

    def __init__(self, text: str, *roots: str) -> None:
        self.text = text
        self._roots = roots
        pattern = read_pattern(text, "file_patterns.exclude")
        self.broken = pattern.broken
        self.negated = pattern.negated
        texts = () if self.broken is not None or self.negated else _readings(text, roots)
        globs = [glob for reading in texts if isinstance(glob := parse_glob(reading), Glob)]
        composed = [glob.composed for glob in globs if glob.composed is not glob]
        own = [itself for glob in (*globs, *composed) if (itself := _directories_themselves(glob)) is not None]
        self.covers_all = any(reading in WHOLE_PROJECT for reading in texts) or any(
            not item.segments for glob in own for item in glob.alternatives
        )
        self._globs = (*globs, *composed, *own)

    def covers(self, path: str, is_directory: bool | None, *, fold_case: bool = False) -> bool:
        """Whether the entry denies a root-relative path; `is_directory` is None where it does not exist.

        Brackets that name an existing file or directory are looked for on disk at every call.
        """
        if self.covers_all:
            return True
        # What covers a path as a file also covers it as a directory, so that is the wider of both readings.
        as_directory = is_directory is not False
        if any(glob.covers(path, as_directory, fold_case=fold_case) for glob in self._globs):
            return True
        return any(
            literal.covers(path, as_directory, fold_case=fold_case) and self._exists(path, named, fold_case)
            for literal, named in self._bracketed
        )

    def certain_globs(self) -> Iterator[Glob]:
        """The readings that do not depend on the disk: what one of them covers, the entry covers."""
        yield from self._globs

    def every_glob(self) -> Iterator[Glob]:
        """Every reading, also those that depend on the disk: what none of them covers, the entry does not cover."""
        yield from self._globs
        for literal, _ in self._bracketed:
            yield literal

    @cached_property
    def _bracketed(self) -> tuple[tuple[Glob, Glob], ...]:
        """Readings with some brackets literal, each with its part up to the last of them."""
        if "[" not in self.text:
            return ()
        return tuple(
            (Glob(glob.text, (whole,)), Glob(glob.text, (part,)))
            for glob in self._globs
            for alternative in glob.alternatives
            for whole, part in _with_literal_brackets(alternative)
        )

    def _exists(self, path: str, named: Glob, fold_case: bool) -> bool:
        """Whether the file or directory that the literal brackets name exists, on the way to `path`.

        Where it exists, so does all that it lies in: the shortest path that `named` covers decides.
        """
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            way = "/".join(parts[:count])
            if named.covers(way, True, fold_case=fold_case):
                return os.path.lexists(os.path.join(self._roots[-1] if self._roots else "", way))
        return False


class IncludeMatcher:
    """An allowing pattern: git's reading alone, in the exact case, both sides in Unicode normal form C.

    `!p` and a pattern that cannot be read include nothing.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        pattern = read_pattern(text, "file_patterns.include")
        self.broken = pattern.broken
        self.negated = pattern.negated
        self._glob = None if self.negated or pattern.glob is None else pattern.glob.composed

    def covers(self, path: str, is_directory: bool | None) -> bool:
        """Whether the entry allows a root-relative path; one that does not exist (None) must be allowed as a file."""
        if self._glob is None:
            return False
        return self._glob.covers(composed_path(path), is_directory is True)

    def every_glob(self) -> Iterator[Glob]:
        """The pattern, if it includes anything."""
        if self._glob is not None:
            yield self._glob


def composed_path(path: str) -> str:
    """A path in Unicode normal form C."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def _readings(text: str, roots: tuple[str, ...]) -> list[str]:
    texts = [text]
    for reading in texts:
        for other in other_readings(reading, roots):
            if other not in texts and len(texts) < _MOST_READINGS:
                texts.append(other)
    return texts


def _directories_themselves(glob: Glob) -> Glob | None:
    """What `a/**` and `a/**/*` deny beside what lies in `a`: the directory; None where nothing is to be added."""
    found: list[Alternative] = []
    for item in glob.alternatives:
        segments = item.segments
        if item.directory_only:
            # `a/**/` leaves the files of `a` alone, so it says nothing of `a`.
            continue
        if len(segments) > 1 and isinstance(segments[-2], AnyDirectories) and _is_any_name(segments[-1]):
            # An implicit one is that of `*`, which says nothing of directories.
            kept = segments[:-2] if segments[-2].start < segments[-2].end else None
        elif segments and isinstance(segments[-1], AnyDirectories) and segments[-1].minimum:
            kept = segments[:-1]
        else:
            kept = None
        if kept is not None:
            found.append(replace(item, segments=kept, directory_only=True))
    return Glob(glob.text, tuple(found)) if found else None


def _is_any_name(segment: Segment) -> bool:
    return isinstance(segment, Name) and bool(segment.tokens) and all(isinstance(item, Star) for item in segment.tokens)


def _with_literal_brackets(alternative: Alternative) -> Iterator[tuple[Alternative, Alternative]]:
    segments = alternative.segments
    bracketed = [place for place, segment in enumerate(segments) if _has_class(segment)]
    sizes = range(1, len(bracketed) + 1) if len(bracketed) <= _MOST_COMBINED else (1, len(bracketed))
    for size in sizes:
        for chosen in combinations(bracketed, size):
            literal = tuple(_literal(item) if place in chosen else item for place, item in enumerate(segments))
            named = replace(alternative, segments=literal[: chosen[-1] + 1], directory_only=False)
            yield replace(alternative, segments=literal), named


def _has_class(segment: Segment) -> bool:
    return isinstance(segment, Name) and any(isinstance(token, CharacterClass) for token in segment.tokens)


def _literal(segment: Segment) -> Segment:
    assert isinstance(segment, Name)
    tokens = (
        Literal(token.source, token.start, token.end) if isinstance(token, CharacterClass) else token
        for token in segment.tokens
    )
    return replace(segment, tokens=tuple(tokens))
