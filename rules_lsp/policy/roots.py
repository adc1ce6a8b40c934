"""The root of a project: as it was given and as it really is."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.policy.files import is_below
from rules_lsp.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Root:
    """A project's directory. Both paths are absolute and normalised; `real` has no link in it."""

    given: str
    real: str

    @classmethod
    def at(cls, path: str) -> Root:
        """The root at a path, relative ones taken from the working directory."""
        given = os.path.abspath(path)
        return cls(given, os.path.realpath(given))

    def relative(self, path: str) -> str | None:
        """A normalised absolute path as a root-relative POSIX path, empty for the root itself; None outside of it."""
        for top in (self.given, self.real):
            if is_below(path, top):
                return path[len(top) :].lstrip(os.sep).replace(os.sep, "/")
        return None

    def absolute(self, relative: str) -> str:
        """The path below the real root of a root-relative POSIX path, not normalised."""
        return os.path.join(self.real, *relative.split("/")) if relative else self.real

    def folds_case(self) -> bool:
        """Whether the volume takes names that differ in case for the same file, asked of the volume itself."""
        for directory, name in _names_with_letters(self.real):
            here = _identity(os.path.join(directory, name))
            # A name that has gone since says nothing: the next one does.
            if here is not None:
                return here == _identity(os.path.join(directory, name.swapcase()))
        return False


def path_below(path: str, *directories: str) -> str | None:
    """What an absolute path, `..` in it kept, says below the first place at which it is in one of the directories.

    As a POSIX path; None where it never is there, or where it ends there.
    """
    parts = path.split(os.sep)
    for count in range(1, len(parts)):
        if os.path.normpath(os.sep.join(parts[:count]) or os.sep) in directories:
            return "/".join(part for part in parts[count:] if part) or None
    return None


def _names_with_letters(directory: str) -> Iterator[tuple[str, str]]:
    """Names to ask about: those in the directory itself, since it can be a volume of its own, then its own name.

    Letters beyond ASCII are passed over: the other case of some is none that a volume knows.
    """
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if _has_cases(entry.name):
                    yield directory, entry.name
    except OSError:
        pass
    parent, name = os.path.split(directory)
    if _has_cases(name):
        yield parent, name


def _has_cases(name: str) -> bool:
    return name.isascii() and name.swapcase() != name


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
