"""Whole lists as matchers: fast for many entries, with the answers of the entries' own matchers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rules_lsp.policy.glob import Alternative, Glob, Literal, Name
from rules_lsp.policy.model import Entry
from rules_lsp.policy.patterns.matchers import ExcludeMatcher, IncludeMatcher, composed_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal as OneOf
    from typing import TypeAlias

_Table: TypeAlias = "OneOf['beginning', 'name', 'extension']"
IndexKey = tuple[_Table, str] | None
"""What a path must hold, and where; None where it need hold nothing."""
_MOST_DIRECTORIES = 10_000


class ExcludeList:
    """The denying patterns of a project: entries of exclude lists, and the negated ones of include lists.

    Other entries of include lists are in `entries` without effect. `roots` are as for `ExcludeMatcher`. `broken` are
    the positions of the denying entries that cannot be read: while there is one, the caller denies every file.
    """

    def __init__(self, entries: Iterable[Entry], *roots: str) -> None:
        self.entries: tuple[Entry, ...] = tuple(entries)
        self._matchers: dict[int, ExcludeMatcher] = {}
        self._index = PatternIndex()
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
        self._index = PatternIndex()
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


class PatternIndex:
    """Which entries can cover a path at all, by a literal name, beginning or extension that each form of them needs.

    Keys are folded further than any comparison is, so that one index serves all; the matchers decide.
    """

    def __init__(self) -> None:
        self._tables: dict[_Table, dict[str, list[int]]] = {"beginning": {}, "name": {}, "extension": {}}
        self._everywhere: list[int] = []
        self._in_directory: dict[str, list[int]] = {}

    def add(self, position: int, globs: Iterable[Glob], *, everywhere: bool = False) -> None:
        """Put an entry at a position, which is higher than those before, under what its globs need."""
        self.add_keys(position, (None,) if everywhere else index_keys(globs))

    def add_keys(self, position: int, keys: Iterable[IndexKey]) -> None:
        """Put an entry at a position, which is higher than those before, under keys of `index_keys`."""
        self._in_directory.clear()
        for key in keys:
            found = self._everywhere if key is None else self._tables[key[0]].setdefault(key[1], [])
            if not found or found[-1] != position:
                found.append(position)

    def candidates(self, path: str) -> Sequence[int]:
        """The positions that can cover a path, ascending."""
        folded = index_key(path)
        directory, _, name = folded.rpartition("/")
        in_directory = self._in_directory.get(directory)
        if in_directory is None:
            if len(self._in_directory) >= _MOST_DIRECTORIES:
                self._in_directory.clear()
            in_directory = self._in_directory[directory] = self._all_in(directory)
        beginnings, named, extensions = self._tables.values()
        found = [
            *beginnings.get(folded, ()),
            *named.get(name, ()),
            *extensions.get(name.rpartition(".")[2], ()),
        ]
        return sorted({*found, *in_directory}) if found else in_directory

    def _all_in(self, directory: str) -> list[int]:
        """The positions that can cover every path in a directory, ascending: what stands in its own names."""
        beginnings, named, extensions = self._tables.values()
        found = set(self._everywhere)
        beginning = ""
        for name in directory.split("/") if directory else ():
            beginning = f"{beginning}/{name}" if beginning else name
            found.update(beginnings.get(beginning, ()))
            found.update(named.get(name, ()))
            found.update(extensions.get(name.rpartition(".")[2], ()))
        return sorted(found)


def index_keys(globs: Iterable[Glob]) -> tuple[IndexKey, ...]:
    """What each form of the globs needs, for a `PatternIndex`."""
    return tuple(dict.fromkeys(_index_key_of(item) for glob in globs for item in glob.alternatives))


def _index_key_of(alternative: Alternative) -> IndexKey:
    beginning: list[str] = []
    for segment in alternative.segments:
        if not isinstance(segment, Name) or not segment.literal:
            break
        beginning.append(segment.literal)
    if beginning:
        return "beginning", index_key("/".join(beginning))
    names = [segment for segment in alternative.segments if isinstance(segment, Name)]
    literals = [name.literal for name in names if name.literal]
    if literals:
        return "name", index_key(max(literals, key=len))
    extensions = [extension for name in names if (extension := _extension(name)) is not None]
    return ("extension", index_key(max(extensions, key=len))) if extensions else None


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
