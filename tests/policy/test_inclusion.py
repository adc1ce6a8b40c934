"""Proofs about globs: each against every path of a small world, each witness against the real matcher."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.policy.glob.inclusion import BUDGET, LARGEST, Proof, covered, disjoint, example

TOKENS = (
    "a", "b", ".", "/", "/", "*", "?", "**", "**/", "/**", "[a]", "[!a]", "[^b.]", "[a-b]", "{a,b}", "{,a/}*",
    "\\*", "é",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6).map("".join)
LETTERS = "ab.c/"
LONGEST = 5


def real_paths() -> list[str]:
    texts = ("".join(letters) for length in range(1, LONGEST + 1) for letters in product(LETTERS, repeat=length))
    return [text for text in texts if is_real(text)]


def is_real(path: str) -> bool:
    return all(name not in ("", ".", "..") for name in path.split("/"))


PATHS = [*real_paths(), "é", "aé", "b/é", "*", "a*", "a/b/a/b", "c/c/c/c", "ab/ba/ab", "a/b/c/é/a", "c/a/c/b/c"]


def read(text: str) -> Glob:
    glob = parse_glob(text)
    assert isinstance(glob, Glob), text
    return glob


def read_all(*texts: str) -> list[Glob]:
    return [read(text) for text in texts]


def takes(globs: list[Glob], path: str) -> bool:
    return any(glob.covers(path.removesuffix("/"), path.endswith("/")) for glob in globs)


@given(st.lists(TEXTS, min_size=1, max_size=2), st.lists(TEXTS, max_size=3), st.booleans())
def test_what_is_proved_holds_for_every_path_and_a_witness_is_one(
    left_texts: list[str], right_texts: list[str], directories: bool
) -> None:
    left, right = read_all(*left_texts), read_all(*right_texts)
    found = covered(left, right, directories=directories)
    if found.witness is not None:
        assert found.verdict is False
        assert is_real(found.witness.removesuffix("/"))
        assert directories or not found.witness.endswith("/")
        assert takes(left, found.witness)
        assert not takes(right, found.witness)
    else:
        assert found.verdict is True
        for path in PATHS:
            for subject in (path, path + "/") if directories else (path,):
                assert not takes(left, subject) or takes(right, subject), subject


@given(st.lists(TEXTS, min_size=1, max_size=2), st.lists(TEXTS, min_size=1, max_size=2))
def test_what_has_nothing_in_common_has_no_path_in_common(left_texts: list[str], right_texts: list[str]) -> None:
    left, right = read_all(*left_texts), read_all(*right_texts)
    found = disjoint(left, right)
    assert disjoint(right, left).verdict is found.verdict
    if found.witness is not None:
        assert found.verdict is False
        assert is_real(found.witness)
        assert takes(left, found.witness)
        assert takes(right, found.witness)
    else:
        assert found.verdict is True
        for path in PATHS:
            for subject in (path, path + "/"):
                assert not (takes(left, subject) and takes(right, subject)), subject


@given(TEXTS)
def test_an_example_is_covered_and_where_there_is_none_nothing_is(text: str) -> None:
    glob = read(text)
    path = example([glob])
    if path is not None:
        assert is_real(path)
        assert glob.covers(path, False)
    else:
        assert not any(glob.covers(other, False) for other in PATHS)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("src/app.py", "src/**"),
        ("src/**/*.py", "*.py"),
        ("src/**", "src"),
        ("/src/", "src/**"),
        ("/docs/**/*.md", "docs/**"),
        ("*.min.js", "*.js"),
        ("**/a/b", "a/**/b,**/b"),
        ("[a-f]", "[a-c],[d-z]"),
        ("{a,b}/**", "[ab]/**"),
        ("*", "a*,[!a]*"),
        ("??*", "*"),
        ("a/**/b/**/c", "**/b/**"),
        ("[!x]", "?"),
        (".*", "?*"),
        ("[.]", "never"),
        ("a/[.]/b", "never"),
    ],
)
def test_covered(left: str, right: str) -> None:
    assert covered([read(left)], read_all(*right.split(","))).verdict is True


@pytest.mark.parametrize(
    ("left", "right", "directories", "witness"),
    [
        ("src/**", "src/*.py", False, "src/x"),
        ("src", "/src", False, "x/src"),
        ("/src", "src/**", False, "src"),
        ("/src/", "src/**", True, "src/"),
        ("*", "[!a]*", False, "a"),
        ("?", "[!a],[!b],a", False, None),
        ("[a-f]", "[a-c],[e-z]", False, "d"),
        ("**/b", "a/**", False, "x/b"),
        ("src/", "src/**", False, "x/src/x"),
        ("?", "x,y,z", False, "w"),
        ("a", "never", False, "a"),
        ("[.]?", "..,.[!.]", False, None),
    ],
)
def test_not_covered(left: str, right: str, directories: bool, witness: str | None) -> None:
    found = covered([read(left)], read_all(*right.split(",")), directories=directories)
    assert (found.verdict, found.witness) == (witness is None, witness)


def test_a_normal_form_or_a_case_is_another_pattern() -> None:
    assert covered([read("é")], [read("e\u0301")]).verdict is False
    assert covered([read("README")], [read("readme")]).verdict is False


@pytest.mark.parametrize(
    ("left", "right", "witness"),
    [
        ("src/**", "docs/**", None),
        ("src/*.py", "src/**/*.ts", "src/.py/.ts"),
        ("src/a", "src/b", None),
        ("/src/**", "*.pem", "src/.pem"),
        ("[a-c]/x", "[c-e]/?", "c/x"),
        ("[a-c]/x", "[d-e]/?", None),
        ("/[!a]b", "/ab", None),
        ("/.?", "/?.", None),
    ],
)
def test_in_common(left: str, right: str, witness: str | None) -> None:
    found = disjoint([read(left)], [read(right)])
    assert (found.verdict, found.witness) == (witness is None, witness)


def test_dozens_of_patterns_of_any_depth_cost_little() -> None:
    wide = read_all(*(f"**/{one}/**/{other}/**" for one in "abcdefgh" for other in "stuvwx"))
    refuted = covered([read("**/a*b/**/c?d/**/*.ts")], wide)
    proved = covered([read("**/q/**/a/**/c?d/**/s/*.ts")], wide)
    assert (refuted.verdict, proved.verdict) == (False, True)
    assert max(refuted.steps, proved.steps) < 100
    many = read_all(*(f"**/{letter}/**" for letter in "abcdefghijklmnopqrst"))
    assert covered([read("**/*.ts")], many).steps < 100


def test_a_hostile_pattern_ends_without_an_answer() -> None:
    right = read_all("*a" + "?" * 9, "*b*", "*[!a]" + "?" * 9, *("?" * count for count in range(1, 10)))
    found = covered([read("*a*")], right)
    assert (found.verdict, found.witness) == (None, None)
    assert BUDGET < found.steps < BUDGET + 1000
    assert covered([read("*a*a*a*a*a*ab")], [read("*a*b")]).verdict is True
    assert disjoint([read("*" + "a*" * 100)], [read("*b" + "a*" * 100)], budget=100) == Proof(None, None, 101)


def test_what_is_too_large_has_no_answer() -> None:
    large = read("{1..999}" + "a" * (LARGEST // 999))
    assert covered([large], [large]) == disjoint([large], [large]) == Proof(None, None, 0)
    assert covered([read("{1..999}")], [read("[0-9]*")]).verdict is True
