"""The project's server files in full: every server with its place and its launch, and what is wrong with a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache

from rules_lsp.policy.config import SECTION
from rules_lsp.policy.files import FileContent, read_file
from rules_lsp.source.problem import Problem, Severity
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.workspace.located import LocatedDocument, Path
from rules_lsp.workspace.server_entries import containers, may_be_entry, named_servers, read_document
from rules_lsp.workspace.server_launch import Launch, read_launch
from rules_lsp.workspace.servers import CONFIG_FILE, SERVER_FILES, may_name_servers

MAX_SERVERS = 1_000
"""Servers of one file that are read in full; all of their names are known all the same."""

_NO_SERVER = "no server of this file is known until it is repaired"


@dataclass(frozen=True, slots=True)
class ConfiguredServer:
    """A server as one file configures it. `file` is root-relative with `/`, `span` the place of the name in it."""

    name: str
    file: str
    span: Span
    launch: Launch

    @property
    def disabled(self) -> bool:
        """Whether the file switches the server off; its name and tools are known all the same."""
        return self.launch.disabled


@dataclass(frozen=True, slots=True)
class ServerFile:
    """A server file that exists. Spans count in `text`, which is empty where the file is no text."""

    name: str
    text: Text
    servers: tuple[ConfiguredServer, ...]
    problems: tuple[Problem, ...]


def read_server_files(root: str, overlay: Mapping[str, str] | None = None) -> tuple[ServerFile, ...]:
    """The server files of a project in the order of the table; those that do not exist are left out.

    `root` is a real path. `overlay` has the texts of open editors by root-relative name, in place of the files.
    """
    found: list[ServerFile] = []
    for name in SERVER_FILES:
        if overlay is not None and name in overlay:
            content = FileContent(True, overlay[name].encode("utf-8", "surrogatepass"))
        else:
            content = read_file(os.path.join(root, *name.split("/")), root)
        if content.exists and (content.problem is not None or may_name_servers(name, content.data)):
            found.append(_read(name, content))
    return tuple(found)


def server_file_of(path: str) -> str | None:
    """The name of the server file that a path ends in, or None; a `config.yaml` is a configuration first of all."""
    posix = "/" + path.replace(os.sep, "/")
    return next((name for name in SERVER_FILES if name != CONFIG_FILE and posix.endswith(f"/{name}")), None)


def read_server_file(name: str, content: FileContent) -> ServerFile:
    """One server file; `name` is its name in the table."""
    return _read(name, content)


def _read(name: str, content: FileContent) -> ServerFile:
    text, unreadable = content.text()
    if unreadable is None:
        return _parse(name, text)
    # What a `config.yaml` that cannot be read holds is not known to be servers.
    problem = _problem(f"{unreadable}: {_NO_SERVER}", Span(0, 0))
    return ServerFile(name, Text(""), (), () if name == CONFIG_FILE else (problem,))


@lru_cache(maxsize=32)
def _parse(name: str, text: str) -> ServerFile:
    document = read_document(name, text)
    if document.problem is not None:
        if name == CONFIG_FILE and SECTION in text:
            # Whoever reads that section reports the same fault.
            return ServerFile(name, Text(text), (), ())
        problem = _problem(f"{document.problem.message}: {_NO_SERVER}", document.problem.span)
        return ServerFile(name, Text(text), (), (problem,))
    named = list(named_servers(name, document.value))
    servers = tuple(
        ConfiguredServer(found.name, name, document.span(found.path), read_launch(found.entry))
        for found in named[:MAX_SERVERS]
    )
    problems = _wrong_shapes(name, document)
    if len(named) > MAX_SERVERS:
        message = f"the file has {len(named):,} servers: only the first {MAX_SERVERS:,} are looked at"
        problems.append(_problem(message, document.span(named[MAX_SERVERS].path), "warning"))
    return ServerFile(name, Text(text), servers, tuple(problems))


def _wrong_shapes(name: str, document: LocatedDocument) -> list[Problem]:
    """What stands where servers belong and is none."""
    value = document.value
    found = list(containers(name, value))
    if value is not None and not isinstance(value, dict) and not found and name != CONFIG_FILE:
        return [_problem("the file must hold an object with the servers below a key", Text(document.text).line_span(0))]
    problems: list[Problem] = []
    for path, container in found:
        if not isinstance(container, dict | list | str):
            problems.append(_problem(f"`{path[-1]}` must be a mapping of servers by name", document.span(path)))
        elif isinstance(container, dict) and path[-1:] != ("mcp",):
            problems += _wrong_entries(container, path, document)
    return problems


def _wrong_entries(container: dict[str, object], path: Path, document: LocatedDocument) -> list[Problem]:
    return [
        _problem(f"`{key}` must be a mapping with a command or an address", document.span((*path, key)), "warning")
        for key, entry in container.items()
        if not may_be_entry(entry)
    ][:MAX_SERVERS]


def _problem(message: str, span: Span, severity: Severity = "error") -> Problem:
    return Problem("server-file", message, span, severity)
