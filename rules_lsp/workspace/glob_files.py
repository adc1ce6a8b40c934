"""Which files of a directory a glob takes: most names are passed over by their ending, before they are matched."""

from __future__ import annotations

from rules_lsp.policy.glob import Glob, Literal, Name
from rules_lsp.policy.patterns.matchers import composed_path


class GlobFiles:
    """Chooses, for `walk_chosen`, the files that a glob covers."""

    def __init__(self, glob: Glob) -> None:
        self._glob = glob.composed
        self._endings = _endings(self._glob)

    def __call__(self, directory: str, names: list[str]) -> list[str]:
        """The paths of the files of a directory that the glob covers."""
        covers = self._glob.covers
        if directory and covers(composed_path(directory[:-1]), True):
            return [directory + name for name in names]
        endings = self._endings
        if endings is not None:
            # A name beyond ASCII may end otherwise once it is composed.
            names = [name for name in names if name.endswith(endings) or not name.isascii()]
        return [path for name in names if covers(composed_path(path := directory + name), False)]


def _endings(glob: Glob) -> tuple[str, ...] | None:
    """How the name of every file ends that the glob covers in a directory that it does not cover; None if unknown."""
    found: list[str] = []
    for alternative in glob.alternatives:
        if alternative.directory_only:
            continue
        last = alternative.segments[-1] if alternative.segments else None
        tail = last.tokens[-1] if isinstance(last, Name) and last.tokens else None
        if not isinstance(tail, Literal):
            return None
        found.append(tail.text)
    return tuple(found)


def start_of(glob: Glob) -> str:
    """The root-relative path outside of which a glob takes nothing; empty where that is the root.

    A name beyond ASCII may be spelt otherwise on the disk, so that it is no place to start from.
    """
    if not glob.text.isascii() or not glob.anchored:
        return ""
    return glob.literal_path or glob.literal_prefix
