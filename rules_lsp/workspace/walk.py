"""The files of a project in the order of their paths, without holding them all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Unreadable = Callable[[str], None]
    Choose = Callable[[str, list[str]], list[str]]
    """Told a directory (root-relative, with a final slash; empty for the root) and the names of its files in no
    order: the root-relative paths of those that are wanted."""


def walk(root: str, below: str = "", unreadable: Unreadable | None = None) -> Iterator[str]:
    """The root-relative POSIX paths of all files of a real directory, sorted; links count as files.

    `below` is a root-relative directory, or a file, that alone is looked at. `unreadable` is told the root-relative
    path of each directory that cannot be looked into. Git's own directory is left out.
    """
    for paths in walk_chosen(root, every_file, below, unreadable):
        yield from paths


def every_file(directory: str, names: list[str]) -> list[str]:
    """Chooses all files."""
    return [directory + name for name in names]


def walk_chosen(
    root: str, choose: Choose, below: str = "", unreadable: Unreadable | None = None
) -> Iterator[list[str]]:
    """The files that are chosen, in the order of `walk` and in pieces, each with at least one; the rest is as there.

    Where most files are not chosen, they cost no more than the listing of their directory.
    """
    if below:
        kind = _kind(root, below)
        if kind == "file":
            above, slash, name = below.rpartition("/")
            if found := choose(above + slash, [name]):
                yield found
        if kind != "directory":
            return
    top = root.rstrip(os.sep) + os.sep
    pending: list[str | list[str]] = [f"{below}/" if below else ""]
    while pending:
        current = pending.pop()
        if not isinstance(current, str):
            yield current
            continue
        names: list[str] = []
        directories: list[str] = []
        try:
            with os.scandir(top + current) as entries:
                for entry in entries:
                    (directories if entry.is_dir(follow_symlinks=False) else names).append(entry.name)
        except OSError:
            if unreadable is not None:
                unreadable(current.rstrip("/") or ".")
            continue
        if ".git" in names:
            names.remove(".git")
        if ".git" in directories:
            directories.remove(".git")
        chosen = choose(current, names) if names else names
        if directories:
            pending += _in_order(chosen, [f"{current}{name}/" for name in directories])
        elif chosen:
            chosen.sort()
            yield chosen


def _in_order(files: list[str], directories: list[str]) -> list[str | list[str]]:
    """What stands in a directory, the last first: files that no directory stands between are one piece.

    The order is that of the paths, and that of a directory is where the paths below it stand.
    """
    if not files:
        directories.sort(reverse=True)
        return [*directories]
    found: list[str | list[str]] = []
    piece: list[str] = []
    for path in sorted([*files, *directories]):
        if not path.endswith("/"):
            piece.append(path)
            continue
        if piece:
            found.append(piece)
            piece = []
        found.append(path)
    if piece:
        found.append(piece)
    found.reverse()
    return found


def _kind(root: str, path: str) -> str:
    """What stands at a path that no link lies on the way to: `file`, `directory` or `nothing`."""
    current, mode = root, stat.S_IFDIR
    for name in path.split("/"):
        if name == ".git" or not stat.S_ISDIR(mode):
            return "nothing"
        current = os.path.join(current, name)
        try:
            mode = os.lstat(current).st_mode
        except (OSError, ValueError):
            return "nothing"
    return "directory" if stat.S_ISDIR(mode) else "file"
