from __future__ import annotations

import pytest
from lsprotocol import types

from rules_lsp.lsp.convert import changed_text, offset_of, range_of, span_of
from rules_lsp.source.text import Encoding, Span, Text

TEXT = Text("a😀b\r\n\u2028é\rz\n")
# Lines: `a😀b`, U+2028 and `é`, `z`, and an empty last one.


def place(start_line: int, start: int, end_line: int, end: int) -> types.Range:
    return types.Range(types.Position(start_line, start), types.Position(end_line, end))


@pytest.mark.parametrize(
    ("encoding", "span", "range_"),
    [
        ("utf-8", Span(1, 2), place(0, 1, 0, 5)),
        ("utf-16", Span(1, 2), place(0, 1, 0, 3)),
        ("utf-32", Span(1, 2), place(0, 1, 0, 2)),
        ("utf-8", Span(5, 7), place(1, 0, 1, 5)),
        ("utf-16", Span(5, 7), place(1, 0, 1, 2)),
        ("utf-16", Span(2, 8), place(0, 3, 2, 0)),
        ("utf-16", Span(9, 10), place(2, 1, 3, 0)),
        ("utf-16", Span(10, 10), place(3, 0, 3, 0)),
    ],
)
def test_spans_and_ranges(encoding: Encoding, span: Span, range_: types.Range) -> None:
    assert range_of(TEXT, span, encoding) == range_
    assert span_of(TEXT, range_, encoding) == span


@pytest.mark.parametrize(
    ("line", "character", "offset"),
    [(0, 99, 3), (1, 99, 7), (3, 5, 10), (9, 0, 10), (0, 2, 1), (0, 0, 0)],
)
def test_a_position_past_an_end_is_that_end(line: int, character: int, offset: int) -> None:
    position = types.Position(line, character)
    assert offset_of(TEXT, position, "utf-16") == offset
    assert position == types.Position(line, character)


def test_a_range_that_runs_backwards_is_empty_at_its_start() -> None:
    assert span_of(TEXT, place(2, 1, 0, 0), "utf-16") == Span(9, 9)


@pytest.mark.parametrize(
    ("encoding", "range_", "inserted", "expected"),
    [
        ("utf-16", place(0, 1, 0, 3), "x", "axb\r\n\u2028é\rz\n"),
        ("utf-8", place(0, 1, 0, 5), "", "ab\r\n\u2028é\rz\n"),
        ("utf-16", place(0, 4, 1, 0), "", "a😀b\u2028é\rz\n"),
        ("utf-16", place(3, 0, 3, 0), "end", "a😀b\r\n\u2028é\rz\nend"),
        ("utf-16", place(0, 0, 99, 0), "", ""),
        ("utf-16", place(0, 99, 0, 99), "!", "a😀b!\r\n\u2028é\rz\n"),
    ],
)
def test_a_change_of_a_part(encoding: Encoding, range_: types.Range, inserted: str, expected: str) -> None:
    change = types.TextDocumentContentChangePartial(range_, inserted)
    assert changed_text(TEXT, [change], encoding).content == expected


def test_changes_count_on_each_other() -> None:
    changes: list[types.TextDocumentContentChangeEvent] = [
        types.TextDocumentContentChangeWholeDocument("one\n"),
        types.TextDocumentContentChangePartial(place(1, 0, 1, 0), "two"),
        types.TextDocumentContentChangePartial(place(1, 1, 1, 2), "W"),
    ]
    assert changed_text(TEXT, changes, "utf-16").content == "one\ntWo"
    assert TEXT.content == "a😀b\r\n\u2028é\rz\n"
