"""Where personas are found by their names: in the working directory, at home, in the package."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.source.records import dataclass

SUFFIX = ".json"
_FOLDER = ".shaft"
_TEMPLATES = "templates"
_PACKAGED = os.path.join(os.path.dirname(__file__), "data")


@dataclass(frozen=True, slots=True)
class FoundPersona:
    """A persona's file. `name` is that by which it is found; `hidden` says that an earlier file has that name too."""

    name: str
    path: str
    hidden: bool = False


def search_path(cwd: str) -> tuple[str, ...]:
    """The directories of personas in the order in which they count: `./.shaft/…/templates`, those at home, ours."""
    found = [place for base in (cwd, os.path.expanduser("~")) for place in _templates_of(os.path.join(base, _FOLDER))]
    return tuple(dict.fromkeys((*found, _PACKAGED)))


def personas(cwd: str) -> list[FoundPersona]:
    """Every persona of the search path. One in a folder of `templates` is named with it: `task/editor`."""
    found: list[FoundPersona] = []
    names: set[str] = set()
    for directory in search_path(cwd):
        for name, path in _in(directory):
            found.append(FoundPersona(name, path, name in names))
            names.add(name)
    return found


def find_persona(name: str, cwd: str) -> str | None:
    """The file of a persona by its name (`editor`, `task/editor`), or None where the search path has none."""
    asked = name.removesuffix(SUFFIX).replace(os.sep, "/")
    every = personas(cwd)
    own = (each.path for each in every if each.name == asked)
    inner = (each.path for each in every if each.name.rpartition("/")[2] == asked)
    return next(own, None) or next(inner, None)


def is_persona(path: str) -> bool:
    """Whether a path is one of a persona: a JSON file in `templates`, or in a folder of it, below `.shaft`."""
    parts = os.path.normpath(path).split(os.sep)
    if not parts[-1].endswith(SUFFIX) or _FOLDER not in parts:
        return False
    below = parts[len(parts) - parts[::-1].index(_FOLDER) : -1]
    return _TEMPLATES in below and len(below) - below.index(_TEMPLATES) <= 2


def _templates_of(top: str) -> Iterator[str]:
    """`templates` itself, then that of each folder by name."""
    if os.path.isdir(own := os.path.join(top, _TEMPLATES)):
        yield own
    for name in _names(top):
        if name != _TEMPLATES and os.path.isdir(inner := os.path.join(top, name, _TEMPLATES)):
            yield inner


def _in(directory: str) -> Iterator[tuple[str, str]]:
    for name in _names(directory):
        path = os.path.join(directory, name)
        if name.endswith(SUFFIX) and os.path.isfile(path):
            yield name.removesuffix(SUFFIX), path
        elif os.path.isdir(path):
            for inner in _names(path):
                if inner.endswith(SUFFIX) and os.path.isfile(os.path.join(path, inner)):
                    yield f"{name}/{inner.removesuffix(SUFFIX)}", os.path.join(path, inner)


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []
