"""Expressions are compiled when they are used, and are then those of `re`."""

from __future__ import annotations

import re

import pytest

from rules_lsp.source.expressions import expression


def test_an_expression_works_like_a_compiled_one() -> None:
    word = expression(r"(?P<first>\w)\w*", re.ASCII)
    assert [match.group("first") for match in word.finditer("one two")] == ["o", "t"]
    assert word.sub("-", "one two") == "- -"
    assert (word.pattern, word.flags & re.ASCII) == (r"(?P<first>\w)\w*", re.ASCII)
    assert word.fullmatch("ä") is None


def test_a_faulty_expression_is_refused_when_it_is_used() -> None:
    faulty = expression("(")
    with pytest.raises(re.error):
        faulty.search("x")


def test_an_attribute_that_patterns_lack_is_refused() -> None:
    with pytest.raises(AttributeError):
        _ = expression("x").matches  # type: ignore[attr-defined]
