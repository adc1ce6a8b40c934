"""The lists of one section while it is read: entries, and whether anything readable stood in each part of it."""

from __future__ import annotations

from collections.abc import Callable

from rules_lsp.policy.entries import DENYING_LISTS, TOOL_LISTS, broken_entry, checked_entry, shown
from rules_lsp.policy.markdown.items import Candidate
from rules_lsp.policy.model import Entry, ListName, RuleList
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass, field
from rules_lsp.source.text import Span

Report = Callable[[Problem], None]
_OTHER_LIST: dict[ListName, str] = {
    "allowed_tools": "Denied Tools",
    "denied_tools": "Allowed Tools",
    "file_patterns.include": "Exclude",
    "file_patterns.exclude": "Include",
}
BELOW_ANOTHER_NAME = "stands under a line that names another section"
"""The negation of an entry below a line such as `**Denied Tools**`, which is no heading and reported as such."""


@dataclass(frozen=True, slots=True)
class MarkdownEntry:
    """An entry and how it stands in the document.

    `item` is the list item, the row or the code block around it, `quoted` whether it stands in code marks, `negation`
    why it allows nothing although it stands in an allowing list, or None. A negated entry is in no `RuleList`.
    """

    entry: Entry
    item: Span
    quoted: bool
    negation: str | None = None


@dataclass(slots=True)
class ListBuilder:
    """One list of one section; `span` is what specifies it."""

    name: ListName
    span: Span
    report: Report
    known_servers: frozenset[str]
    entries: list[Entry] = field(default_factory=list)
    outline: list[MarkdownEntry] = field(default_factory=list)
    broken: str | None = None

    @property
    def denying(self) -> bool:
        """Whether entries of this list deny."""
        return self.name in DENYING_LISTS

    def add(self, candidate: Candidate, item: Span, negation: str | None = None) -> None:
        """Take an entry; one that an allowing list must not take is reported and kept in the outline alone."""
        if candidate.struck and negation is None:
            negation = "is struck out"
        if negation is not None and not self.denying:
            entry = Entry(candidate.text, candidate.span, self.name, len(self.entries))
            self.negate(entry, item, candidate.quoted, negation)
            return
        readings = candidate.readings if self.denying else candidate.readings[:1]
        checked = [self._checked(candidate, text, span) for text, span in readings]
        sound = [pair for pair in checked if pair[0].broken is None]
        for entry, problem in sound or checked[:1]:
            self.put(entry, item, candidate.quoted)
            if problem is not None:
                self.report(problem)

    def put(self, entry: Entry, item: Span, quoted: bool) -> None:
        """Append an entry under the next index."""
        entry = Entry(entry.text, entry.span, self.name, len(self.entries), entry.broken)
        self.entries.append(entry)
        self.outline.append(MarkdownEntry(entry, item, quoted))

    def negate(self, entry: Entry, item: Span, quoted: bool, negation: str) -> None:
        """Report an entry that says no in an allowing list."""
        advice = "put the words behind ` - `, or move it" if negation.startswith("has the word") else "move it"
        message = f"`{shown(entry.text)}` {negation} and is not allowed: {advice} to `{_OTHER_LIST[self.name]}`"
        data = {"value": entry.text, "target": _OTHER_LIST[self.name]}
        if negation == BELOW_ANOTHER_NAME:
            data["below"] = "another-name"
        self.report(Problem("negated-entry", message, entry.span, data=data))
        self.outline.append(MarkdownEntry(entry, item, quoted, negation))

    def done(self) -> RuleList:
        """The list as rules know it."""
        return RuleList(self.name, self.span, tuple(self.entries), self.broken)

    def _checked(self, candidate: Candidate, text: str, span: Span) -> tuple[Entry, Problem | None]:
        index = len(self.entries)
        code = "malformed-tool-name" if self.name in TOOL_LISTS else "invalid-glob"
        if not candidate.quoted and (message := self._unquoted_fault(text, candidate.unclear)) is not None:
            return broken_entry(text, span, self.name, index, code, message)
        return checked_entry(text, span, self.name, index)

    def _unquoted_fault(self, text: str, unclear: bool) -> str | None:
        if unclear and not self.denying:
            return f"Markdown takes a part of `{shown(text)}` for emphasis: put the entry in backticks"
        if " " not in text:
            return None
        if self.name not in TOOL_LISTS:
            return f"`{shown(text)}` is no pattern but a phrase: put the pattern in backticks, or remove the item"
        server = text.rpartition("/")[0]
        if not server:
            return f"`{shown(text)}` is no tool name but a phrase: write `server/tool` in backticks, or remove the item"
        if " " in server and server.casefold() not in self.known_servers:
            return f"no server `{shown(server)}` is known: put the entry in backticks if that is its name"
        return None
