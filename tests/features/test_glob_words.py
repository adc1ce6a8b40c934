from __future__ import annotations

import pytest

from rules_lsp.features.glob_words import GlobWords, glob_in_words
from rules_lsp.policy.glob import Glob, parse_glob

ANYWHERE = "files and directories at any depth, with everything below them"
FROM_ROOT = "files and directories from the project's root, with everything below them"


def words(text: str) -> GlobWords:
    glob = parse_glob(text)
    assert isinstance(glob, Glob)
    return glob_in_words(glob)


@pytest.mark.parametrize(
    ("pattern", "summary", "segments"),
    [
        ("*.pem", ANYWHERE, [("*.pem", "a name that ends in `.pem`")]),
        ("test_*", ANYWHERE, [("test_*", "a name that begins with `test_`")]),
        ("test_*.py", ANYWHERE, [("test_*.py", "a name that begins with `test_` and ends in `.py`")]),
        ("*key*", ANYWHERE, [("*key*", "a name that contains `key`")]),
        ("*", ANYWHERE, [("*", "any name")]),
        ("README.md", ANYWHERE, [("README.md", "the name `README.md`")]),
        ("/README.md", FROM_ROOT, [("README.md", "the name `README.md`")]),
        (
            "build/",
            "directories at any depth, with everything below them",
            [("build", "the name `build`")],
        ),
        (
            "/a/b/",
            "directories from the project's root, with everything below them",
            [("a", "the name `a`"), ("b", "the name `b`")],
        ),
        (
            "src/**/*.py",
            FROM_ROOT,
            [
                ("src", "the name `src`"),
                ("**", "any number of directories, also none"),
                ("*.py", "a name that ends in `.py`"),
            ],
        ),
        (
            "src/**",
            "everything inside of `src`, from the project's root",
            [("src", "the name `src`"), ("**", "everything below, at any depth")],
        ),
        ("a\\*b", ANYWHERE, [("a\\*b", "the name `a*b`")]),
        ("v?.??", ANYWHERE, [("v?.??", "a name made of `v`, any one character, `.`, any 2 characters")]),
        ("[abc]x", ANYWHERE, [("[abc]x", "a name made of one character of `a`, `b` or `c`, `x`")]),
        ("[a-cx]", ANYWHERE, [("[a-cx]", "a name made of one character of `a` to `c` or `x`")]),
        (
            "[!0-9]*",
            ANYWHERE,
            [("[!0-9]*", "a name made of one character other than `0` to `9`, any characters or none")],
        ),
        ("[[:digit:]]", ANYWHERE, [("[[:digit:]]", "a name made of a digit")]),
        ("a`b", ANYWHERE, [("a`b", "the name `` a`b ``")]),
        ("あ*", ANYWHERE, [("あ*", "a name that begins with `あ`")]),
        ("a//b", FROM_ROOT, [("a", "the name `a`"), ("", "an empty name, which no path has"), ("b", "the name `b`")]),
    ],
)
def test_a_pattern_in_words(pattern: str, summary: str, segments: list[tuple[str, str]]) -> None:
    found = words(pattern)
    (form,) = found.forms
    assert form.summary == summary
    assert [(segment.source, segment.words) for segment in form.segments] == segments
    assert [pattern[segment.span.start : segment.span.end] for segment in form.segments] == [s for s, _ in segments]


def test_braces_are_forms() -> None:
    found = words("src/{a,b?}/*.ts")
    assert [(form.text, [part.source for part in form.segments]) for form in found.forms] == [
        ("src/a/*.ts", ["src", "a", "*.ts"]),
        ("src/b?/*.ts", ["src", "b?", "*.ts"]),
    ]
    assert found.left_out == 0


def test_many_forms_are_cut_and_counted() -> None:
    found = words("f{1..20}")
    assert [form.text for form in found.forms] == ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"]
    assert found.left_out == 12


@pytest.mark.parametrize("pattern", ["", "/", "   "])
def test_a_pattern_that_matches_nothing_has_no_form(pattern: str) -> None:
    assert words(pattern) == GlobWords((), 0)
