"""Patterns from the files that there are, segment by segment, each with the number of files that it would take."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from rules_lsp.checks.common.glob_entries import escaped
from rules_lsp.features.completion_place import Place, Proposal, Proposals, Topic
from rules_lsp.features.names_below import MOST_COUNTED, MOST_NAMES, directories_below, files_below
from rules_lsp.features.numbers import amount
from rules_lsp.features.view import View
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.source.text import Span
from rules_lsp.workspace.inventory import FileInventory

MOST_ITEMS = 200
MOST_EXTENSIONS = 8
_MOST_DIRECTORIES = 100
_ANCHOR = re.compile(r"!?(?:\./|/)?")
_ESCAPED = re.compile(r"\\(.)")
_WILD = re.compile(r"(?<!\\)[*?\[{]")
_AFTER_SLASH = chr(ord("/") + 1)


def pattern_proposals(view: View, place: Place) -> Proposals:
    """What may be written in a pattern list."""
    assert place.list is not None
    files = view.subject.files
    if files is None:
        return Proposals((), False)
    found = _Patterns(view, place, files, place.list)
    return found.proposals()


def path_proposals(view: View, place: Place, first: Iterable[str] = ()) -> Proposals:
    """What may be written where literal paths of files belong; `first` are those that fit best."""
    files = view.subject.files
    best = [Proposal(name, name, "file", None) for name in first]
    if files is None:
        return Proposals(tuple(best), False)
    directory, slash, _ = place.before.rpartition("/")
    names, directories = files.children(directory)
    items = [
        Proposal(f"{directory}{slash}{name}/", f"{name}/", "directory", None, partial=True) for name in directories
    ]
    taken = {proposal.text for proposal in best}
    paths = (f"{directory}{slash}{name}" for name in names)
    items += [Proposal(path, path.rpartition("/")[2], "file", None) for path in paths if path not in taken]
    return Proposals((*best, *items[:MOST_ITEMS]), len(items) <= MOST_ITEMS)


class _Patterns:
    """The proposals for one place. `_head` is what stands in front of the segment that is being written."""

    def __init__(self, view: View, place: Place, files: FileInventory, list_name: ListName) -> None:
        self._view = view
        self._files = files
        self._list = list_name
        self._complete = files.complete
        anchor = _ANCHOR.match(place.before)
        self._anchor = anchor[0] if anchor is not None else ""
        below, slash, self._typed = place.before[len(self._anchor) :].rpartition("/")
        self._head = f"{self._anchor}{below}{slash}"
        self._below = below
        self._anywhere = not slash and self._anchor in ("", "!")
        own = place.span
        self._texts = {
            entry.text
            for rules in view.subject.shown.lists()
            if rules.name == list_name
            for entry in rules.entries
            if not (entry.span.start <= own.end and own.start <= entry.span.end)
        }

    def proposals(self) -> Proposals:
        if _WILD.search(self._below) is not None:
            return self._below_wildcard()
        directory = _ESCAPED.sub(r"\1", self._below)
        if directory and directory not in self._files.directory_names:
            return Proposals(())
        files, directories = self._files.children(directory)
        whole = len(files) + len(directories) <= MOST_ITEMS
        if not whole:
            files, directories = self._beginning(files), self._beginning(directories)
        items = [
            *(self._directory(directory, name) for name in directories[:MOST_ITEMS]),
            *self._patterns(directory),
            *(self._file(directory, name) for name in files[: max(0, MOST_ITEMS - len(directories))]),
        ]
        return Proposals(tuple(items), whole)

    def _beginning(self, names: tuple[str, ...]) -> tuple[str, ...]:
        typed = _ESCAPED.sub(r"\1", self._typed).casefold()
        return tuple(name for name in names if name.casefold().startswith(typed))

    def _directory(self, above: str, name: str) -> Proposal:
        text = f"{self._head}{escaped(name)}/"
        path = f"{above}/{name}" if above else name
        elsewhere = self._anywhere and self._files.deeper_directory(name) is not None
        number = self._taken(text) if elsewhere else self._below_directory(path)
        return self._proposal(text, f"{name}/", "directory", number, partial=True)

    def _file(self, above: str, name: str) -> Proposal:
        text = f"{self._head}{escaped(name)}"
        deeper = self._files.deeper_file(name) is not None or self._files.deeper_directory(name) is not None
        return self._proposal(text, name, "file", self._taken(text) if self._anywhere and deeper else 1)

    def _patterns(self, directory: str) -> Iterator[Proposal]:
        if directory:
            text = f"{self._head}**"
            yield self._proposal(text, text, "pattern", self._below_directory(directory))
        for extension, number in _extensions(self._files, directory):
            text = f"{self._head}**/*.{escaped(extension)}"
            yield self._proposal(text, text, "pattern", number)

    def _below_wildcard(self) -> Proposals:
        """What may follow a directory with wildcards: what the directories that it matches hold."""
        head = self._head.removeprefix("!")
        if self._below.rpartition("/")[2] == "**":
            base = self._below.rpartition("/")[0]
            return self._anywhere_below(_ESCAPED.sub(r"\1", base)) if _WILD.search(base) is None else Proposals(())
        glob = parse_glob(head)
        if not isinstance(glob, Glob):
            return Proposals(())
        matching = [path for path in self._files.directory_index.covered(glob) if glob.matches(path, True)]
        names: dict[str, int] = {}
        for path in sorted(matching)[:_MOST_DIRECTORIES]:
            files, directories = self._files.children(path)
            for name in directories:
                key = f"{name}/"
                names[key] = names.get(key, 0) + self._below_directory(f"{path}/{name}")
            for name in files:
                names[name] = names.get(name, 0) + 1
        exact = "**" not in head and len(matching) <= _MOST_DIRECTORIES
        ranked = sorted(names.items(), key=lambda pair: (not pair[0].endswith("/"), pair[0]))[:MOST_ITEMS]
        proposals = (self._below_match(label, number if exact else None) for label, number in ranked)
        return Proposals(tuple(proposals), len(names) <= MOST_ITEMS)

    def _anywhere_below(self, base: str) -> Proposals:
        """What may follow `**/`: the names that directories and files have at any depth, and extensions."""
        typed = _ESCAPED.sub(r"\1", self._typed)
        directories, files = directories_below(self._files, base, typed), files_below(self._files, base, typed)
        items: list[Proposal] = []
        counted = len(self._files.files) <= MOST_COUNTED
        for name in directories:
            text = f"{self._head}{escaped(name)}/"
            number = self._taken(text) if counted else None
            items.append(self._proposal(text, f"{name}/", "directory", number, partial=True))
        for extension, number in _extensions(self._files, base):
            text = f"{self._head}*.{escaped(extension)}"
            items.append(self._proposal(text, text, "pattern", number))
        for name in files:
            text = f"{self._head}{escaped(name)}"
            items.append(self._proposal(text, name, "file", self._taken(text) if counted else None))
        return Proposals(tuple(items), max(len(directories), len(files)) < MOST_NAMES)

    def _below_match(self, label: str, number: int | None) -> Proposal:
        directory = label.endswith("/")
        text = f"{self._head}{escaped(label.removesuffix('/'))}{'/' if directory else ''}"
        return self._proposal(text, label, "directory" if directory else "file", number, partial=directory)

    def _proposal(self, text: str, label: str, kind: str, number: int | None, *, partial: bool = False) -> Proposal:
        listed = text in self._texts
        counted = amount(number, "file", complete=self._complete) if number is not None else None
        detail = "already listed" if listed else counted
        topic = Topic("pattern", text, self._list)
        if kind == "directory":
            return Proposal(text, label, "directory", detail, topic, partial, listed)
        return Proposal(text, label, "file" if kind == "file" else "pattern", detail, topic, partial, listed)

    def _taken(self, text: str) -> int | None:
        counts = self._view.file_counts
        count = counts.of(Entry(text, Span(0, 0), self._list, 0)) if counts is not None else None
        return count.taken if count is not None else None

    def _below_directory(self, path: str) -> int:
        files = self._files.files
        return bisect_left(files, path + _AFTER_SLASH) - bisect_left(files, path + "/")


_Ranked = tuple[tuple[str, int], ...]
_REMEMBERED: WeakKeyDictionary[FileInventory, dict[str, _Ranked]] = WeakKeyDictionary()


def _extensions(files: FileInventory, directory: str) -> _Ranked:
    """The extensions of the files in a directory and below, and how many files `**/*.extension` takes, most first."""
    remembered = _REMEMBERED.setdefault(files, {})
    if directory not in remembered:
        remembered[directory] = _counted_extensions(files, directory)
    return remembered[directory]


def _counted_extensions(files: FileInventory, directory: str) -> _Ranked:
    prefix = f"{directory}/" if directory else ""
    start = bisect_left(files.files, prefix)
    end = bisect_left(files.files, directory + _AFTER_SLASH) if directory else len(files.files)
    counts: Counter[str] = Counter()
    own: set[str] = set()
    above: dict[str, frozenset[str]] = {"": frozenset()}
    for path in files.files[start:end]:
        parent, _, name = path[len(prefix) :].rpartition("/")
        # A directory `x.d` is covered by `**/*.d` with everything in it.
        inherited = above.get(parent)
        if inherited is None:
            endings = (part.rpartition(".") for part in parent.split("/"))
            inherited = above[parent] = frozenset(ending for _, dot, ending in endings if dot and ending)
        _, dot, extension = name.rpartition(".")
        if dot and extension:
            own.add(extension)
            counts[extension] += extension not in inherited
        for ending in inherited:
            counts[ending] += 1
    ranked = sorted(((name, counts[name]) for name in own), key=lambda pair: (-pair[1], pair[0]))
    return tuple(ranked[:MOST_EXTENSIONS])
