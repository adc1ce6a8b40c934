"""The way back: how many files of a project each AGENTS.md holds for, by names alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES
from rules_lsp.source.records import dataclass

_AFTER_SLASH = chr(ord("/") + 1)
_ORDER = {name: place for place, name in enumerate(INSTRUCTION_NAMES)}


@dataclass(frozen=True, slots=True)
class Binding:
    """What an instruction file holds for.

    `files` is the number of files in its folder and below, itself left out; 0 where `masked_by` names, root-relative,
    the file that stands in its place. Whether that one can be read is not looked at.
    """

    name: str
    files: int
    masked_by: str | None = None


def binding_of(files: Sequence[str], name: str) -> Binding:
    """The binding of one instruction file. `files` are root-relative POSIX paths, sorted, as an inventory has them."""
    folder, slash, base = name.rpartition("/")
    prefix = folder + slash
    for other in INSTRUCTION_NAMES[: _ORDER.get(base, len(INSTRUCTION_NAMES))]:
        if _holds(files, prefix + other):
            return Binding(name, 0, prefix + other)
    first = bisect_left(files, prefix)
    last = bisect_left(files, folder + _AFTER_SLASH) if folder else len(files)
    return Binding(name, last - first - _holds(files, name))


def bindings(files: Sequence[str]) -> Iterator[Binding]:
    """The binding of every instruction file among sorted files, in their order."""
    names = (path for path in files if path[path.rfind("/") + 1 :] in _ORDER)
    return (binding_of(files, name) for name in names)


def _holds(files: Sequence[str], name: str) -> bool:
    at = bisect_left(files, name)
    return at < len(files) and files[at] == name
