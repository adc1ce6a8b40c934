"""The pattern that was meant where a directory, a name or an extension of it is misspelt."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property, lru_cache

from rules_lsp.checks.common.glob_entries import PatternEntry, escaped
from rules_lsp.checks.common.lookalikes import meant
from rules_lsp.checks.common.nearest import SHORTEST, Nearest
from rules_lsp.checks.common.short_names import ShortNames, ShortSlip, ordinary_extensions, ordinary_names
from rules_lsp.policy.glob import AnyDirectories, Glob, GlobError, Literal, Name, Star, parse_glob
from rules_lsp.policy.keys import edit_distance
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.inventory import FileInventory

_MOST_SLIPS = 3
_MOST_NAMES = 20_000
"""Among more names nothing is looked for: it would take seconds, and too many are near."""
_SHORTEST_EXTENSION = 3
_STEM = "x"
_SYNONYMS = (
    frozenset({"yml", "yaml"}),
    frozenset({"htm", "html"}),
    frozenset({"jpg", "jpeg"}),
    frozenset({"md", "markdown"}),
    frozenset({"tif", "tiff"}),
)


@dataclass(frozen=True, slots=True)
class NearPattern:
    """A pattern that takes something, and whether it is certain.

    An extension or a short name may be meant as it is, and an include that names no place opens all that there are.
    """

    text: str
    certain: bool


class _Names:
    """Names of files and directories, and what is near to one."""

    def __init__(self, names: Collection[str]) -> None:
        names = names if len(names) <= _MOST_NAMES else ()
        self._near, self._short = Nearest(names), ShortNames(names)

    def to(self, word: str) -> ShortSlip | None:
        near = self._near.to(word)
        if near is None:
            return self._short.to(word)
        # A name that projects ordinarily have means itself, but for its number.
        same = {near.casefold(), f"{near.casefold()}s"} & {word.casefold(), f"{word.casefold()}s"}
        certain = max(sum(map(str.isalnum, name)) for name in (word, near)) >= SHORTEST
        return ShortSlip(near, certain) if same or word.casefold() not in ordinary_names() else None


class NearestPath:
    """What exists in a project, to find what was meant by a pattern that takes nothing of it."""

    def __init__(self, files: FileInventory) -> None:
        self._files = files
        self._children: dict[str, _Names] = {}
        self._names: _Names | None = None

    def to(self, item: PatternEntry) -> NearPattern | None:
        """The pattern that was meant, where one is really near and takes something; an exclude may name a directory."""
        text = item.entry.text
        certain = True
        looks = meant(text)
        if looks != text and self._takes(parse_glob(looks), item.including):
            return NearPattern(looks, True)
        for _ in range(_MOST_SLIPS):
            glob = parse_glob(text)
            if not isinstance(glob, Glob) or len(glob.alternatives) != 1:
                return None
            changed = self._with_name(glob, item.including) or self._with_extension(glob, item.including)
            if changed is None or changed.text == text:
                return None
            text, certain = changed.text, certain and changed.certain
            if self._takes(parse_glob(text), item.including):
                return NearPattern(text, certain)
        return None

    def _takes(self, glob: Glob | GlobError, including: bool) -> bool:
        if isinstance(glob, GlobError):
            return False
        if self._files.file_index.first(glob) is not None:
            return True
        return not including and self._files.directory_index.first(glob) is not None

    def _with_name(self, glob: Glob, including: bool) -> NearPattern | None:
        """The pattern with its first name that does not exist as the nearest that does."""
        above: str | None = ""
        for segment in glob.alternatives[0].segments:
            literal = segment.literal if isinstance(segment, Name) else None
            if literal is None:
                above = None
            elif above is not None:
                path = f"{above}/{literal}" if above else literal
                if path not in self._files.names:
                    return _replaced(glob, segment, self._below(above).to(literal))
                above = path
            elif not self._exists(literal):
                slip = self._anywhere().to(literal)
                return _replaced(glob, segment, slip, sure=not including)
        return None

    def _exists(self, name: str) -> bool:
        known = self._files.deeper_file(name) or self._files.deeper_directory(name)
        return known is not None or name in self._files.names

    def _below(self, directory: str) -> _Names:
        if directory not in self._children:
            files, directories = self._files.children(directory)
            names = (*files, *directories)
            self._children[directory] = _Names(names)
        return self._children[directory]

    def _anywhere(self) -> _Names:
        if self._names is None:
            names = {path.rpartition("/")[2] for path in (*self._files.directories, *self._files.files)}
            self._names = _Names(sorted(names))
        return self._names

    def _with_extension(self, glob: Glob, including: bool) -> NearPattern | None:
        """The pattern with the extension of its last name as the one that is near."""
        last = glob.alternatives[0].segments[-1]
        if isinstance(last, AnyDirectories) or len(last.tokens) < 2 or not isinstance(last.tokens[-2], Star):
            return None
        token = last.tokens[-1]
        if not isinstance(token, Literal) or not token.text.startswith(".") or "." in token.text[1:]:
            return None
        near = self._extension_near(token.text[1:], including)
        text = glob.text
        return None if near is None else NearPattern(f"{text[: token.start]}.{escaped(near)}{text[token.end :]}", False)

    def _extension_near(self, extension: str, including: bool) -> str | None:
        if extension in self._extensions:
            return None
        # What files of other projects end in is excluded as a precaution.
        same = [group - {extension} for group in _SYNONYMS if extension in group and including]
        near = [known for group in same for known in group if known in self._extensions]
        if near or extension.casefold() in ordinary_extensions():
            return near[0] if len(near) == 1 else None
        short = self._short_extensions.to(f"{_STEM}.{extension}")
        if short is not None:
            return short.name.removeprefix(f"{_STEM}.")
        if len(extension) < _SHORTEST_EXTENSION:
            return None
        near = [
            known
            for known in self._extensions
            if len(known) >= _SHORTEST_EXTENSION and edit_distance(extension, known, 2) == 1
        ]
        return near[0] if len(near) == 1 else None

    @cached_property
    def _extensions(self) -> frozenset[str]:
        names = (path.rpartition("/")[2].rpartition(".") for path in self._files.files)
        return frozenset(ending for stem, _, ending in names if stem and ending)

    @cached_property
    def _short_extensions(self) -> ShortNames:
        return ShortNames(f"{_STEM}.{extension}" for extension in sorted(self._extensions))


@lru_cache(maxsize=2)
def nearest_path(files: FileInventory) -> NearestPath:
    """What is near among the files of an inventory; kept as long as they are asked about."""
    return NearestPath(files)


def _replaced(
    glob: Glob, segment: Name | AnyDirectories, slip: ShortSlip | None, *, sure: bool = True
) -> NearPattern | None:
    if slip is None:
        return None
    text = f"{glob.text[: segment.start]}{escaped(slip.name)}{glob.text[segment.end :]}"
    return NearPattern(text, sure and slip.certain)
