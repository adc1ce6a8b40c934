"""Where a server or a tool is named: in the entries of rule files, in `x-tool-paths`, in server files.

A name is compared as the engine compares it: exactly in what allows and in server files, folded in what denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules_lsp.checks.common.kinds import SERVER_KINDS
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.written import is_tool, tool_parts, written_entries
from rules_lsp.policy.entries import DENYING_LISTS
from rules_lsp.policy.model import Entry
from rules_lsp.policy.tools.names import canonical_name, fold, split_name
from rules_lsp.policy.tools.patterns import is_wild
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Scalar

_PREFIX = re.compile(r"mcp(?:__|[_.:-])", re.IGNORECASE)
_SEPARATOR = re.compile(r"__|[_.:-]")
TOOL_PATHS = "x-tool-paths"


@dataclass(frozen=True, slots=True)
class ToolName:
    """What is looked for: a server (`tool` is None), a tool of a server, or a built-in tool (`server` is None)."""

    server: str | None
    tool: str | None

    @property
    def text(self) -> str:
        """The name that the cursor stands in."""
        return self.tool if self.tool is not None else self.server or ""


@dataclass(frozen=True, slots=True)
class NamedPart:
    """A part of a text that names a server or a tool. `span` is that part, `entry` what it belongs to, if an entry."""

    name: ToolName
    span: Span
    denying: bool
    entry: Entry | None = None
    key: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place of a name in a file. `declares` tells whether a server is configured there; else `subject` is the file's.

    What configures a server has the place of the nearest key above it where it has none of its own.
    """

    name: str
    path: str
    text: Text
    span: Span
    declares: bool
    part: NamedPart | None = None
    subject: Subject | None = None


def name_at(files: ProjectFiles, subject: Subject, offset: int) -> NamedPart | None:
    """The server or tool under a cursor in a rule file or a server file; None where none is named."""
    if subject.kind in SERVER_KINDS or subject.neighbour is not None:
        return next((part for part in server_parts(files, subject) if offset in part.span), None)
    touched = [part for part in named_parts(subject, files.servers) if offset in part.span]
    if not touched:
        return None
    part = touched[-1]
    if part.denying and part.name.server is not None:
        # What denies may write a server in any case: the configured one is meant.
        spelled = next((name for name in files.servers if fold(name) == fold(part.name.server)), part.name.server)
        return NamedPart(ToolName(spelled, part.name.tool), part.span, part.denying, part.entry, part.key)
    return part


def occurrences(files: ProjectFiles, name: ToolName) -> Iterator[Occurrence]:
    """Every place of a name in the files of a project: server files first, then rule files, each in its order."""
    if name.tool is None:
        for file in files.server_files:
            for server in file.servers:
                if server.name == name.server:
                    yield Occurrence(server.name, files.path_of(file), file.text, server.span, declares=True)
    for subject in files.rule_files:
        for part in occurrences_in(subject, name, files.servers):
            path = subject.path or subject.name
            yield Occurrence(part.name.text, path, subject.text, part.span, False, part, subject)


def occurrences_in(subject: Subject, name: ToolName, servers: tuple[str, ...]) -> Iterator[NamedPart]:
    """The places of a name in one rule file."""
    return (part for part in named_parts(subject, servers) if _is_named(part, name))


def server_parts(files: ProjectFiles, subject: Subject) -> Iterator[NamedPart]:
    """The servers that one server file configures."""
    path = subject.path
    for file in files.server_files:
        if path is not None and files.policy.root.relative(path) == file.name:
            yield from (NamedPart(ToolName(server.name, None), server.span, False) for server in file.servers)


def named_parts(subject: Subject, servers: tuple[str, ...]) -> Iterator[NamedPart]:
    """Every part of a rule file that names one server or one tool, in order; parts with wildcards name none."""
    for entry in written_entries(subject):
        if is_tool(entry):
            yield from _parts_of_entry(subject, entry, servers)
    root = subject.nodes.root
    for key, value in root.pairs if isinstance(root, Mapping) else ():
        if isinstance(key, Scalar) and key.value == TOOL_PATHS and isinstance(value, Mapping):
            for tool, _ in value.pairs:
                if isinstance(tool, Scalar) and subject.text.slice(tool.span) == tool.value:
                    yield from _parts_of_name(tool.value, tool.span.start, False, servers, key=tool)


def _parts_of_entry(subject: Subject, entry: Entry, servers: tuple[str, ...]) -> Iterator[NamedPart]:
    parts = tool_parts(subject, entry)
    if parts is None:
        return
    start = parts.tool.start if parts.server is None else parts.server.start
    text = subject.text.slice(Span(start, parts.tool.end))
    yield from _parts_of_name(text, start, entry.list in DENYING_LISTS, servers, entry=entry)


def _parts_of_name(
    text: str,
    start: int,
    denying: bool,
    servers: tuple[str, ...],
    *,
    entry: Entry | None = None,
    key: Scalar | None = None,
) -> Iterator[NamedPart]:
    server, tool = split_name(text)
    at = len(text) - len(tool)
    if server is None:
        found = _host_spelling(text, servers)
        if found is not None:
            first, length, at = found
            server, tool = text[first : first + length], text[at:]
            start, at = start + first, at - first
        elif denying and any(fold(name) == fold(text) for name in servers):
            yield NamedPart(ToolName(text, None), Span(start, start + len(text)), denying, entry, key)
            return
    if server is not None and not is_wild(server):
        yield NamedPart(ToolName(server, None), Span(start, start + len(server)), denying, entry, key)
    if not is_wild(tool):
        yield NamedPart(ToolName(server, tool), Span(start + at, start + at + len(tool)), denying, entry, key)


def _host_spelling(text: str, servers: tuple[str, ...]) -> tuple[int, int, int] | None:
    """Of a host's spelling where the server begins, how long it is, and where the tool begins; None for another."""
    prefix = _PREFIX.match(text)
    for begin in (prefix.end(), 0) if prefix is not None else (0,):
        for server in sorted(servers, key=len, reverse=True):
            separator = _SEPARATOR.match(text, begin + len(server))
            if fold(text[begin : begin + len(server)]) == fold(server) and separator and separator.end() < len(text):
                return begin, len(server), separator.end()
    only, tool = canonical_name(text)
    return None if only is None else (len("mcp__"), len(only), len(text) - len(tool))


def _is_named(part: NamedPart, name: ToolName) -> bool:
    if (part.name.tool is None) is not (name.tool is None):
        return False
    return _same(part.name.server, name.server, part.denying) and _same(part.name.tool, name.tool, part.denying)


def _same(one: str | None, other: str | None, folded: bool) -> bool:
    if one is None or other is None:
        return one is other
    return fold(one) == fold(other) if folded else one == other
