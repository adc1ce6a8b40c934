"""Whole lists as matchers: fast for many entries, with the answers of the entries' own matchers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rules_lsp.policy.glob import Alternative, Glob, Literal, Name
from rules_lsp.policy.model import Entry
from rules_lsp.policy.patterns.matchers import ExcludeMatcher, IncludeMatcher, composed_path


class ExcludeList:
    """The denying patterns of a project: entries of exclude lists, and the negated ones of include lists.

    Other entries of include lists are in `entries` without effect. `roots` are as for `ExcludeMatcher`. `broken` are
    the positions of the denying entries that cannot be read: while there is one, the caller denies every file.
    """

    def __init__(self, entries: Iterable[Entry], *roots: str) -> None:
        self.entries: tuple[Entry, ...] = tuple(entries)
        self._matchers: dict[int, ExcludeMatcher] = {}
        self._index = _Index()
        broken: list[int] = []
        for position, entry in enumerate(self.entries):
            text = _denied_text(entry)
            if text is None:
                continue
            matcher = ExcludeMatcher(text, *roots)
            if entry.broken is not None or matcher.broken is not None:
                broken.append(position)
                continue
            self._matchers[position] = matcher
            self._index.add(position, matcher.every_glob(), everywhere=matcher.covers_all)
        self.broken: tuple[int, ...] = tuple(broken)

    def first_covering(self, path: str, is_directory: bool | None, *, fold_case: bool = False) -> int | None:
        """The position in `entries` of the first that denies a root-relative path, or None."""
        return next(self._covering(path, is_directory, fold_case), None)

    def all_covering(self, path: str, is_directory: bool | None, *, fold_case: bool = False) -> list[int]:
        """The positions in `entries` of all that deny a root-relative path, ascending."""
        return list(self._covering(path, is_directory, fold_case))

    def _covering(self, path: str, is_directory: bool | None, fold_case: bool) -> Iterator[int]:
        for position in self._index.candidates(path):
            if self._matchers[position].covers(path, is_directory, fold_case=fold_case):
                yield position


class IncludeList:
    """One allowing list. Negated entries and those that cannot be read include nothing."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries: tuple[Entry, ...] = tuple(entries)
        self._matchers: dict[int, IncludeMatcher] = {}
        self._index = _Index()
        for position, entry in enumerate(self.entries):
            if entry.broken is None:
                self._matchers[position] = matcher = IncludeMatcher(entry.text)
                self._index.add(position, matcher.every_glob())

    def first_covering(self, path: str, is_directory: bool | None) -> int | None:
        """The position in `entries` of the first that allows a root-relative path, or None."""
        return next(self._covering(path, is_directory), None)

    def all_covering(self, path: str, is_directory: bool | None) -> list[int]:
        """The positions in `entries` of all that allow a root-relative path, ascending."""
        return list(self._covering(path, is_directory))

    def _covering(self, path: str, is_directory: bool | None) -> Iterator[int]:
        composed = composed_path(path)
        for position in self._index.candidates(composed):
            if self._matchers[position].covers(composed, is_directory):
                yield position


class _Index:
    """Which entries can cover a path at all, by a literal name, beginning or extension that each form of them needs.

    Keys are folded further than any comparison is, so that one index serves all; the matchers decide.
    """

    def __init__(self) -> None:
        self._beginnings: dict[str, list[int]] = {}
        self._names: dict[str, list[int]] = {}
        self._extensions: dict[str, list[int]] = {}
        self._everywhere: list[int] = []

    def add(self, position: int, globs: Iterable[Glob], *, everywhere: bool = False) -> None:
        if everywhere:
            self._everywhere.append(position)
            return
        for glob in globs:
            for alternative in glob.alternatives:
                self._add(position, alternative)

    def candidates(self, path: str) -> Sequence[int]:
        """The positions that can cover a path, ascending."""
        folded = index_key(path)
        names = folded.split("/")
        found: list[int] = []
        beginning = ""
        for name in names:
            beginning = f"{beginning}/{name}" if beginning else name
            found += self._beginnings.get(beginning, ())
            found += self._names.get(name, ())
            found += self._extensions.get(name.rpartition(".")[2], ())
        if not found:
            return self._everywhere
        return sorted({*found, *self._everywhere})

    def _add(self, position: int, alternative: Alternative) -> None:
        beginning: list[str] = []
        for segment in alternative.segments:
            if not isinstance(segment, Name) or not segment.literal:
                break
            beginning.append(segment.literal)
        names = [segment for segment in alternative.segments if isinstance(segment, Name)]
        literals = [name.literal for name in names if name.literal]
        extensions = [extension for name in names if (extension := _extension(name)) is not None]
        if beginning:
            table, key = self._beginnings, "/".join(beginning)
        elif literals:
            table, key = self._names, max(literals, key=len)
        elif extensions:
            table, key = self._extensions, max(extensions, key=len)
        else:
            if not self._everywhere or self._everywhere[-1] != position:
                self._everywhere.append(position)
            return
        positions = table.setdefault(index_key(key), [])
        if not positions or positions[-1] != position:
            positions.append(position)


def index_key(text: str) -> str:
    """The text folded so that whatever the comparison of any case folding takes for equal has the same key."""
    if text.isascii():
        return text.lower()
    # Simple folding takes both dotted and dotless i for i, full folding neither.
    return text.casefold().replace("\u0307", "").replace("ı", "i")


def _denied_text(entry: Entry) -> str | None:
    if entry.list == "file_patterns.exclude":
        return entry.text
    if not entry.text.startswith("!"):
        return None
    # Of `!!p` git negates the pattern `!p`, whose own mark is literal.
    return "\\" + entry.text[1:] if entry.text.startswith("!!") else entry.text[1:]


def _extension(name: Name) -> str | None:
    """What every match of the name has after its last dot, or None."""
    ending = ""
    for token in reversed(name.tokens):
        if not isinstance(token, Literal):
            break
        ending = token.text + ending
    return ending.rpartition(".")[2] if "." in ending else None
