"""Our entries in JSON files of hosts, which have no room for a mark: what we wrote is noted in a file of our own.

Hosts refuse keys that they do not know (opencode does not start, others read no setting at all), so no mark can stand
in their files. Without the note nothing widens: entries that are not known to be ours stay, and deny.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from rules_lsp.agents.export.marked import Refused
from rules_lsp.workspace.json_edits import CannotEdit, append_to_list, remove_value, render, replace_value
from rules_lsp.workspace.located_json import read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

NOTE = ".rules-lsp/exported.json"
"""The file that says of each host which entries are ours, relative to the root."""
ObjectPath: TypeAlias = "tuple[str, ...]"
_BOM = "\ufeff"


def noted(text: str | None) -> dict[str, list[list[str]]]:
    """The entries of each host in the text of the note; empty where it cannot be read. An entry is a path of keys."""
    value = read_json(text or "").value
    if not isinstance(value, Mapping):
        return {}
    return {
        host: [entry for entry in entries if isinstance(entry, list) and all(isinstance(key, str) for key in entry)]
        for host, entries in value.items()
        if isinstance(host, str) and isinstance(entries, list)
    }


def note_text(entries: Mapping[str, list[list[str]]]) -> str:
    """The text of the note."""
    kept = {host: entries[host] for host in sorted(entries) if entries[host]}
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def with_items(
    text: str | None, path: ObjectPath, items: list[str], ours: list[list[str]]
) -> tuple[str | None, list[list[str]]]:
    """The text with our items in a list of texts at a path, and our entries in it from now on. Raises `Refused`."""
    before = set(map(tuple, ours))
    current = _list_at(_parsed(text), path)
    stale = [item for item in current if (*path, item) in before and item not in items]
    added = [item for item in items if item not in current]
    kept = [[*path, item] for item in items if (*path, item) in before or item in added]
    if text is None or not text.strip():
        return (None if not items else _fresh(path, items)), kept
    try:
        for item in reversed(stale):
            places = [place for place, each in enumerate(_list_at(_parsed(text), path)) if each == item]
            text = remove_value(text, (*path, places[-1]))
        for item in added:
            text = append_to_list(text, path, item)
    except CannotEdit as error:
        raise Refused(str(error)) from None
    return text, kept


def with_members(
    text: str | None, members: dict[ObjectPath, Any], ours: list[list[str]], *, last: bool
) -> tuple[str | None, list[list[str]]]:
    """The text with our members in its objects, and our entries in it from now on. Raises `Refused`.

    `members` maps paths of keys to values. With `last` each must stand behind every member of its object that is not
    ours: hosts obey the last one that matches. A member of another value that is not ours is replaced by ours.
    """
    before = set(map(tuple, ours))
    if text is None or not text.strip():
        return (_fresh_object(members) if members else None), [list(path) for path in members]
    data = _parsed(text)
    foreign = {
        path for path, value in members.items() if path not in before and _has(data, path) and _at(data, path) == value
    }
    try:
        for path in [path for path in before if path not in members and _has(data, path)]:
            text = remove_value(text, path)
        data = _parsed(text)
        for parent in dict.fromkeys(path[:-1] for path in members):
            wanted = {path[-1]: value for path, value in members.items() if path[:-1] == parent}
            held = _at(data, parent)
            if held is not None and not isinstance(held, Mapping):
                raise Refused(f"`{'.'.join(parent)}` is no object")
            standing = _standing(held or {}, wanted, last)
            for key in [key for key in wanted if key in (held or {}) and key not in standing]:
                text = remove_value(text, (*parent, key))
            for key, value in ((key, value) for key, value in wanted.items() if key not in standing):
                text = replace_value(append_to_list(text, (*parent, key), 0), (*parent, key), value)
    except CannotEdit as error:
        raise Refused(str(error)) from None
    return text, [list(path) for path in members if path not in foreign]


def parsed_object(text: str | None) -> Mapping[str, Any]:
    """The object that a file holds, empty where there is no file or nothing in it. Raises `Refused`."""
    return _parsed(text)


def _standing(held: Mapping[str, Any], wanted: dict[str, Any], last: bool) -> frozenset[str]:
    """The wanted members that are held where they may stay: with `last` those with nothing but wanted ones behind."""
    found: set[str] = set()
    for key in reversed(list(held)):
        if key in wanted and held[key] == wanted[key]:
            found.add(key)
        elif last and key not in wanted:
            break
    return frozenset(found)


def _parsed(text: str | None) -> Mapping[str, Any]:
    if text is None or not text.strip():
        return {}
    if text.startswith(_BOM):
        raise Refused("it begins with a byte order mark, which its host may not read")
    read = read_json(text)
    if read.problem is not None:
        raise Refused(read.problem.message)
    if not isinstance(read.value, Mapping):
        raise Refused("it holds no JSON object")
    return read.value


def _at(data: Mapping[str, Any], path: ObjectPath) -> Any:
    value: Any = data
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def _has(data: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    parent = _at(data, path[:-1])
    return isinstance(parent, Mapping) and path[-1] in parent


def _list_at(data: Mapping[str, Any], path: ObjectPath) -> list[str]:
    value = _at(data, path)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Refused(f"`{'.'.join(path)}` is no list")
    return value


def _fresh(path: ObjectPath, value: Any) -> str:
    for key in reversed(path):
        value = {key: value}
    return render(value) + "\n"


def _fresh_object(members: dict[ObjectPath, Any]) -> str:
    top: dict[str, Any] = {}
    for path, value in members.items():
        place = top
        for key in path[:-1]:
            place = place.setdefault(key, {})
        place[path[-1]] = value
    return render(top) + "\n"
