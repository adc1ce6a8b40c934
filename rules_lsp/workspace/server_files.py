"""The project's server files in full: every server with its place and its launch, and what is wrong with a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache

from rules_lsp.policy.config import SECTION
from rules_lsp.policy.files import FileContent, read_file
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.workspace.server_entries import named_servers, read_document
from rules_lsp.workspace.server_launch import Launch, read_launch
from rules_lsp.workspace.server_shapes import server_problem, wrong_shapes
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
    problem = server_problem(f"{unreadable}: {_NO_SERVER}", Span(0, 0))
    return ServerFile(name, Text(""), (), () if name == CONFIG_FILE else (problem,))


@lru_cache(maxsize=32)
def _parse(name: str, text: str) -> ServerFile:
    document = read_document(name, text)
    if document.problem is not None:
        if name == CONFIG_FILE and SECTION in text:
            # Whoever reads that section reports the same fault.
            return ServerFile(name, Text(text), (), ())
        problem = server_problem(f"{document.problem.message}: {_NO_SERVER}", document.problem.span)
        return ServerFile(name, Text(text), (), (problem,))
    named = list(named_servers(name, document.value))
    servers = tuple(
        ConfiguredServer(found.name, name, document.span(found.path), read_launch(found.entry))
        for found in named[:MAX_SERVERS]
    )
    problems = wrong_shapes(name, document, MAX_SERVERS)
    if len(named) > MAX_SERVERS:
        message = f"the file has {len(named):,} servers: only the first {MAX_SERVERS:,} are looked at"
        problems.append(server_problem(message, document.span(named[MAX_SERVERS].path), "warning"))
    return ServerFile(name, Text(text), servers, tuple(problems))
