"""Characters that look like those of ASCII: which of a text is named, and which is meant."""

from __future__ import annotations

import pytest

from rules_lsp.checks.common.lookalikes import look_alike, told_of_look_alike


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("B\u0430sh", "`\u0430` (U+0430) only looks like `a`"),
        ("x/g\u0456thub", "`\u0456` (U+0456) only looks like `i`"),
        ("denied_t\u043e\u03bfls", "`\u043e` (U+043E) only looks like `o`"),
        ("\uff22ash", "`\uff22` (U+FF22) only looks like `B`"),
        ("src/\uff0a.py", None),
        ("a\u2215b", "`\u2215` (U+2215) only looks like `/`"),
    ],
)
def test_what_only_looks_like_a_letter_is_named(text: str, found: str | None) -> None:
    assert look_alike(text) == found


@pytest.mark.parametrize(
    "text", ["Bash", "", "\u0441\u043e\u0440\u0430", "a/\u0441\u043e\u0440\u0430", "caf\u00e9", "日本a", "B\u200bash"]
)
def test_what_is_meant_is_not(text: str) -> None:
    assert look_alike(text) is None
    assert told_of_look_alike("no such name", text) == "no such name"
