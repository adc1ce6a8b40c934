from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.source.linear_expressions import LinearExpression, parse_linear

EXPRESSIONS = [
    "a", "ab", "a|b", "a*b", "(a|b)*c", "^a", "b$", r"\ba\b", r"\Bb", "a+", "a?b", "a{2,3}", "a{2,}", "(?i)aB", "[a-c]",
    "[^ab]", r"\d+", r"\w\s\W", "a.c", "(?s)a.c", "(?m)^b$", "(?:ab)+c", "(?P<n>a)b", r"\Aa\Z", "(a*)*", "(a|a)*b", "",
    "a*?b", r"[\d_]", "(?i:A)b", "ab.c", "a^b", "ab|", "(?i:a)bc", "(a?){3}b",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
@given(text=st.text(alphabet="abcAB1 _\n.é", max_size=12))
@settings(max_examples=60, deadline=None)
def test_a_search_answers_as_python_does(expression: str, text: str) -> None:
    linear = parse_linear(expression)
    assert isinstance(linear, LinearExpression)
    assert linear.search(text) is (re.search(expression, text) is not None)


@pytest.mark.parametrize("expression", ["(a*)*b", "(a|a)*b", "(a+)+$", "a*a*a*a*a*a*b", "(.*)(.*)(.*)(.*)x"])
def test_hostile_expressions_take_linear_time(expression: str) -> None:
    linear = parse_linear(expression)
    assert isinstance(linear, LinearExpression)
    started = time.process_time()
    assert linear.search("a" * 20_000 + "!") is False
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (r"(a)\1", "holds a reference back, which is not linear: write it without"),
        ("(?=a)", "holds a look ahead or behind, which is not linear: write it without"),
        ("(?<!a)b", "holds a look ahead or behind, which is not linear: write it without"),
        ("(?>a)", "holds an atomic group, which is not linear: write it without"),
        ("a*+", "holds a possessive repetition, which is not linear: write it without"),
        ("(", "is no regular expression (missing ), unterminated subpattern at position 0)"),
        ("(a{100}){100}", "repeats too much: write smaller numbers"),
        ("a" * 1001, "is longer than 1,000 characters"),
    ],
)
def test_what_is_refused(expression: str, reason: str) -> None:
    assert parse_linear(expression) == reason
