"""Where a text is split at its commas."""

from __future__ import annotations

import pytest

from rules_lsp.checks.scalar_for_list import split_at_commas


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("Read", ["Read"]),
        ("Read, Grep", ["Read", "Grep"]),
        ("Read,Grep,", ["Read", "Grep"]),
        ("{a,b}/*.ts, src", ["{a,b}/*.ts", "src"]),
        ("[a,b], c", ["[a,b]", "c"]),
        ("a}, b", ["a}", "b"]),
        ("a{b, c", ["a{b, c"]),
        (",", []),
        ("", []),
    ],
)
def test_a_text_is_split_between_its_entries(value: str, parts: list[str]) -> None:
    assert split_at_commas(value) == parts
