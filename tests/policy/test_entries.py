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
    assert entry.broken is not None
    assert problem.message.startswith(entry.broken)


def test_the_place_is_the_whole_span_where_the_document_spells_the_text_otherwise() -> None:
    problem = checked_entry("src/[ab", Span(5, 20), "file_patterns.include", 0)[1]
    assert problem is not None
    assert problem.span == Span(5, 20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("src/[ab", r"`src/[ab` has a `[` that is never closed: add the `]`, or write `\[` for a plain one"),
        ("src/{a,b", r"`src/{a,b` has a `{` that is never closed: add the `}`, or write `\{` for a plain one"),
        ("[z-a]", "`[z-a]` has the range `z-a`, which is backwards: write `a-z`"),
        (r"[z-\a]", "`[z-\\a]` has the range `z-a`, which is backwards: put its lower end first"),
        ("[[:alhpa:]]", "`[[:alhpa:]]` has `[:alhpa:]`, which is no character class: write `[:alpha:]`"),
        ("[[:vowels:]]", "`[[:vowels:]]` has `[:vowels:]`, which is no character class: write `[:alpha:]` or such"),
        ("a\\", r"`a\` ends in a lone backslash: remove it, or write `\\` for a plain one"),
        ("a" * 1025, f"`{'a' * 59}…` is longer than 1024 characters: shorten it"),
        ("{1..1001}", "`{1..1001}` expands to more than 1000 patterns: write `*`, or several patterns"),
        ("a\nb", "`a b` holds a line break or a null character: write one pattern a line"),
    ],
)
def test_a_broken_pattern_says_what_to_do_and_what_it_denies_until_then(text: str, message: str) -> None:
    span = Span(5, 5 + len(text))
    allowing = checked_entry(text, span, "file_patterns.include", 0)[1]
    denying = checked_entry(text, span, "file_patterns.exclude", 0)[1]
    assert allowing is not None
    assert denying is not None
    assert (allowing.message, denying.message) == (message, f"{message}; until then every file is denied")
