"""How a configured server is really started or reached, with the values that are kept out of everything that is shown.

A process gets the variables that are configured for it and a few that programs cannot do without, and no others of
this process: what else stands in the environment is none of its business.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rules_lsp.policy.files import read_file
from rules_lsp.source.text import Span
from rules_lsp.workspace.server_entries import named_servers, read_document
from rules_lsp.workspace.server_files import ConfiguredServer
from rules_lsp.workspace.server_launch import raw_words, read_launch
from rules_lsp.workspace.servers import SERVER_FILES, may_name_servers

INHERITED = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE"),
    *("PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"),
    *("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "COMSPEC", "PROCESSOR_ARCHITECTURE"),
)
"""The variables that every server gets if they are set."""

_PLACEHOLDER = re.compile(r"\$\{(?P<name>[^{}]*)\}")
_VARIABLE = re.compile(r"(?:env:)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>.*))?", re.DOTALL)
_ROOT_NAMES = ("workspaceFolder", "workspaceRoot", "CLAUDE_PROJECT_DIR", "PWD")


class CannotStart(Exception):
    """A server cannot be asked as it is configured; the text says why, without any value."""


class Process(NamedTuple):
    """A server that is started: words, the whole environment, the directory. `secrets` must never be shown."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    directory: str
    secrets: tuple[str, ...]


class Address(NamedTuple):
    """A server that is reached by HTTP."""

    url: str
    headers: Mapping[str, str]


class Askable(NamedTuple):
    """A configured server and its entry in the file, as its author wrote it."""

    server: ConfiguredServer
    entry: object


def askable_servers(root: str) -> list[Askable]:
    """Every server of the files of the project at a real path, in their order."""
    return [
        Askable(ConfiguredServer(found.name, name, Span(0, 0), read_launch(found.entry)), found.entry)
        for name, text in _texts(root)
        for found in named_servers(name, read_document(name, text).value)
    ]


def start_of(entry: object, root: str) -> Process | Address:
    """How an entry is asked. Raises `CannotStart`."""
    if not isinstance(entry, dict):
        raise CannotStart("it is configured without a command and without an address")
    launch = read_launch(entry)
    words = raw_words(entry)
    if words and launch.transport in (None, "stdio"):
        environment = _mapping(entry, ("env", "environment"), root)
        directory = entry.get("cwd")
        where = os.path.join(root, _expanded(directory, root)) if isinstance(directory, str) else root
        if not os.path.isdir(where):
            raise CannotStart("its working directory does not exist")
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        secrets = tuple(value for value in environment.values() if value)
        return Process(tuple(_expanded(word, root) for word in words), {**inherited, **environment}, where, secrets)
    if launch.url is None:
        raise CannotStart("it is configured without a command and without an address")
    if launch.transport == "sse":
        raise CannotStart("it speaks the older transport (SSE), which is not asked")
    url = next(entry[key] for key in ("url", "httpUrl", "serverUrl") if isinstance(entry.get(key), str))
    return Address(_expanded(url, root), _mapping(entry, ("headers", "http_headers"), root))


def _mapping(entry: Mapping[str, object], keys: Iterable[str], root: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key in keys:
        values = entry.get(key)
        if isinstance(values, dict):
            found |= {
                str(name): _expanded(value, root) if isinstance(value, str) else str(value)
                for name, value in values.items()
                if isinstance(value, str | int | float) and "\0" not in f"{name}{value}" and name and "=" not in name
            }
    return found


def _expanded(text: str, root: str) -> str:
    """The text with `${NAME}`, `${env:NAME}`, `${NAME:-default}` and the names of the root filled in."""

    def fill(match: re.Match[str]) -> str:
        if match["name"] in _ROOT_NAMES:
            return root
        variable = _VARIABLE.fullmatch(match["name"])
        if variable is None:
            raise CannotStart(f"`{match[0]}` is filled in by its host alone")
        value = os.environ.get(variable["name"], variable["default"])
        if value is None:
            raise CannotStart(f"the variable `{variable['name']}` is not set here")
        return value

    return _PLACEHOLDER.sub(fill, text)


def _texts(root: str) -> Iterator[tuple[str, str]]:
    for name in SERVER_FILES:
        content = read_file(os.path.join(root, *name.split("/")), root)
        text, problem = content.text()
        if content.exists and problem is None and may_name_servers(name, content.data):
            yield name, text
