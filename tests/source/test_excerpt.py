from __future__ import annotations

import pytest

from rules_lsp.source.excerpt import bounded, in_one_line


@pytest.mark.parametrize(("text", "shown"), [("", ""), ("abcd", "abcd"), ("abcde", "abc…"), ("a\nbcde", "a\nb…")])
def test_a_text_is_cut_where_it_is_too_long(text: str, shown: str) -> None:
    assert bounded(text, 4) == shown


@pytest.mark.parametrize(("text", "shown"), [(" a \n\t b ", "a b"), ("a\u3000\r\nb c", "a b…"), ("  ", "")])
def test_a_line_holds_the_words(text: str, shown: str) -> None:
    assert in_one_line(text, 4) == shown
