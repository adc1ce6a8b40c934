"""Which files of a project Git ignores: asked path by path, since most are never asked about."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rules_lsp.policy.files import read_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME = ".gitignore"
_OF_THE_CLONE = (".git", "info", "exclude")


class IgnoredPaths:
    """What the `.gitignore` files of a real directory and its clone's own list ignore, as they were when first needed.

    A person's global list does not count, nor does whether Git tracks a file all the same. What lies in an ignored
    directory is ignored whatever else is said of it.
    """

    def __init__(self, root: str, files: Iterable[str]) -> None:
        """`files` are the root-relative paths of the project."""
        self._root = root
        lists = (path for path in files if path == _NAME or path.endswith(f"/{_NAME}"))
        self._directories = frozenset(path.removesuffix(_NAME).rstrip("/") for path in lists)
        self._specs: dict[str, list[GitIgnoreSpec]] = {}
        self._known: dict[str, bool] = {"": False}

    def ignores(self, path: str, *, directory: bool = False) -> bool:
        """Whether a root-relative path is ignored."""
        above = path.rpartition("/")[0]
        if above not in self._known:
            self._known[above] = self.ignores(above, directory=True)
        return self._known[above] or self._is_named(path + "/" if directory else path)

    def _is_named(self, path: str) -> bool:
        """Whether the nearest list that says something of a path says that it is ignored."""
        directory = path.rstrip("/").rpartition("/")[0]
        while True:
            relative = path[len(directory) + 1 :] if directory else path
            for spec in self._specs_of(directory):
                said = spec.check_file(relative).include
                if said is not None:
                    return said
            if not directory:
                return False
            directory = directory.rpartition("/")[0]

    def _specs_of(self, directory: str) -> list[GitIgnoreSpec]:
        if directory not in self._specs:
            paths = (
                [(*directory.split("/"), _NAME) if directory else (_NAME,)] if directory in self._directories else []
            )
            if not directory:
                paths.append(_OF_THE_CLONE)
            read = (read_file(os.path.join(self._root, *parts), self._root) for parts in paths)
            self._specs[directory] = [_spec(content.data) for content in read if content.exists and not content.problem]
        return self._specs[directory]


def _spec(data: bytes) -> GitIgnoreSpec:
    # Most projects are never asked, and the import costs a start-up.
    from pathspec import GitIgnoreSpec

    patterns: list[Any] = []
    for line in data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").split("\n"):
        try:
            patterns += GitIgnoreSpec.from_lines([line.removesuffix("\r")]).patterns
        except ValueError:
            # Git passes over what it cannot read, and so must one bad line not hide the others.
            continue
    return GitIgnoreSpec(patterns)
