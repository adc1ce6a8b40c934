"""The pattern that was meant where a directory, a name or an extension of it is misspelt."""

from __future__ import annotations

from functools import lru_cache

from rules_lsp.checks.common.glob_entries import PatternEntry, escaped
from rules_lsp.checks.common.nearest import Nearest
from rules_lsp.policy.glob import AnyDirectories, Glob, Literal, Name, Star, parse_glob
from rules_lsp.policy.keys import edit_distance
from rules_lsp.source.records import dataclass
from rules_lsp.workspace.inventory import FileInventory

_MOST_SLIPS = 3
_MOST_NAMES = 20_000
"""Among more names nothing is looked for: it would take seconds, and too many are near."""
_SHORTEST_EXTENSION = 3
_SYNONYMS = (
    frozenset({"yml", "yaml"}),
    frozenset({"htm", "html"}),
    frozenset({"jpg", "jpeg"}),
    frozenset({"md", "markdown"}),
    frozenset({"tif", "tiff"}),
)


@dataclass(frozen=True, slots=True)
class NearPattern:
    """A pattern that takes something, and whether only names were misspelt: an extension may be meant as it is."""

    text: str
    names_only: bool


class NearestPath:
    """What exists in a project, to find what was meant by a pattern that takes nothing of it."""

    def __init__(self, files: FileInventory) -> None:
        self._files = files
        self._children: dict[str, Nearest] = {}
        self._names: Nearest | None = None
        self._extensions: frozenset[str] | None = None

    def to(self, item: PatternEntry) -> NearPattern | None:
        """The pattern that was meant, where one is really near and takes something; an exclude may name a directory."""
        text = item.entry.text
        names_only = True
        for _ in range(_MOST_SLIPS):
            glob = parse_glob(text)
            if not isinstance(glob, Glob) or len(glob.alternatives) != 1:
                return None
            changed = self._with_name(glob)
            if changed is None and item.including:
                changed, names_only = self._with_extension(glob), False
            if changed is None or changed == text:
                return None
            text = changed
            found = parse_glob(text)
            if isinstance(found, Glob) and self._takes(found, item.including):
                return NearPattern(text, names_only)
        return None

    def _takes(self, glob: Glob, including: bool) -> bool:
        if self._files.file_index.first(glob) is not None:
            return True
        return not including and self._files.directory_index.first(glob) is not None

    def _with_name(self, glob: Glob) -> str | None:
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
                return _replaced(glob, segment, self._anywhere().to(literal))
        return None

    def _exists(self, name: str) -> bool:
        known = self._files.deeper_file(name) or self._files.deeper_directory(name)
        return known is not None or name in self._files.names

    def _below(self, directory: str) -> Nearest:
        if directory not in self._children:
            files, directories = self._files.children(directory)
            names = (*files, *directories)
            self._children[directory] = Nearest(names if len(names) <= _MOST_NAMES else ())
        return self._children[directory]

    def _anywhere(self) -> Nearest:
        if self._names is None:
            names = {path.rpartition("/")[2] for path in (*self._files.directories, *self._files.files)}
            self._names = Nearest(sorted(names) if len(names) <= _MOST_NAMES else ())
        return self._names

    def _with_extension(self, glob: Glob) -> str | None:
        """The pattern with the extension of its last name as the one that is near."""
        last = glob.alternatives[0].segments[-1]
        if isinstance(last, AnyDirectories) or len(last.tokens) < 2 or not isinstance(last.tokens[-2], Star):
            return None
        token = last.tokens[-1]
        if not isinstance(token, Literal) or not token.text.startswith(".") or "." in token.text[1:]:
            return None
        meant = self._extension_near(token.text[1:])
        text = glob.text
        return None if meant is None else f"{text[: token.start]}.{escaped(meant)}{text[token.end :]}"

    def _extension_near(self, extension: str) -> str | None:
        if self._extensions is None:
            names = (path.rpartition("/")[2].rpartition(".") for path in self._files.files)
            self._extensions = frozenset(ending for stem, _, ending in names if stem and ending)
        if extension in self._extensions:
            return None
        same = [group - {extension} for group in _SYNONYMS if extension in group]
        near = [known for group in same for known in group if known in self._extensions]
        if not near and len(extension) >= _SHORTEST_EXTENSION:
            near = [
                known
                for known in self._extensions
                if len(known) >= _SHORTEST_EXTENSION and edit_distance(extension, known, 2) == 1
            ]
        return near[0] if len(near) == 1 else None


@lru_cache(maxsize=2)
def nearest_path(files: FileInventory) -> NearestPath:
    """What is near among the files of an inventory; kept as long as they are asked about."""
    return NearestPath(files)


def _replaced(glob: Glob, segment: Name | AnyDirectories, name: str | None) -> str | None:
    return None if name is None else f"{glob.text[: segment.start]}{escaped(name)}{glob.text[segment.end :]}"
