"""One entry of a list: what is broken, and the exact place of the fault."""

from __future__ import annotations

import pytest

from rules_lsp.policy.entries import checked_entry
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.source.text import Span


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("github/get_issue", "allowed_tools"),
        ("Azure MCP/documentation", "denied_tools"),
        ("*", "allowed_tools"),
        ("src/**", "file_patterns.include"),
        ("!src/**", "file_patterns.include"),
        ("!x", "file_patterns.exclude"),
        ("{a", "file_patterns.exclude"),
        ("a b", "file_patterns.exclude"),
    ],
)
def test_a_sound_entry(text: str, name: ListName) -> None:
    span = Span(5, 5 + len(text))
    assert checked_entry(text, span, name, 3) == (Entry(text, span, name, 3), None)


@pytest.mark.parametrize(
    ("text", "name", "code", "place"),
    [
        ("Write files", "denied_tools", "malformed-tool-name", Span(5, 16)),
        ("a/b\nc/d", "denied_tools", "malformed-tool-name", Span(5, 12)),
        ("a/b\r", "allowed_tools", "malformed-tool-name", Span(5, 9)),
        ("src/[ab", "file_patterns.include", "invalid-glob", Span(9, 10)),
        ("!src/[ab", "file_patterns.exclude", "invalid-glob", Span(10, 11)),
        ("src/{a,b", "file_patterns.exclude", "invalid-glob", Span(9, 10)),
        ("a\nb", "file_patterns.exclude", "invalid-glob", Span(6, 7)),
    ],
)
def test_a_broken_entry_and_its_place(text: str, name: ListName, code: str, place: Span) -> None:
    entry, problem = checked_entry(text, Span(5, 5 + len(text)), name, 0)
    assert problem is not None
    assert (problem.code, problem.span, problem.severity) == (code, place, "error")
    assert entry.broken == problem.message


def test_the_place_is_the_whole_span_where_the_document_spells_the_text_otherwise() -> None:
    problem = checked_entry("src/[ab", Span(5, 20), "file_patterns.include", 0)[1]
    assert problem is not None
    assert problem.span == Span(5, 20)
