"""Diagnostics as text: every line is compared as it is printed, so that marks in a wrong column show."""

from __future__ import annotations

import io
import time

import pytest

from rules_lsp.checks import Diagnostic, Fix, RelatedPlace
from rules_lsp.cli.render import Style, printable, rendered, style_for, summary, underlined
from rules_lsp.policy.policy import Document
from rules_lsp.source.text import Span, Text

PLAIN = Style()


def marks(line: str, part: str) -> list[str]:
    start = line.index(part)
    return underlined(Text(f"x\n{line}\n"), Span(start + 2, start + 2 + len(part)), PLAIN, "error")


@pytest.mark.parametrize(
    ("line", "part", "shown"),
    [
        ("deny: x", "deny", ["deny: x", "^^^^"]),
        ("- *.py # x", "*.py", ["- *.py # x", "  ^^^^"]),
        ("\tinclude:", "\t", ["    include:", "^^^^"]),
        ("\tinclude:", "include", ["    include:", "    ^^^^^^^"]),
        ("a\tb\tc", "b", ["a   b   c", "    ^"]),
        ("a\tb\tc", "\tb", ["a   b   c", " ^^^^"]),
        ("- 日本/*.md", "*.md", ["- 日本/*.md", "       ^^^^"]),
        ("- 日本/*.md", "日本", ["- 日本/*.md", "  ^^^^"]),
        ("日\tb", "b", ["日  b", "    ^"]),
        ("e\u0301a [b", "[", ["e\u0301a [b", "   ^"]),
        ("e\u0301a", "e\u0301", ["e\u0301a", "^"]),
        ("👩\u200d💻 x", "x", ["👩\u200d💻 x", "     ^"]),
        ("allowed：\u3000x", "：", ["allowed：\u3000x", "       ^^"]),
        ("a\x1b[31mb", "b", ["a<U+001B>[31mb", "             ^"]),
        ("x\u202ey", "\u202e", ["x<U+202E>y", " ^^^^^^^^"]),
        ("x\xa0y", "y", ["x\xa0y", "  ^"]),
        ("abc", "", ["abc", "^"]),
    ],
)
def test_the_marks_stand_under_the_range(line: str, part: str, shown: list[str]) -> None:
    assert marks(line, part) == shown


def test_a_range_at_the_end_of_a_line_has_one_mark_behind_it() -> None:
    assert underlined(Text("abc\n"), Span(3, 3), PLAIN, "error") == ["abc", "   ^"]


def test_a_range_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    assert underlined(Text("- a: b\n  c: d\n"), Span(2, 13), PLAIN, "error") == ["- a: b", "  ^^^^"]


def test_of_crlf_nothing_is_shown() -> None:
    assert underlined(Text("a [\r\nb\r\n"), Span(2, 5), PLAIN, "error") == ["a [", "  ^"]


def test_an_empty_line_is_not_shown() -> None:
    assert underlined(Text(""), Span(0, 0), PLAIN, "error") == []


def test_of_a_long_line_the_part_around_the_range_is_shown() -> None:
    line = "a" * 500 + "[" + "b" * 500
    shown, under = underlined(Text(line), Span(500, 501), PLAIN, "error")
    assert shown == "… " + "a" * 40 + "[" + "b" * 97 + " …"
    assert under == " " * 42 + "^"


def test_a_range_that_is_longer_than_what_is_shown_is_marked_to_its_end() -> None:
    shown, under = underlined(Text("x" * 300), Span(0, 300), PLAIN, "error")
    assert (shown, under) == ("x" * 140 + " …", "^" * 140)


TEXT = Text("denied_tools: [a]\ndeny_tools: [b]\n")
DIAGNOSTIC = Diagnostic(
    "unknown-key",
    "error",
    "unknown key `deny_tools`: rename it",
    Span(18, 28),
    (RelatedPlace(Span(0, 12), "it is meant here"), RelatedPlace(Span(2, 3), "there", Document("/b", Text("a\nb")))),
    (Fix("rename it", ()), Fix("remove\x1b it", (), safe=False)),
)


def test_a_diagnostic_is_a_place_a_line_related_places_and_fixes() -> None:
    assert list(rendered(DIAGNOSTIC, "rules.yaml", TEXT, PLAIN)) == [
        "rules.yaml:2:1: error[unknown-key] unknown key `deny_tools`: rename it",
        "    deny_tools: [b]",
        "    ^^^^^^^^^^",
        "    rules.yaml:1:1: it is meant here",
        "    /b:2:1: there",
        "    fix: rename it",
        "    fix: remove<U+001B> it (a guess)",
    ]


def test_colours_are_around_the_place_the_label_and_the_marks() -> None:
    lines = list(rendered(DIAGNOSTIC, "r", TEXT, Style(colour=True)))
    assert lines[0] == ("\x1b[1mr:2:1\x1b[0m: \x1b[31merror[unknown-key]\x1b[0m unknown key `deny_tools`: rename it")
    assert lines[2] == "    \x1b[31m^^^^^^^^^^\x1b[0m"
    assert lines[5] == "    \x1b[32mfix:\x1b[0m rename it"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "no_color", "environment", "colour"),
    [
        (Terminal(), False, {"TERM": "xterm"}, True),
        (Terminal(), False, {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Terminal(), False, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), False, {"TERM": "dumb"}, False),
        (Terminal(), True, {"TERM": "xterm"}, False),
        (io.StringIO(), False, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, no_color: bool, environment: dict[str, str], colour: bool
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert style_for(stream, no_color) == Style(colour)


@pytest.mark.parametrize(
    ("severities", "files", "line"),
    [
        ([], 1, "nothing to report in 1 file"),
        (["error"], 1, "found 1 error in 1 file"),
        (["warning", "error", "error"], 2, "found 2 errors and 1 warning in 2 files"),
        (["information", "warning", "error"] * 1000, 1, "found 1,000 errors, 1,000 warnings and 1,000 notes in 1 file"),
    ],
)
def test_the_summary_counts(severities: list[str], files: int, line: str) -> None:
    assert summary(severities, files) == line


def test_what_would_speak_to_the_terminal_is_shown_as_its_number() -> None:
    assert printable("a\x1b]0;x\x07 日本 é") == "a<U+001B>]0;x<U+0007> 日本 é"


def test_of_a_line_without_end_only_what_is_shown_is_looked_at() -> None:
    text = Text("[" + "ab, " * 500_000 + "]")
    before = time.process_time()
    for _ in range(1_000):
        shown = underlined(text, Span(1_000_001, 1_000_003), PLAIN, "error")
    assert time.process_time() - before < 3
    assert shown == ["… " + "ab, " * 34 + "ab …", " " * 42 + "^^"]
    end = underlined(text, Span(1_999_997, 2_000_001), PLAIN, "error")
    assert end == ["… " + "ab, " * 11 + "]", " " * 42 + "^^^^"]
