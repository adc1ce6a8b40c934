from __future__ import annotations

import pytest

from rules_lsp.prompt.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("日本語", 3),
        ("日本語abcd", 4),
        ("한글", 2),
        ("ｱ", 1),
        ("é" * 8, 2),
        ("😀", 1),
    ],
)
def test_tokens(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
