"""The files of a project one after another, in the order of their paths, without holding them all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator

Unreadable = Callable[[str], None]


def walk(root: str, below: str = "", unreadable: Unreadable | None = None) -> Iterator[str]:
    """The root-relative POSIX paths of all files of a real directory, sorted; links count as files.

    `below` is a root-relative directory, or a file, that alone is looked at. `unreadable` is told the root-relative
    path of each directory that cannot be looked into. Git's own directory is left out.
    """
    if below:
        kind = _kind(root, below)
        if kind == "file":
            yield below
        if kind != "directory":
            return
    pending = [f"{below}/" if below else ""]
    while pending:
        current = pending.pop()
        if current and not current.endswith("/"):
            yield current
            continue
        try:
            with os.scandir(os.path.join(root, *current.split("/"))) as entries:
                found = [
                    current + entry.name + ("/" if entry.is_dir(follow_symlinks=False) else "")
                    for entry in entries
                    if entry.name != ".git"
                ]
        except OSError:
            if unreadable is not None:
                unreadable(current.rstrip("/") or ".")
            continue
        # The order is that of the paths, and that of a directory is where the paths below it stand.
        pending += sorted(found, reverse=True)


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
