"""The files that a batch may touch, as whoever asked for the edits named them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.requests import shown
from rules_lsp.policy.roots import Root

_WILD = frozenset("*?[{")


class Targets:
    """Paths and patterns. A path stands for itself and, where it is a directory, for what is below it.

    A pattern means what it means in the rules and starts at the project's root. Without paths it is every file. For one
    batch, never longer: where the paths lead is looked up once.
    """

    def __init__(self, paths: Sequence[str] | None = None, globs: Sequence[Glob] = (), cwd: str | None = None) -> None:
        self._paths = paths
        self._globs = globs
        self._cwd = cwd
        self._named: dict[Root, tuple[frozenset[str], frozenset[str]]] = {}

    def take(self, root: Root, path: str, real: str) -> bool:
        """Whether a file is one of them, by its name and by where its links lead (both from the root).

        Both must be; a path that is named itself may lead anywhere in the project.
        """
        if self._paths is None:
            return True
        found = self._named.get(root)
        if found is None:
            found = self._named[root] = self._looked_up(root, self._paths)
        named, reals = found
        if path in named or real in reals:
            return True
        return all(_lies_below(name, named) or any(g.covers(name, False) for g in self._globs) for name in (path, real))

    def _looked_up(self, root: Root, paths: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
        absolute = [os.path.normpath(os.path.join(self._cwd or root.given, path)) for path in paths]
        named = (root.relative(each) for each in absolute)
        reals = (root.relative(os.path.realpath(each)) for each in absolute)
        return frozenset(each for each in named if each is not None), frozenset(each for each in reals if each)


def _lies_below(name: str, directories: frozenset[str]) -> bool:
    parts = name.split("/")
    return any("/".join(parts[:count]) in directories for count in range(len(parts)))


def read_targets(texts: Sequence[str] | None, cwd: str | None = None) -> Targets | str:
    """The targets, or which of the texts is none and why."""
    if texts is None:
        return Targets()
    globs = []
    for text in texts:
        if not text or "\0" in text:
            return "a target is a path or a pattern, and one of these is empty or holds a null character"
        if _WILD.isdisjoint(text):
            continue
        glob = parse_glob(text)
        if isinstance(glob, Glob):
            globs.append(glob)
        else:
            return f"the target `{shown(text)}` is no pattern: {glob.message}"
    return Targets(tuple(texts), globs, cwd)
