"""What is wrong with the shape of a server file that parses: something else stands where servers belong."""

from __future__ import annotations

from rules_lsp.source.problem import Problem, Severity
from rules_lsp.source.text import Span, Text
from rules_lsp.workspace.located import LocatedDocument, Path
from rules_lsp.workspace.located_json import read_json
from rules_lsp.workspace.server_entries import NAME_KEYS, containers, inner_container
from rules_lsp.workspace.servers import CONFIG_FILE, OF_AGENT_ZERO, SETTINGS_FILES

_NO_OBJECT = "the file must hold an object with the servers below a key"
_NO_MAPPING = "must be a mapping of servers by name"
_NO_ENTRY = "must be a mapping with a command or an address"
_NO_NAME = f"each server of its list must be a mapping with its name under `{NAME_KEYS[0]}`"


def wrong_shapes(file_name: str, document: LocatedDocument, most: int) -> list[Problem]:
    """The faults of a document that parses, in its order, at most `most` for each container."""
    value = document.value
    found = list(containers(file_name, value))
    if not found and not isinstance(value, dict) and not _may_be_empty(file_name, document):
        return [server_problem(_NO_OBJECT, Text(document.text).line_span(0))]
    problems: list[Problem] = []
    for path, container in found:
        problems += _in_container(file_name, container, path, document, most)
    return problems


def server_problem(message: str, span: Span, severity: Severity = "error") -> Problem:
    """A fault of a server file."""
    return Problem("server-file", message, span, severity)


def _may_be_empty(file_name: str, document: LocatedDocument) -> bool:
    """Whether a file without a value is one: a host's settings may be empty, a list of servers may not."""
    nothing = document.value is None and (not document.text.strip() or file_name.endswith(".yaml"))
    return file_name == CONFIG_FILE or (nothing and file_name in SETTINGS_FILES)


def _in_container(file_name: str, container: object, path: Path, document: LocatedDocument, most: int) -> list[Problem]:
    place = document.span(path)
    if isinstance(container, str):
        if file_name in OF_AGENT_ZERO and (not container.strip() or _holds_servers(container)):
            return []
    elif isinstance(container, list):
        if all(map(_names_itself, container)):
            return []
        return [server_problem(f"`{path[-1]}`: {_NO_NAME}" if path else _NO_NAME, place)]
    elif isinstance(container, dict):
        return _wrong_entries(file_name, container, path, document)[:most]
    return [server_problem(f"`{path[-1]}` {_NO_MAPPING}", place)]


def _wrong_entries(
    file_name: str, container: dict[str, object], path: Path, document: LocatedDocument
) -> list[Problem]:
    inner = inner_container(container, path)
    if inner is not None:
        return _in_container(file_name, inner[0], inner[1], document, len(container))
    if path[-1:] == ("mcp",) and file_name not in SETTINGS_FILES:
        # Beside the servers there are settings of the host.
        return []
    return [
        server_problem(f"`{key}` {_NO_ENTRY}", document.span((*path, key)), "warning")
        for key, entry in container.items()
        if entry is not None and not isinstance(entry, dict)
    ]


def _holds_servers(text: str) -> bool:
    return isinstance(read_json(text).value, dict | list)


def _names_itself(item: object) -> bool:
    if isinstance(item, dict):
        return any(isinstance(item.get(key), str) and item[key] for key in NAME_KEYS)
    return isinstance(item, str) and item != ""
