"""A pattern as a value: `parse_glob` reads it, `Glob` answers what it matches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import takewhile

from rules_lsp.policy.glob.braces import Expansion, expand_braces
from rules_lsp.policy.glob.compile import case_folded, compile_covering, compile_whole
from rules_lsp.policy.glob.nodes import Alternative, GlobError, Name
from rules_lsp.policy.glob.syntax import Line, read_line
from rules_lsp.source.expressions import expression
from rules_lsp.source.records import dataclass

MAXIMUM_LENGTH = 1024
_LINE_BREAK = expression(r"[\n\r\0]")
_Match = Callable[[str], re.Match[str] | None]


@dataclass(frozen=True)
class Glob:
    """A pattern that was read: its text as written and its tree. Immutable; equal if read from the same text.

    Paths are root-relative, with `/` between components and none at the ends: `a/b`.
    The expressions behind the answers are made when first asked for.
    """

    text: str
    alternatives: tuple[Alternative, ...]

    def covers(self, path: str, is_directory: bool, *, fold_case: bool = False) -> bool:
        """Whether git would ignore the path for this line: it matches, or a directory that it lies in does.

        With `fold_case` also whether it would on a case-insensitive volume, with simple or with full folding: for
        denying only. What covers a path as a file also covers it as a directory.
        """
        subject = path + "/" if is_directory else path
        if self._covering(subject) is not None:
            return True
        if not fold_case:
            return False
        if self._covering_ignoring_case(subject) is not None:
            return True
        # Full folding differs from simple folding outside ASCII only.
        if path.isascii() and self.text.isascii():
            return False
        return self._covering_folded(subject.casefold()) is not None

    def matches(self, path: str, is_directory: bool) -> bool:
        """Whether the pattern matches the path itself, whatever its ancestors."""
        return self._whole(path + "/" if is_directory else path) is not None

    @property
    def anchored(self) -> bool:
        """Whether every alternative is tried from the root only."""
        return bool(self.alternatives) and all(item.anchored for item in self.alternatives)

    @property
    def directory_only(self) -> bool:
        """Whether every alternative matches directories only."""
        return bool(self.alternatives) and all(item.directory_only for item in self.alternatives)

    @cached_property
    def literal_prefix(self) -> str:
        """The deepest directory that every match lies below, root-relative; empty if that is the root."""
        prefixes = [_leading_names(item) for item in self.alternatives]
        if not prefixes:
            return ""
        common = takewhile(lambda level: len(set(level)) == 1, zip(*prefixes, strict=False))
        return "/".join(level[0] for level in common)

    @cached_property
    def literal_path(self) -> str | None:
        """The path that the pattern names without wildcard, class, brace alternation or trailing slash, else None.

        A pattern without a slash names the path of that name in the root, though it matches at every depth.
        """
        if len(self.alternatives) != 1 or self.alternatives[0].directory_only:
            return None
        only = self.alternatives[0]
        parts: list[str] = []
        for segment in only.segments if only.anchored else only.segments[1:]:
            if not isinstance(segment, Name) or not segment.literal:
                return None
            parts.append(segment.literal)
        return "/".join(parts)

    @cached_property
    def composed(self) -> Glob:
        """The pattern with its text in Unicode normal form C, for paths in that form; itself, if it is in it."""
        text = unicodedata.normalize("NFC", self.text)
        if text == self.text:
            return self
        composed = parse_glob(text)
        # Composing can put a range backwards or exceed the length; what was read once stays as it was read.
        return composed if isinstance(composed, Glob) else self

    @cached_property
    def _covering(self) -> _Match:
        return compile_covering(self.alternatives).match

    @cached_property
    def _covering_ignoring_case(self) -> _Match:
        return compile_covering(self.alternatives, ignore_case=True).match

    @cached_property
    def _covering_folded(self) -> _Match:
        return compile_covering(case_folded(self.alternatives), ignore_case=True).match

    @cached_property
    def _whole(self) -> _Match:
        return compile_whole(self.alternatives).match


@lru_cache(maxsize=32768)
def parse_glob(text: str) -> Glob | GlobError:
    """Reads a pattern as git reads that one line of a root `.gitignore`, with three exceptions.

    A leading `./` is `/`, braces are alternation as in bash, and a leading `#` or `!` is literal: negation is what a
    list makes of an entry, not a pattern. A text that can match nothing (empty, `/`) is a `Glob` without alternatives.
    """
    if len(text) > MAXIMUM_LENGTH:
        return GlobError(f"is longer than {MAXIMUM_LENGTH} characters", MAXIMUM_LENGTH, len(text), "too-long")
    line_break = _LINE_BREAK.search(text)
    if line_break is not None:
        return GlobError("holds a line break or a null character", *line_break.span(), "line-break")
    trimmed = _without_trailing_spaces(text)
    if "{" not in trimmed:
        found = read_line(Line(trimmed))
        return found if isinstance(found, GlobError) else Glob(text, tuple(found))
    expansions = expand_braces(trimmed)
    if isinstance(expansions, GlobError):
        return expansions
    alternatives: list[Alternative] = []
    for expansion in expansions:
        found = read_line(_line(expansion))
        if isinstance(found, GlobError):
            return found
        alternatives.extend(found)
    return Glob(text, tuple(alternatives))


def _line(expansion: Expansion) -> Line:
    starts: list[int] = []
    ends: list[int] = []
    for piece in expansion:
        if piece.generated:
            starts += [piece.start] * len(piece.text)
            ends += [piece.end] * len(piece.text)
        else:
            starts += range(piece.start, piece.end)
            ends += range(piece.start + 1, piece.end + 1)
    return Line("".join(piece.text for piece in expansion), starts, ends)


def _without_trailing_spaces(text: str) -> str:
    bare = text.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    # An odd backslash escapes the first of the spaces, which then stays.
    return bare + " " if len(bare) < len(text) and backslashes % 2 else bare


def _leading_names(alternative: Alternative) -> list[str]:
    names: list[str] = []
    for segment in alternative.segments[:-1]:
        if not isinstance(segment, Name) or not segment.literal:
            break
        names.append(segment.literal)
    return names
