"""One entry of a list: the text that its author wrote becomes an `Entry` that says whether it can be read."""

from __future__ import annotations

from rules_lsp.policy.glob import GlobError, advice_for, parse_glob
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.policy.tools.entries import entry_problem
from rules_lsp.source.excerpt import in_one_line
from rules_lsp.source.problem import Problem
from rules_lsp.source.text import Span

_SHOWN = 60
DENYING_LISTS: frozenset[ListName] = frozenset({"denied_tools", "file_patterns.exclude"})
TOOL_LISTS: frozenset[ListName] = frozenset({"allowed_tools", "denied_tools"})


def checked_entry(text: str, span: Span, list_name: ListName, index: int) -> tuple[Entry, Problem | None]:
    """The entry of a text at a span, and what is wrong with it if it is broken.

    `text` is the entry as its author means it. Its place is the span, and for a fault within a pattern the part of
    the span that holds it, where the document spells the text character by character. A leading `!` of a pattern is
    no fault here.
    """
    if list_name not in TOOL_LISTS:
        return _checked_pattern(text, span, list_name, index)
    message = _tool_fault(text, list_name in DENYING_LISTS)
    if message is None:
        return Entry(text, span, list_name, index), None
    return broken_entry(text, span, list_name, index, "malformed-tool-name", message)


def broken_entry(
    text: str, span: Span, list_name: ListName, index: int, code: str, message: str, place: Span | None = None
) -> tuple[Entry, Problem]:
    """An entry that cannot be read, and the problem at `place`, by default its span."""
    return Entry(text, span, list_name, index, message), Problem(code, message, span if place is None else place)


def shown(text: str) -> str:
    """A text as a message quotes it: one line, no longer than a reader needs."""
    return in_one_line(text, _SHOWN)


def _tool_fault(text: str, denying: bool) -> str | None:
    if "\n" in text or "\r" in text:
        return f"`{shown(text)}` holds a line break: write one entry a line"
    return entry_problem(text, denying)


def _checked_pattern(text: str, span: Span, list_name: ListName, index: int) -> tuple[Entry, Problem | None]:
    """A pattern of a list. What is wrong with it is the entry's; what to do about that is told by the problem."""
    negation = 1 if text.startswith("!") else 0
    found = parse_glob(text[negation:])
    if not isinstance(found, GlobError):
        return Entry(text, span, list_name, index), None
    start, end = found.start + negation, found.end + negation
    exact = len(span) == len(text) and 0 <= start < end <= len(text)
    place = Span(span.start + start, span.start + end) if exact else span
    fault = f"`{shown(text)}` {found.message}"
    meanwhile = "; until then every file is denied" if list_name in DENYING_LISTS else ""
    message = f"{fault}: {advice_for(found, text[negation:])}{meanwhile}"
    return Entry(text, span, list_name, index, fault), Problem("invalid-glob", message, place)
