"""JSON with comments and trailing commas as a tree."""

from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.prompt.relaxed_json import data_of, read_relaxed_json, value_of
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_nodes import Mapping, Node, Scalar, Sequence


def nodes(node: Node | None) -> list[Node]:
    if isinstance(node, Mapping):
        return [node, *(below for pair in node.pairs for each in pair for below in nodes(each))]
    if isinstance(node, Sequence):
        return [node, *(below for item in node.items for below in nodes(item))]
    return [] if node is None else [node]


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ("", None),
        ("// nothing\n", None),
        ('{"a": 1, // one\r\n "b": [true, null, -1.5e3,], /* two */ }', {"a": 1, "b": [True, None, -1500.0]}),
        ('{"a": "// no comment", "b": "\\u3042\\n"}', {"a": "// no comment", "b": "あ\n"}),
        ('﻿{"鍵": "値"}', {"鍵": "値"}),
        ("[]", []),
    ],
)
def test_what_parses(content: str, data: object) -> None:
    document = read_relaxed_json(Text(content))
    assert (document.error, document.problems, data_of(document.root)) == (None, (), data)


@pytest.mark.parametrize(
    ("content", "data", "fault"),
    [
        ('{"title": "abc', {"title": "abc"}, '"'),
        ('{"title": "abc\n"color": "x"}', {"title": "abc", "color": "x"}, "\n"),
        ('{"a": 1, "b', {"a": 1, "b": None}, '"'),
        ('{"a": {"b": 1, "c": }, "d": 2}', {"a": {"b": 1, "c": None}, "d": 2}, "}"),
        ('{"a": [1, {"b": 2}', {"a": [1, {"b": 2}]}, "}"),
        ('{"a": [1}, "b": 2}', {"a": [1]}, "}"),
        ('{"a" 1, "b": 2}', {"a": None, "1": None, "b": 2}, "1"),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, '"'),
        ('{"a": tru, "b": 1}', {"a": None, "b": 1}, "t"),
        ('{"a": "x\\"', {"a": 'x"'}, '"'),
        ('{"a": 1} }', {"a": 1}, "}"),
        ("}", None, "}"),
    ],
)
def test_what_is_being_typed(content: str, data: object, fault: str) -> None:
    document = read_relaxed_json(Text(content))
    assert (document.root, data_of(document.partial)) == (None, data)
    assert document.error is not None
    assert (document.error.code, content[document.error.span.start]) == ("syntax-error", fault)


def test_places_are_those_of_the_text() -> None:
    content = '{ // é\r\n  "a": ["x", {"b": tru'
    tree = read_relaxed_json(Text(content)).partial
    assert isinstance(tree, Mapping)
    found = [
        (content[node.token.start : node.token.end], node.span) for node in nodes(tree) if isinstance(node, Scalar)
    ]
    assert found == [('"a"', Span(11, 12)), ('"x"', Span(17, 18)), ('"b"', Span(23, 24)), ("tru", Span(27, 30))]
    assert content[tree.span.start :] == content


def test_a_key_that_stands_twice() -> None:
    content = '{"a": 1, "b": 2, "a": 3}'
    document = read_relaxed_json(Text(content))
    assert [(each.code, each.message, each.span, each.related[0].span) for each in document.problems] == [
        ("duplicate-key", "the key `a` stands twice: only its last value counts", Span(18, 19), Span(2, 3))
    ]
    assert isinstance(document.root, Mapping)
    assert data_of(value_of(document.root, "a")) == 3
    assert value_of(document.root, "c") is None


def test_what_is_too_deep_is_left_out() -> None:
    document = read_relaxed_json(Text("[" * 101 + "1" + "]" * 101))
    assert document.error is not None
    assert (document.error.message, document.error.span) == ("it is nested deeper than 100 levels", Span(100, 101))
    assert len(nodes(document.partial)) == 100
    assert read_relaxed_json(Text("[" * 100 + "1" + "]" * 100)).error is None
    assert len(nodes(read_relaxed_json(Text("[" * 100_000)).partial)) == 100


HOSTILE = ('{"a":', '"a,', '"\\', "[1,", '"k":1,', "}]", "/*", "//\n", "{", '\\"')


@pytest.mark.parametrize("part", HOSTILE)
def test_the_work_grows_with_the_text(part: str) -> None:
    def seconds(times: int) -> float:
        began = process_time()
        read_relaxed_json(Text(part * times))
        return process_time() - began

    few = min(seconds(2_000) for _ in range(3))
    assert min(seconds(20_000) for _ in range(3)) < 40 * few + 0.05


@given(st.text(alphabet='{}[]:,"\\/* \n\rtrue1a', max_size=60))
def test_nothing_raises_and_every_place_is_inside(content: str) -> None:
    for node in nodes(read_relaxed_json(Text(content)).partial):
        assert node.token.start <= node.span.start <= node.span.end <= node.token.end <= len(content)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_the_tree_says_what_the_parser_of_the_library_says(value: object, ascii_only: bool) -> None:
    document = read_relaxed_json(Text(json.dumps(value, ensure_ascii=ascii_only, indent=1)))
    assert (document.error, data_of(document.root)) == (None, value)
