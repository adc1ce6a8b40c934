from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.source.text import Encoding, Position, Range, Span, Text

# Line 0 ends in CRLF, line 1 in a lone CR, line 2 in LF; line 3 is empty. U+2028 and U+0085 end no line.
SAMPLE = "a😀é\r\nb\u2028c\u0085d\rあい\n"


def test_lines_end_where_the_protocol_says() -> None:
    text = Text(SAMPLE)
    assert text.line_count == 4
    assert [text.slice(text.line_span(line)) for line in range(4)] == ["a😀é", "b\u2028c\u0085d", "あい", ""]
    assert text.line_span(3) == Span(len(SAMPLE), len(SAMPLE))


def test_an_empty_text_has_one_line() -> None:
    text = Text("")
    assert (text.line_count, text.line_span(0), text.position(0)) == (1, Span(0, 0), Position(0, 0))


@pytest.mark.parametrize(
    ("offset", "utf8", "utf16", "utf32"),
    [
        (0, (0, 0), (0, 0), (0, 0)),
        (1, (0, 1), (0, 1), (0, 1)),
        (2, (0, 5), (0, 3), (0, 2)),
        (3, (0, 7), (0, 4), (0, 3)),
        (5, (1, 0), (1, 0), (1, 0)),
        (7, (1, 4), (1, 2), (1, 2)),
        (9, (1, 7), (1, 4), (1, 4)),
        (11, (2, 0), (2, 0), (2, 0)),
        (13, (2, 6), (2, 2), (2, 2)),
        (14, (3, 0), (3, 0), (3, 0)),
        (99, (3, 0), (3, 0), (3, 0)),
    ],
)
def test_positions(offset: int, utf8: tuple[int, int], utf16: tuple[int, int], utf32: tuple[int, int]) -> None:
    text = Text(SAMPLE)
    assert text.position(offset, "utf-8") == Position(*utf8)
    assert text.position(offset, "utf-16") == Position(*utf16)
    assert text.position(offset, "utf-32") == Position(*utf32)
    if offset <= len(SAMPLE):
        assert text.offset(Position(*utf8), "utf-8") == offset
        assert text.offset(Position(*utf16), "utf-16") == offset
        assert text.offset(Position(*utf32), "utf-32") == offset


def test_places_past_an_end_are_that_end() -> None:
    text = Text("ab\r\nあ")
    assert text.offset(Position(0, 99)) == 2
    assert text.offset(Position(1, 99), "utf-8") == 5
    assert text.offset(Position(7, 0)) == 5
    assert text.offset(Position(-1, 3)) == 0
    assert text.offset(Position(0, -1)) == 0


def test_the_middle_of_a_character_is_its_start() -> None:
    text = Text("a😀b")
    assert text.offset(Position(0, 2), "utf-16") == 1
    assert text.offset(Position(0, 3), "utf-8") == 1


def test_a_lone_surrogate_is_counted() -> None:
    text = Text("\ud83dx")
    assert text.position(1, "utf-16") == Position(0, 1)
    assert text.position(1, "utf-8") == Position(0, 3)


def test_a_range_that_runs_backwards_is_empty() -> None:
    text = Text("abc")
    assert text.span(Range(Position(0, 2), Position(0, 1))) == Span(2, 2)


def test_a_range_in_the_shape_of_the_protocol() -> None:
    assert Text("a\nbc").range(Span(2, 4)).as_json() == {
        "start": {"line": 1, "character": 0},
        "end": {"line": 1, "character": 2},
    }


def test_a_span_cannot_run_backwards() -> None:
    with pytest.raises(ValueError, match="no span: 3..2"):
        Span(3, 2)


@given(st.text(alphabet="a é😀あ\r\n\u2028\u0085"), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_every_offset_comes_back_except_inside_a_line_break(content: str, encoding: Encoding) -> None:
    text = Text(content)
    for offset in range(len(content) + 1):
        inside = content[offset - 1 : offset + 1] == "\r\n" and offset > 0
        back = text.offset(text.position(offset, encoding), encoding)
        assert back == (offset - 1 if inside else offset)
