"""Edits of a text: in order, once each, none over another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Span


def edit(start: int, end: int, replacement: str) -> TextEdit:
    return TextEdit(Span(start, end), replacement)


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "abcdef"),
        ([edit(0, 1, "X")], "Xbcdef"),
        ([edit(6, 6, "!")], "abcdef!"),
        ([edit(0, 6, "")], ""),
        ([edit(4, 5, "Y"), edit(1, 2, "X")], "aXcdYf"),
        ([edit(1, 3, "X"), edit(3, 5, "Y")], "aXYf"),
        # One that overlaps an earlier one is left out, and so is a repetition.
        ([edit(1, 3, "X"), edit(2, 4, "Y")], "aXdef"),
        ([edit(1, 2, "X"), edit(1, 2, "X")], "aXcdef"),
        ([edit(2, 2, "X"), edit(2, 2, "X")], "abXcdef"),
        ([edit(2, 2, "Y"), edit(2, 2, "X")], "abXYcdef"),
        ([edit(2, 2, "X"), edit(2, 3, "Y")], "abXYdef"),
        ([edit(1, 3, "X"), edit(3, 3, "Y")], "aXYdef"),
    ],
)
def test_edits(edits: list[TextEdit], expected: str) -> None:
    assert apply_edits("abcdef", edits) == expected
    assert apply_edits("abcdef", reversed(edits)) == expected


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_text_outside_of_edits_stays(content: str, places: list[tuple[int, int]]) -> None:
    spans = [Span(min(a, b, len(content)), min(max(a, b), len(content))) for a, b in places]
    # Replacing each span by what stands there changes nothing, whichever of them are left out.
    assert apply_edits(content, [TextEdit(span, content[span.start : span.end]) for span in spans]) == content
