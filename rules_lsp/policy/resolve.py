"""Every name that a path goes by: as written, and after each symbolic link on the way to the real file."""

from __future__ import annotations

import errno
import os
import stat

from rules_lsp.policy.files import is_below
from rules_lsp.policy.roots import Root
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

MAX_LINKS = 40
MAX_NAME_BYTES = 255
Kind: TypeAlias = "Literal['file', 'directory', 'missing']"


@dataclass(frozen=True, slots=True)
class Resolved:
    """The names of one path.

    `candidates` are absolute and normalised: the path as written first, the real path last, each hop between them.
    `kind` is what stands at the real path; where nothing does, the deepest existing ancestor is resolved and the rest
    appended. Where `..` leads to two different kinds it is `missing`: the path may be either. `refusal` says why the
    path cannot be followed, or is None.
    """

    candidates: tuple[str, ...]
    kind: Kind
    refusal: str | None = None

    @property
    def real(self) -> str:
        """The real path."""
        return self.candidates[-1]


class Resolver:
    """Resolves paths, and remembers the directories it met: use one for a single request or batch, never longer."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._directories: set[str] = set()
        self._parents: dict[str, Resolved] = {}
        self._last: tuple[str, Resolved] | None = None

    def resolve(self, path: str) -> Resolved:
        """Follow an absolute path; `..` is taken both lexically and physically."""
        # Several policies may ask about one path in turn.
        if self._last is None or self._last[0] != path:
            self._last = path, self._resolved(path)
        return self._last[1]

    def _resolved(self, path: str) -> Resolved:
        lexical = os.path.normpath(path)
        ways = [self._follow_lexical(lexical)]
        if ".." in path.split(os.sep):
            ways.append(self._follow(path))
        names = dict.fromkeys((lexical, *(name for way in ways for name in way.candidates)))
        last = ways[-1]
        names.pop(last.real, None)
        refusal = next((way.refusal for way in ways if way.refusal is not None), None)
        kind: Kind = last.kind if all(way.kind == last.kind for way in ways) else "missing"
        return Resolved((*names, last.real), kind, refusal)

    def _follow_lexical(self, path: str) -> Resolved:
        """Follow a normalised path; what its directory leads to is looked up once."""
        directory, name = os.path.split(path)
        if not name or not is_below(directory, self._root.given) and not is_below(directory, self._root.real):
            return self._follow(path)
        parent = self._parents.get(directory)
        if parent is None:
            parent = self._parents[directory] = self._follow(directory)
        if parent.kind != "directory" or parent.refusal is not None:
            return self._follow(path)
        mode = _mode(os.path.join(parent.real, name))
        if not isinstance(mode, int) or stat.S_ISLNK(mode):
            return self._follow(path) if mode != "missing" else self._below(parent, name, "missing")
        return self._below(parent, name, "directory" if stat.S_ISDIR(mode) else "file")

    def _below(self, parent: Resolved, name: str, kind: Kind) -> Resolved:
        return Resolved(tuple(os.path.join(candidate, name) for candidate in parent.candidates), kind)

    def _follow(self, path: str) -> Resolved:
        current, pending = self._start(path)
        hops: list[str] = [_normal(current, pending)]
        links = 0
        kind: Kind = "directory"
        while pending:
            name = pending.pop()
            if name == "..":
                current, kind = os.path.dirname(current), "directory"
                continue
            following = os.path.join(current, name)
            if following in self._directories:
                current, kind = following, "directory"
                continue
            mode = _mode(following)
            if mode == "missing":
                return Resolved((*hops, _normal(following, pending)), "missing")
            if isinstance(mode, str):
                return Resolved((*hops, _normal(following, pending)), "missing", mode)
            if stat.S_ISLNK(mode):
                links += 1
                target = _link_target(following) if links <= MAX_LINKS else None
                if target is None:
                    reason = "the path runs through a loop of links or a link that cannot be read"
                    return Resolved((*hops, following), "missing", reason)
                if os.path.isabs(target):
                    current, rest = self._start(target)
                else:
                    rest = _components(target)
                pending += rest
                hops.append(_normal(current, pending))
                continue
            if stat.S_ISDIR(mode):
                self._directories.add(following)
                kind = "directory"
            else:
                kind = "file"
            current = following
        return Resolved((*hops, current), kind)

    def _start(self, path: str) -> tuple[str, list[str]]:
        """Where following begins, and the components still to go, the next one last.

        Links in the root's own path are no hops, so a path below the root starts at the real root.
        """
        for top in (self._root.given, self._root.real):
            if is_below(path, top):
                return self._root.real, _components(path[len(top) :])
        drive, rest = os.path.splitdrive(path)
        return drive + os.sep, _components(rest)


def _components(path: str) -> list[str]:
    parts = path.replace(os.sep, "/").split("/")
    return [part for part in reversed(parts) if part not in ("", ".")]


def _normal(current: str, pending: list[str]) -> str:
    return os.path.normpath(os.path.join(current, *reversed(pending))) if pending else current


def _mode(path: str) -> int | str:
    """The mode of what stands at a path itself, `missing`, or why it cannot be looked up."""
    try:
        return os.lstat(path).st_mode
    except OSError as error:
        # A single name that is too long exists nowhere; a path that is too long as a whole can be reached in parts.
        too_long = error.errno == errno.ENAMETOOLONG and len(os.fsencode(os.path.basename(path))) > MAX_NAME_BYTES
        if error.errno in (errno.ENOENT, errno.ENOTDIR) or too_long:
            return "missing"
        return f"the path cannot be looked up ({(error.strerror or 'unknown cause').lower()})"


def _link_target(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None
