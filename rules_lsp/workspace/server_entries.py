"""Where server files keep their servers: the table of files, and the names that a document holds.

Keys that hold servers have a mapping by name below them, a list of entries that name themselves, or (Agent Zero's
settings) a text that holds such JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules_lsp.workspace.located import MAX_PATH, VALUE, LocatedDocument, Path
from rules_lsp.workspace.located_json import read_json
from rules_lsp.workspace.servers import CONFIG_FILE, SERVER_FILES

NAME_KEYS = ("mcp_server_name", "name", "server_name")
"""The keys of a list's entry that hold the server's name, the surest first."""

_WRAPPERS = ("mcpServers", "servers")


class NamedServer(NamedTuple):
    """A server's name, what is configured for it, and the path of the name."""

    name: str
    entry: object
    path: Path


def read_document(file_name: str, text: str) -> LocatedDocument:
    """Parse a server file by the ending of its name; never raises."""
    if not text.strip():
        return LocatedDocument(text)
    # Each parser is loaded when the first file of its kind appears.
    if file_name.endswith(".toml"):
        from rules_lsp.workspace.located_toml import read_toml

        return read_toml(text)
    if file_name.endswith(".yaml"):
        from rules_lsp.workspace.located_yaml import read_yaml

        return read_yaml(text)
    return read_json(text)


def named_servers(file_name: str, value: object) -> Iterator[NamedServer]:
    """Every server that a file's document names, in its order."""
    for path, container in containers(file_name, value):
        yield from servers_in(container, path)


def containers(file_name: str, value: object) -> Iterator[tuple[Path, object]]:
    """What stands under the keys of a file that hold servers, with its path; keys without a value are left out."""
    keys = SERVER_FILES[file_name]
    if file_name == CONFIG_FILE:
        yield from _containers_below(value, keys, ())
    elif isinstance(value, dict):
        yield from (((key,), value[key]) for key in keys if value.get(key) is not None)
    elif isinstance(value, list) and file_name.startswith(".a0proj/"):
        yield (), value


def servers_in(container: object, path: Path) -> Iterator[NamedServer]:
    """The servers of a container at a path."""
    if len(path) >= MAX_PATH:
        return
    if isinstance(container, str) and VALUE not in path:
        # The JSON in a text has no places of its own: the text's key stands for all of it.
        value = read_json(container).value
        yield from (NamedServer(found.name, found.entry, path) for found in servers_in(value, (*path, VALUE)))
    elif isinstance(container, dict):
        inner = inner_container(container, path)
        if inner is not None:
            yield from servers_in(*inner)
            return
        only_mappings = path[-1:] == ("mcp",)
        for name, entry in container.items():
            if _is_name(name) and may_be_entry(entry) and (isinstance(entry, dict) or not only_mappings):
                yield NamedServer(name, entry, (*path, name))
    elif isinstance(container, list):
        yield from _listed(container, path)


def inner_container(container: dict[str, object], path: Path) -> tuple[dict[str, object] | list[object], Path] | None:
    """What holds the servers of a mapping that wraps it (`{"mcp": {"servers": …}}`), with its path, or None."""
    for wrapper in _WRAPPERS:
        inner = container.get(wrapper)
        if isinstance(inner, dict | list) and not _is_launch(inner):
            return inner, (*path, wrapper)
    return None


def may_be_entry(entry: object) -> bool:
    """Whether a value under a name may configure a server: a switch or a number does not."""
    return entry is None or isinstance(entry, dict | list | str)


def _listed(container: list[object], path: Path) -> Iterator[NamedServer]:
    for index, item in enumerate(container):
        if isinstance(item, str) and _is_name(item):
            yield NamedServer(item, None, (*path, index, VALUE))
        elif isinstance(item, dict):
            key = next((key for key in NAME_KEYS if _is_name(item.get(key))), None)
            if key is not None:
                yield NamedServer(item[key], item, (*path, index, key, VALUE))


def _containers_below(value: object, keys: tuple[str, ...], path: Path) -> Iterator[tuple[Path, object]]:
    if len(path) >= MAX_PATH:
        return
    if isinstance(value, dict):
        for key, child in value.items():
            if key not in keys:
                yield from _containers_below(child, keys, (*path, key))
            elif child is not None:
                yield (*path, key), child
    elif isinstance(value, list):
        if any(isinstance(item, dict) and NAME_KEYS[0] in item for item in value):
            yield path, value
            return
        for index, child in enumerate(value):
            yield from _containers_below(child, keys, (*path, index))


def _is_launch(entry: object) -> bool:
    """Whether a mapping configures one server and is no mapping of servers: a server may be named `servers`."""
    return isinstance(entry, dict) and any(isinstance(entry.get(key), str | list) for key in ("command", "url"))


def _is_name(name: object) -> bool:
    # Half of a surrogate pair is in no name that can be asked about.
    return isinstance(name, str) and name != "" and not any("\ud800" <= character <= "\udfff" for character in name)
