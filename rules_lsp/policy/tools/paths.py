"""The files that a tool call touches: the package's table of path arguments, and the rule file's own.

The table is `data/tool_paths.json`: groups of tools with the arguments that hold their paths. A tool is `server/tool`
(wildcards allowed) or a built-in tool's bare name. An argument has
- `argument`: its spellings as argument paths; every one that is present counts;
- `operation`: `read`, `write`, `create`, `delete` or `rename`;
- `optional`: true if a call may leave it out, or leave it empty;
- `newPath`: for `rename`, the keys beside it that hold the new path;
- `operationOf`: a key beside it whose value decides the operation, as `{"key": ..., "values": {value: operation}}`;
- `patch`: true if the argument is a patch whose file headers name the paths.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice

from rules_lsp.policy.tools.argument_paths import (
    ArgumentPath,
    Found,
    UnreadableArguments,
    argument_path_problem,
    kind_of,
    parse_argument_path,
    paths_at,
)
from rules_lsp.policy.tools.entries import spelled_patterns
from rules_lsp.policy.tools.names import fold, folded_readings, split_name
from rules_lsp.policy.tools.patch_text import patched_files
from rules_lsp.policy.tools.patterns import ToolIndex
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Touched", "TouchedPath", "argument_path_problem", "touched_paths"]

_MAX_PATHS = 10_000
_TABLE = os.path.join(os.path.dirname(__file__), "data", "tool_paths.json")


@dataclass(frozen=True, slots=True)
class TouchedPath:
    """A path that a call touches, as written; `new_path` is set for `rename`; `argument` is where it stands."""

    path: str
    operation: str
    new_path: str | None
    argument: str


@dataclass(frozen=True, slots=True)
class Touched:
    """The paths of a call in the order of the call.

    `checked` is whether they are known to be all that the call names. `problem` says why the arguments cannot be
    read, or is None; there are no paths then, and the call is an invalid request.
    """

    checked: bool
    paths: tuple[TouchedPath, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _PathArgument:
    alternatives: tuple[ArgumentPath, ...]
    operation: str = "write"
    optional: bool = False
    new_path: tuple[ArgumentPath, ...] = ()
    operation_key: str | None = None
    operations: tuple[tuple[str, str], ...] = ()
    patch: bool = False


_Extra = tuple[tuple[str, tuple[str, ...]], ...]
_Ordered = tuple[tuple[int, ...], TouchedPath]


def touched_paths(name: str, arguments: object, extra: Mapping[str, tuple[str, ...]]) -> Touched:
    """The paths that a call of a tool touches. Any value may be given as `arguments`; None asks about no call.

    `extra` is the rule file's `x-tool-paths`: tool to argument paths, all of which are required and written to. The
    name is read as for denying, and the arguments of every reading count.
    """
    if arguments is None:
        return Touched(False)
    if not isinstance(arguments, Mapping):
        return Touched(False, problem=f"the arguments of a tool must be an object and are {kind_of(arguments)}")
    try:
        known = _known_arguments(name, tuple(extra.items()))
        if known is None:
            return Touched(False)
        found = list(islice(_all_paths(known, arguments), _MAX_PATHS + 1))
    except UnreadableArguments as problem:
        return Touched(False, problem=str(problem))
    if len(found) > _MAX_PATHS:
        return Touched(False, problem=f"the call names more than {_MAX_PATHS} paths")
    found.sort(key=lambda ordered: ordered[0])
    return Touched(True, tuple(dict.fromkeys(path for _, path in found)))


@lru_cache(maxsize=512)
def _known_arguments(name: str, extra: _Extra) -> tuple[_PathArgument, ...] | None:
    readings = folded_readings(name)
    index, groups = _package_table()
    own_index = _index_of(extra)
    matching = [groups[number] for reading in readings for number in index.find(reading)]
    own = [extra[number][1] for reading in readings for number in own_index.find(reading)]
    if not matching and not own:
        return None
    required = [_required_argument(path) for paths in own for path in paths]
    return tuple(dict.fromkeys([*(argument for arguments in matching for argument in arguments), *required]))


def _all_paths(known: Iterable[_PathArgument], arguments: Mapping[object, object]) -> Iterator[_Ordered]:
    for argument in known:
        for found in paths_at(arguments, argument.alternatives, not argument.optional):
            if argument.patch:
                yield from _paths_of_patch(found)
            elif found.value or not argument.optional:
                yield from _paths_of_text(argument, found)


def _paths_of_text(argument: _PathArgument, found: Found) -> Iterator[_Ordered]:
    value = None if argument.operation_key is None else found.holder.get(argument.operation_key)
    operation = next((name for text, name in argument.operations if text == value), argument.operation)
    if operation != "rename":
        yield found.order, TouchedPath(found.value, operation, None, found.argument)
        return
    for new in paths_at(found.holder, argument.new_path, True):
        yield found.order, TouchedPath(found.value, operation, new.value, found.argument)


def _paths_of_patch(found: Found) -> Iterator[_Ordered]:
    files = patched_files(found.value)
    if not files:
        raise UnreadableArguments(f"the patch in the argument `{found.argument}` names no file")
    for index, file in enumerate(files):
        yield (*found.order, index), TouchedPath(file.path, file.operation, file.new_path, found.argument)


@cache
def _package_table() -> tuple[ToolIndex, list[tuple[_PathArgument, ...]]]:
    with open(_TABLE, encoding="utf-8") as table:
        groups = json.load(table)
    index = ToolIndex()
    for number, group in enumerate(groups):
        for tool in group["tools"]:
            server, name = split_name(fold(tool))
            index.add((server, name), number)
    return index, [tuple(_path_argument(argument) for argument in group["arguments"]) for group in groups]


def _path_argument(described: Mapping[str, Any]) -> _PathArgument:
    decided: Mapping[str, Any] = described.get("operationOf", {})
    return _PathArgument(
        alternatives=tuple(map(parse_argument_path, described["argument"])),
        operation=described.get("operation", "write"),
        optional=described.get("optional", False),
        new_path=tuple(map(parse_argument_path, described.get("newPath", ()))),
        operation_key=decided.get("key"),
        operations=tuple(decided.get("values", {}).items()),
        patch=described.get("patch", False),
    )


@lru_cache(maxsize=8)
def _index_of(extra: _Extra) -> ToolIndex:
    index = ToolIndex()
    for number, (tool, _) in enumerate(extra):
        for pattern in spelled_patterns(fold(tool)):
            index.add(pattern, number)
    return index


def _required_argument(path: str) -> _PathArgument:
    if (problem := argument_path_problem(path)) is not None:
        raise UnreadableArguments(f"in `x-tool-paths` {problem}")
    return _PathArgument((parse_argument_path(path),))
