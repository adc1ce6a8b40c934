from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.semantic_tokens import TOKEN_TYPES, semantic_tokens
from rules_lsp.source.text import Span
from tests.features.known import known_view

MARKDOWN = ".coding-agent-rules.md"
SIGNS = {"namespace": "s", "function": "t", "regexp": "w", "string": "n", "operator": "o", "keyword": "!"}


def drawn(root: Path, text: str, name: str = ".coding-agent-rules.yaml") -> str:
    """A sign below each character of the text, a blank where there is no token."""
    view = known_view(root, text, name)
    signs = ["\n" if letter == "\n" else " " for letter in text]
    end = 0
    for token in semantic_tokens(view):
        assert token.span.start >= end
        assert token.span.start < token.span.end
        end = token.span.end
        signs[token.span.start : token.span.end] = SIGNS[token.type] * len(token.span)
    return "".join(signs)


def test_each_type_is_in_the_legend() -> None:
    assert tuple(SIGNS) == TOKEN_TYPES


@pytest.mark.parametrize(
    ("entry", "signs"),
    [
        ("github/get_issue", "ssssssottttttttt"),
        ("'git*/delete_?'", " ssswotttttttw "),
        ("Azure MCP/list", "sssssssssotttt"),
        ('"*"', " w "),
        ("Bash(rm -rf *)", "tttt          "),
        ('"a\\u002fb"', "          "),
        ("😀/a", "sot"),
    ],
)
def test_the_parts_of_tools(tmp_path: Path, entry: str, signs: str) -> None:
    assert drawn(tmp_path, f"denied_tools:\n  - {entry}\n") == f"             \n    {signs}\n"


@pytest.mark.parametrize(
    ("entry", "signs"),
    [
        ("src/**/*.py", "nnnowwownnn"),
        ("'!a/'", " !no "),
        ("/a/b", "onon"),
        ("'[a-z]?.md'", " ooooownnn "),
        ("'*.{ts,tsx}'", " wnonnonnno "),
        ("'a{1..3}b'", " nonnnnon "),
        ("'a\\*b'", " nnnn "),
        ("a,b", "nnn"),
        ("**", "ww"),
        ("a/**", "noww"),
        ("'[a'", "    "),
    ],
)
def test_the_parts_of_patterns(tmp_path: Path, entry: str, signs: str) -> None:
    text = f"file_patterns:\n  include:\n    - {entry}\n"
    assert drawn(tmp_path, text).split("\n")[2] == f"      {signs}"


def test_the_code_marks_of_markdown(tmp_path: Path) -> None:
    lines = (
        "# `a/b`",
        "## Denied Tools",
        "- `github/*` - 😀 `x/y`",
        "- files/read",
        "## File Patterns",
        "- exclude: `a/**`",
    )
    text = "\r\n".join(lines)
    assert [line.rstrip() for line in drawn(tmp_path, text, MARKDOWN).split("\n")[2:]] == [
        "   ssssssow",
        "  sssssotttt",
        "",
        "            noww",
    ]


def test_a_part_of_a_document_and_what_is_whole_in_a_broken_one(tmp_path: Path) -> None:
    text = "denied_tools:\n  - a/b\n  - c/d\nallowed_tools: ['x\n"
    view = known_view(tmp_path, text)
    assert [view.subject.text.slice(token.span) for token in semantic_tokens(view)] == ["a", "/", "b", "c", "/", "d"]
    at = text.index("c/d")
    assert [view.subject.text.slice(token.span) for token in semantic_tokens(view, Span(at, at + 1))] == ["c", "/", "d"]


def test_braces_that_come_to_many_forms_cost_little(tmp_path: Path) -> None:
    text = "file_patterns: {exclude: ['{1..10}{1..10}{1..9}/x']}\n"
    found = semantic_tokens(known_view(tmp_path, text))
    assert found[-1].span == Span(text.index("x']"), text.index("x']") + 1)
