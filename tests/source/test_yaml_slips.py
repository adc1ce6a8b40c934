"""Slips of a line and of an entry: their places, what should stand there, and what is no slip."""

from __future__ import annotations

import pytest

from rules_lsp.source.text import Span
from rules_lsp.source.yaml_slips import slip_of_closing, slips_of_entry, slips_of_line, slips_of_list

FULL, SPACE = "fullwidth-punctuation", "missing-space"
Found = tuple[str, int, int, str]


def in_line(line: str) -> list[Found]:
    slips = slips_of_line(f"x\n{line}\ny", Span(2, 2 + len(line)), lambda word: word != "text")
    return [(slip.code, slip.span.start - 2, slip.span.end - 2, slip.replacement) for slip in slips]


def in_entry(entry: str, *, commas: bool = False) -> list[Found]:
    slips = slips_of_entry(f"- {entry}\n", Span(2, 2 + len(entry)), commas=commas)
    return [(slip.code, slip.span.start - 2, slip.span.end - 2, slip.replacement) for slip in slips]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("  -a", [(SPACE, 2, 3, "- ")]),
        ("－ a", [(FULL, 0, 1, "-")]),
        ("•a", [(FULL, 0, 1, "- ")]),
        (" – a", [(FULL, 1, 2, "-")]),
        ("-\u00a0a", [(FULL, 1, 2, " ")]),
        ("\u3000\u3000- a", [(FULL, 0, 2, "  ")]),
        ("  \u00a0 - a", [(FULL, 2, 4, "  ")]),
        ("key：", [(FULL, 3, 4, ":")]),
        ("key： a", [(FULL, 3, 4, ":")]),
        ("key：a", [(FULL, 3, 4, ": ")]),
        ("  key:[a]", [(SPACE, 5, 6, ": ")]),
        ('key:"a"', [(SPACE, 3, 4, ": ")]),
        ("key:\u00a0a", [(FULL, 4, 5, " ")]),
        ("\u00a0－\u00a0key：a", [(FULL, 0, 1, " "), (FULL, 1, 2, "-"), (FULL, 2, 3, " "), (FULL, 6, 7, ": ")]),
        ("＃ a", [(FULL, 0, 1, "#")]),
        ("  ］", [(FULL, 2, 3, "]")]),
        ("* a", [(FULL, 0, 1, "-")]),
        (" + a", [(FULL, 1, 2, "-")]),
        ("12) a", [(FULL, 0, 3, "-")]),
        ("*a", []),
        ("+a", []),
        ("1.2", []),
        ("2024. a", []),
        ("＃a", []),
        ("］a", []),
        ("- a", []),
        ("key: a", []),
        ("key:\ta", []),
        ("key:", []),
        ("-", []),
        ("---", []),
        ("--a", []),
        ("- -a", []),
        ("text：a", []),
        ("text:[a]", []),
        ("http://a", []),
        ("c:\\a", []),
        ("a－b", []),
        ("日本：a", []),
        ("\u00a0", []),
        ("", []),
    ],
)
def test_a_line(line: str, found: list[Found]) -> None:
    assert in_line(line) == found


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("“a”", [(FULL, 0, 3, '"a"')]),
        ("‘it's’", [(FULL, 0, 6, '"it\'s"')]),
        ('“a "b”', [(FULL, 0, 6, "'a \"b'")]),
        ("“a\\b”", [(FULL, 0, 5, "'a\\b'")]),
        ("“a\\'b”", [(FULL, 0, 6, "'a\\''b'")]),
        ('“a"', [(FULL, 0, 3, '"a"')]),
        ("“a", []),
        ("a”", []),
        ("docs/“a”", []),
        ("“a” “b”", []),
        ("“”", []),
        ("a，b", []),
    ],
)
def test_an_entry(entry: str, found: list[Found]) -> None:
    assert in_entry(entry) == found


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("a，b", [(FULL, 1, 2, ", ")]),
        ("a， b、c", [(FULL, 1, 2, ","), (FULL, 4, 5, ", ")]),
        ("“a”，“b”", [(FULL, 3, 4, ", ")]),
        ("a，", []),
        ("你好，世界", []),
        ("a，世界", []),
        ("a b", []),
    ],
)
def test_an_entry_in_brackets(entry: str, found: list[Found]) -> None:
    assert in_entry(entry, commas=True) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("［a，b］", [(FULL, 0, 1, "["), (FULL, 2, 3, ", "), (FULL, 4, 5, "]")]),
        ("【a, b]", [(FULL, 0, 1, "[")]),
        ("〔“a”、 b〕", [(FULL, 0, 1, "["), (FULL, 1, 4, '"a"'), (FULL, 4, 5, ","), (FULL, 7, 8, "]")]),
        ("｛a｝", [(FULL, 0, 1, "{"), (FULL, 2, 3, "}")]),
        ("［\n  a，\n  b", [(FULL, 0, 1, "["), (FULL, 5, 6, ",")]),
        ("＃ a", [(FULL, 0, 1, "#")]),
        ("【a】/b", []),
        ("［a］［b］", []),
        ("a，b", []),
        ("a", []),
    ],
)
def test_a_text_where_a_list_belongs(value: str, found: list[Found]) -> None:
    slips = slips_of_list(f"k: {value}\n", Span(3, 3 + len(value)))
    assert [(slip.code, slip.span.start - 3, slip.span.end - 3, slip.replacement) for slip in slips] == found


@pytest.mark.parametrize(
    ("content", "at", "place"),
    [
        ("k: [a］\n", 3, Span(5, 6)),
        ("k: [a, b】 # c\n", 3, Span(8, 9)),
        ('- "a”\n', 2, Span(4, 5)),
        ('k: ["a”, b]\n', 4, Span(6, 7)),
        ("- [a］\n", 2, None),
        ("k: [a］b\n", 3, None),
        ('- "a”b\n', 2, None),
        ("k: [a\n", 3, None),
    ],
)
def test_what_was_to_close_a_bracket_or_a_quote(content: str, at: int, place: Span | None) -> None:
    slip = slip_of_closing(content, at)
    assert (None if slip is None else slip.span) == place
