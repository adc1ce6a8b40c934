"""How files are called in the output."""

from __future__ import annotations

import os

from rules_lsp.policy.roots import Root
from rules_lsp.source.uri import to_uri


def shortened(path: str) -> str:
    """A path as seen from the working directory, for a person: `../rules.yaml`; as it is where they share no directory.

    The top of the file system counts for none: nobody wants to read the way up there.
    """
    try:
        here = os.path.relpath(path)
        steps = here.split(os.sep)
        top = os.path.abspath(os.sep.join([os.pardir] * steps.count(os.pardir)) or os.curdir)
    except (OSError, ValueError):
        return path
    return path if os.pardir in steps and os.path.dirname(top) == top else here


def below(path: str) -> str:
    """A path as seen from the working directory where it lies below it, else as it is: for programs."""
    here = shortened(path)
    return path if here.split(os.sep)[0] == os.pardir else here


class Base:
    """The directory that a report's relative names count from."""

    def __init__(self, directory: str) -> None:
        self._root = Root.at(directory)

    @property
    def uri(self) -> str:
        """The `file:` URI of the directory, with a final slash."""
        return to_uri(self._root.given).rstrip("/") + "/"

    def relative(self, path: str) -> str | None:
        """A path below the directory as a relative POSIX path, or None."""
        return self._root.relative(path) or None

    def relative_uri(self, path: str) -> str | None:
        """A path below the directory as a relative URI reference, or None."""
        relative = self.relative(path)
        return None if relative is None else to_uri("/" + relative).removeprefix("file:///")
