"""The entries of a document as they are written: every one of them, and which characters each part takes."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.neighbours import neighbour_features
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.policy.model import Entry
from rules_lsp.policy.tools.lists import argument_form, split_name
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span


@dataclass(frozen=True, slots=True)
class ToolParts:
    """The parts of a tool entry as spans of the document; a bare name has no `server`.

    `arguments` is what stands in brackets behind the name, brackets included.
    """

    server: Span | None
    tool: Span
    arguments: Span | None


def written_entries(subject: Subject) -> tuple[Entry, ...]:
    """Every entry of a document in its order, those of Markdown that allow nothing included."""
    of_kind = neighbour_features(subject.kind).entries
    if of_kind is not None:
        return of_kind(subject)
    reading = subject.reading
    if isinstance(reading, MarkdownRules):
        entries = [each.entry for section in reading.sections for each in section.entries]
    else:
        entries = [entry for rules in subject.shown.lists() for entry in rules.entries]
    return tuple(sorted(entries, key=lambda entry: entry.span))


def is_tool(entry: Entry) -> bool:
    """Whether an entry stands in a list of tools."""
    return entry.list in TOOL_LISTS


def spelled_out(subject: Subject, entry: Entry) -> bool:
    """Whether the document has the text of an entry character by character, without an escape, on one line."""
    return subject.text.slice(entry.span) == entry.text and "\n" not in entry.text


def tool_parts(subject: Subject, entry: Entry) -> ToolParts | None:
    """The parts of a tool entry; None where its text is escaped, or is no tool's name."""
    if not is_tool(entry) or entry.broken is not None or not spelled_out(subject, entry):
        return None
    name = argument_form(entry.text) or entry.text
    if not entry.text.startswith(name):
        return None
    start, end = entry.span.start, entry.span.start + len(name)
    server, tool = split_name(name)
    arguments = Span(end, entry.span.end) if end < entry.span.end else None
    own = None if server is None else Span(start, start + len(server))
    return ToolParts(own, Span(end - len(tool), end), arguments)


def pattern_entries(subject: Subject) -> Iterator[Entry]:
    """The entries that are patterns, in the order of the document."""
    return (entry for entry in written_entries(subject) if not is_tool(entry))
