from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.features.text_changes import changes
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Span

TEXTS = st.lists(st.sampled_from(["a", "b", "", "😀", "\n", "\r\n", "\r"]), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        ("a\n", "a\n", ()),
        ("", "a", (TextEdit(Span(0, 0), "a"),)),
        ("a\nb\nc\n", "a\nx\nc\n", (TextEdit(Span(2, 4), "x\n"),)),
        ("a\nb\nc\nd\n", "x\nb\nc\ny\n", (TextEdit(Span(0, 2), "x\n"), TextEdit(Span(6, 8), "y\n"))),
        ("a\nb\n", "a\n", (TextEdit(Span(2, 4), ""),)),
        ("a\r\nb", "a\nb", (TextEdit(Span(0, 3), "a\n"),)),
    ],
)
def test_the_edits(before: str, after: str, edits: tuple[TextEdit, ...]) -> None:
    assert changes(before, after) == edits


@given(TEXTS, TEXTS)
def test_the_edits_make_the_text(before: str, after: str) -> None:
    assert apply_edits(before, changes(before, after)) == after


def test_a_long_text_is_one_edit() -> None:
    before = "".join(f"{number}\n" for number in range(2000))
    after = "".join(f"{number}x\n" for number in range(2000))
    assert changes(before, after) == (TextEdit(Span(0, len(before)), after),)
