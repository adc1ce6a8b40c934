"""Edits of JSON with comments: what is added and removed, and every character that stays."""

from __future__ import annotations

from typing import Any

import pytest

from rules_lsp.workspace.json_edits import CannotEdit, append_to_list, remove_value, replace_value

APPENDED = [
    ('{"a": [1]}', '{"a": [1, 7]}', 1),
    ('{"a": [1,]}', '{"a": [1, 7,]}', 1),
    ('{"a": []}', '{"a": [7]}', 0),
    ('{"a": [ /* , */ ]}', '{"a": [ /* , */ 7]}', 0),
    ('{"a": [\n  1 // one\n]}', '{"a": [\n  1, // one\n  7\n]}', 1),
    ('{"a": [\n  1, // one\n]}', '{"a": [\n  1, // one\n  7,\n]}', 1),
    ('{"a": ["]", "//", "\\""]}', '{"a": ["]", "//", "\\"", 7]}', 3),
    ('{"b": {"a": [0]}}', '{"b": {"a": [0]}, "a": [\n  7\n]}', 0),
    ("{}", '{"a": [\n  7\n]}', 0),
    ("{\n    // c\n}", '{\n    // c\n"a": [\n  7\n]}', 0),
    ('{\n\t"b": 1\n}', '{\n\t"b": 1,\n\t"a": [\n\t\t7\n\t]\n}', 0),
    ('{"\\u0061": [1]}', '{"\\u0061": [1, 7]}', 1),
]


@pytest.mark.parametrize(("before", "after", "index"), APPENDED)
def test_an_item_is_added_and_removed_again(before: str, after: str, index: int) -> None:
    assert append_to_list(before, ("a",), 7) == after
    assert remove_value(after, ("a", index)) == before


REMOVED: list[tuple[str, tuple[str | int, ...], str]] = [
    ('{"a": [1, 2, 3]}', ("a", 0), '{"a": [ 2, 3]}'),
    ('{"a": [1, 2, 3]}', ("a", 1), '{"a": [1, 3]}'),
    ('{"a": [1, 2, 3]}', ("a", 2), '{"a": [1, 2]}'),
    ('{"a": [1, /* 2 */ 2]}', ("a", 1), '{"a": [1 /* 2 */]}'),
    ('{"a": [7,]}', ("a", 0), '{"a": []}'),
    ('{"x": 1, "a": {\n"b": [\n7\n]\n}}', ("a", "b", 0), '{"x": 1}'),
    ('{"x": 1, "a": {\n"b": [\n7\n], "c": 1\n}}', ("a", "b", 0), '{"x": 1, "a": { "c": 1\n}}'),
    ('{"x": 1, "a": {\n"b": [ // mine\n7\n]\n}}', ("a", "b", 0), '{"x": 1, "a": {\n"b": [ // mine\n\n]\n}}'),
]


@pytest.mark.parametrize(("before", "path", "after"), REMOVED)
def test_what_was_made_for_a_value_goes_with_it(before: str, path: tuple[str | int, ...], after: str) -> None:
    assert remove_value(before, path) == after


def test_members_that_go_together() -> None:
    both = append_to_list('{"b": 1}', ("a",), 7, {"version": 1, "b": 2})
    assert both == '{"b": 1, "a": [\n  7\n], "version": 1}'
    assert remove_value(both, ("a", 0), {"version": 1}) == '{"b": 1}'
    assert remove_value(both.replace('": 1}', '": 2}'), ("a", 0), {"version": 1}) == '{"b": 1, "version": 2}'
    assert remove_value(both, ("a", 0)) == '{"b": 1, "version": 1}'


def test_a_value_is_replaced_in_its_indentation() -> None:
    before = '{\r\n  "a": [\r\n    1 // one\r\n  ]\r\n}'
    assert replace_value(before, ("a", 0), {"é": 2}) == before.replace("1 /", '{\r\n      "é": 2\r\n    } /')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it holds no JSON object"),
        ("[1]", "it holds no JSON object"),
        ('{"a": 1}', "`a` is no list"),
        ('{"a": {}, "b": [{"c": 1, "c": 2}]}', "the key `c` stands twice in it"),
        ('{"a": [,]}', "its commas stand where no entry can be added or removed"),
        ("{'a': []}", "a key in double quotes must stand here"),
        ("[" * 100_000, "it is nested too deeply or holds a number that is too long"),
    ],
)
def test_what_cannot_be_edited(text: str, why: str) -> None:
    with pytest.raises(CannotEdit) as refused:
        append_to_list(text, ("a",), 7)
    assert str(refused.value) == why


def test_nothing_is_put_below_what_is_no_object() -> None:
    item: Any = {"x": 1}
    with pytest.raises(CannotEdit, match=r"^`a\.b` is no object$"):
        append_to_list('{"a": {"b": 1}}', ("a", "b", "c"), item)
