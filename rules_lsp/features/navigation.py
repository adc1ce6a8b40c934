"""Where a name leads: a tool to its server, a pattern to its file or directory, a rule file to the one in force."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rules_lsp.checks.common.kinds import SERVER_KINDS
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.tool_occurrences import ToolName, name_at, occurrences, occurrences_in
from rules_lsp.features.view import View
from rules_lsp.features.written import is_tool, tool_parts, written_entries
from rules_lsp.policy.config import Config
from rules_lsp.policy.entries import DENYING_LISTS
from rules_lsp.policy.glob import Alternative, Name
from rules_lsp.policy.model import Entry
from rules_lsp.policy.patterns import read_pattern
from rules_lsp.policy.tools.names import fold
from rules_lsp.policy.tools.patterns import Wildcard
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

_START = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file; `text` is what its span counts in, None where it is the beginning of a file or a directory."""

    path: str
    span: Span = _START
    text: Text | None = None


def definitions(view: View, files: ProjectFiles, offset: int) -> tuple[Place, ...]:
    """Where the thing at an offset is defined; empty where that is not known."""
    subject = view.subject
    part = name_at(files, subject, offset)
    if part is not None and part.name.server is not None:
        return tuple(_servers(files, ToolName(part.name.server, None)))
    entry = subject.entry_at(Span(offset, offset))
    if entry is not None:
        return tuple(_servers_of(subject, files, entry) if is_tool(entry) else _file_of(view, files, entry))
    named = _named_rule_file(subject, offset)
    if named is not None:
        path = files.absolute(named)
        return (Place(path),) if os.path.isfile(path) else ()
    return _in_force(view, files, offset)


def references(view: View, files: ProjectFiles, offset: int, *, declarations: bool = True) -> tuple[Place, ...]:
    """Every place of the server or tool at an offset; `declarations` are those that configure a server."""
    part = name_at(files, view.subject, offset)
    if part is None:
        return ()
    found = occurrences(files, part.name)
    return tuple(Place(each.path, each.span, each.text) for each in found if declarations or not each.declares)


def highlights(view: View, files: ProjectFiles, offset: int) -> tuple[Span, ...]:
    """The places of the document that name the same server or tool, or hold the same pattern, as an offset."""
    subject = view.subject
    part = name_at(files, subject, offset)
    if part is not None and subject.kind in SERVER_KINDS:
        here = (each for each in occurrences(files, part.name) if each.declares and each.text.content == _text(subject))
        return tuple(each.span for each in here)
    if part is not None:
        return tuple(dict.fromkeys(each.span for each in occurrences_in(subject, part.name, files.servers)))
    entry = subject.entry_at(Span(offset, offset))
    if entry is None:
        return ()
    same = (each.span for each in written_entries(subject) if each.text == entry.text)
    return tuple(dict.fromkeys(same))


def _text(subject: Subject) -> str:
    return subject.text.content


def _servers(files: ProjectFiles, name: ToolName) -> Iterator[Place]:
    return (Place(each.path, each.span, each.text) for each in occurrences(files, name) if each.declares)


def _servers_of(subject: Subject, files: ProjectFiles, entry: Entry) -> Iterator[Place]:
    """The servers that an entry takes; `*` takes all, and leads nowhere."""
    parts = tool_parts(subject, entry)
    if parts is None or parts.server is None:
        return
    pattern = subject.text.slice(parts.server)
    folded = entry.list in DENYING_LISTS
    wildcard = Wildcard(fold(pattern) if folded else pattern)
    if not pattern.strip("*"):
        return
    for server in files.servers:
        if wildcard.matches(fold(server) if folded else server):
            yield from _servers(files, ToolName(server, None))


def _file_of(view: View, files: ProjectFiles, entry: Entry) -> Iterator[Place]:
    """The file that a pattern names, else the deepest directory that all it matches lies in."""
    glob = read_pattern(entry.text, entry.list).glob
    if glob is None or entry.broken is not None:
        return
    literal = glob.literal_path
    if literal is None and len(glob.alternatives) == 1 and glob.alternatives[0].anchored:
        literal = "/".join(_leading_names(glob.alternatives[0]))
    if not literal:
        return
    known = view.subject.files
    path = files.absolute(literal)
    if os.path.lexists(path) if known is None else literal in known.names:
        yield Place(path)
    elif known is not None and not glob.anchored:
        # A name without a slash is one at every depth.
        found = known.deeper_file(literal) or known.deeper_directory(literal)
        if found is not None:
            yield Place(files.absolute(found))


def _leading_names(form: Alternative) -> Iterator[str]:
    for segment in form.segments:
        if not isinstance(segment, Name) or not segment.literal:
            return
        yield segment.literal


def _named_rule_file(subject: Subject, offset: int) -> str | None:
    """The rule file that a configuration's order names at an offset."""
    if not isinstance(subject.reading, Config):
        return None
    entries = subject.reading.rule_files
    return next((entry.name for entry in entries if entry.span is not None and offset in entry.span), None)


def _in_force(view: View, files: ProjectFiles, offset: int) -> tuple[Place, ...]:
    """From the first line of a file that another one switches off, that other one."""
    above = view.saved.rule_file
    superseded = view.subject.error is None and view.not_in_force is not None
    if above is None or not superseded or view.subject.text.line_of(offset) != 0:
        return ()
    return (Place(files.absolute(above.name)),)
