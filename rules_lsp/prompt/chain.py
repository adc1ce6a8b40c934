"""The instructions that hold for a file: one AGENTS.md a folder, from the root to the folder of the file.

In each folder the first name of the table counts that can be read; an empty one counts too, and masks the others to
nothing. The root's own file is told with the project's instructions and is no part of the chain. Folders beside the
way are not looked at. Links are resolved: a target that is really elsewhere has the chain of that place, and a target
outside the root has the root's file alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.policy.roots import Root
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES, OVERRIDES, meant_name
from rules_lsp.prompt.told_files import Cause, LeftOut, Overlay, ToldText, read_told
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Text


@dataclass(frozen=True, slots=True)
class ChainPart:
    """The instructions of one folder.

    `name` is root-relative, `path` absolute, below the real root; `folder` is root-relative, empty for the root. The
    text is that of the file, without a byte order mark. `why` is a sentence without its subject.
    """

    name: str
    path: str
    folder: str
    text: Text
    why: str


@dataclass(frozen=True, slots=True)
class Chain:
    """What holds for a target.

    `own` is the root's file, told with the project's instructions, or None. `parts` are those of the folders below it,
    the outermost first. `left_out` are the files of the same folders that are not told. `folder` is the root-relative
    folder of the target, None where the target lies outside the root.
    """

    root: Root
    target: str
    folder: str | None
    own: ChainPart | None
    parts: tuple[ChainPart, ...]
    left_out: tuple[LeftOut, ...]


def chain_of(root: str | Root, target: str | None = None, overlay: Overlay | None = None) -> Chain:
    """The chain of a target, now; never raises.

    `target` is absolute or root-relative and need not exist: what is no directory, or ends in no separator, is a file.
    Without one the root itself is meant. `overlay` has the texts of open editors by absolute path.
    """
    at = root if isinstance(root, Root) else Root.at(root)
    path = os.path.join(at.given, target) if target else at.given
    folder = _folder_of(path, at)
    reader = _Reader(at, overlay)
    own = reader.folder("")
    parts = tuple(part for each in _below(folder) if (part := reader.folder(each)) is not None)
    return Chain(at, path, folder, own, parts, tuple(reader.left_out))


def _folder_of(path: str, root: Root) -> str | None:
    try:
        real = os.path.realpath(path)
        if not os.path.isdir(real) and not path.endswith(os.sep):
            real = os.path.dirname(real)
    except (OSError, ValueError):
        return None
    return root.relative(real)


def _below(folder: str | None) -> Iterator[str]:
    """The folders on the way to a folder, without the root."""
    if folder:
        parts = folder.split("/")
        yield from ("/".join(parts[:count]) for count in range(1, len(parts) + 1))


class _Reader:
    def __init__(self, root: Root, overlay: Overlay | None) -> None:
        self.left_out: list[LeftOut] = []
        self._root = root
        self._overlay = overlay
        self._told: dict[str, str] = {}

    def folder(self, folder: str) -> ChainPart | None:
        """The part of a folder; what is left out there is noted."""
        directory = self._root.absolute(folder)
        names = self._names(folder, directory)
        taken: str | None = None
        part: ChainPart | None = None
        passed: str | None = None
        for name in INSTRUCTION_NAMES:
            if name not in names:
                continue
            path = os.path.join(directory, name)
            if taken is not None:
                self._leave_out(folder, name, "masked", _masked_by(taken, part), _join(folder, taken))
                continue
            found = read_told(path, self._root, self._overlay)
            if found is None:
                continue
            if found.cause is not None:
                self._leave_out(folder, name, found.cause, found.why)
                # An agent follows a link wherever it leads; here it is not read, and nothing else is told in its place.
                taken = name if found.cause in ("outside", "secret") else None
                passed = passed or name
                continue
            taken = name
            part = self._part(folder, name, path, found, passed)
        for name in sorted(names):
            meant = meant_name(name)
            if meant is not None:
                self._leave_out(folder, name, "wrong-name", f"nobody reads it under this name: it is `{meant}`")
        return part

    def _names(self, folder: str, directory: str) -> frozenset[str]:
        """The names of a folder as they are written there: so no file counts twice where the volume folds case."""
        try:
            names = os.listdir(directory)
        except (FileNotFoundError, NotADirectoryError):
            names = []
        except OSError as error:
            names = []
            why = f"the folder cannot be looked into: {(error.strerror or 'unknown cause').lower()}"
            self.left_out.append(LeftOut(folder or ".", directory, "unreadable", why))
        opened = (path for path in self._overlay or () if os.path.dirname(path) == directory)
        return frozenset((*names, *map(os.path.basename, opened)))

    def _part(self, folder: str, name: str, path: str, found: ToldText, passed: str | None) -> ChainPart | None:
        real = os.path.realpath(path)
        first = self._told.setdefault(real, _join(folder, name))
        if first != _join(folder, name):
            self._leave_out(folder, name, "repeated", f"it leads to `{first}`, which is told already")
            return None
        if not found.text.content.strip():
            self._leave_out(folder, name, "empty", "it is empty")
            return None
        why = f"holds for what lies in `{folder}`" if folder else "holds for the whole project"
        if name in OVERRIDES:
            why += ", as an override"
        if passed is not None:
            why += f"; `{passed}` cannot be read"
        return ChainPart(_join(folder, name), path, folder, found.text, why)

    def _leave_out(self, folder: str, name: str, cause: Cause, why: str, by: str | None = None) -> None:
        path = os.path.join(self._root.absolute(folder), name)
        self.left_out.append(LeftOut(_join(folder, name), path, cause, why, by))


def _masked_by(taken: str, part: ChainPart | None) -> str:
    return f"`{taken}` stands in its place" + (", and tells nothing" if part is None else "")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
