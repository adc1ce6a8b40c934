from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rules_lsp.policy.glob import (
    AnyCharacter,
    AnyDirectories,
    CharacterClass,
    ClassRange,
    Glob,
    GlobError,
    Literal,
    Name,
    PosixClass,
    Star,
    parse_glob,
)
from tests.policy.reference_glob import covered, matched, walked

ROOT = Path(__file__).resolve().parent.parent.parent


def read(text: str) -> Glob:
    glob = parse_glob(text)
    assert isinstance(glob, Glob), glob
    return glob


def fault(text: str) -> GlobError:
    error = parse_glob(text)
    assert isinstance(error, GlobError), error
    return error


@pytest.mark.parametrize(
    ("pattern", "covered_paths", "other_paths"),
    [
        ("*.md", ["a.md", "x/y/a.md", "a.md/x"], ["a.md.txt", "md", "a_md"]),
        ("/build", ["build", "build/x"], ["sub/build", "builds", "build.x/y"]),
        ("docs/api", ["docs/api/x"], ["sub/docs/api/x", "docs/apis"]),
        ("src/**/*.py", ["src/x.py", "src/a/b/x.py"], ["src/x.js", "x.py", "asrc/x.py"]),
        ("tests/**", ["tests/deep/t.js"], ["tests", "tests.py", "a/tests/x"]),
        ("**/a/**/b", ["a/b", "x/a/y/z/b/c"], ["a", "b/a", "xa/b"]),
        ("?.md", ["あ.md", "𝄞.md", "x/é.md"], ["あい.md", ".md"]),
        ("[!a].txt", ["é.txt", "b.txt"], ["a.txt", "éé.txt", ".txt"]),
        ("a?b", ["axb"], ["a/b", "ab"]),
        ("a[/x]b", ["axb"], ["a/b", "d/axb"]),
        ("a[.-0]b", ["a.b", "a0b", "d/a.b"], ["a/b"]),
        ("[/]", [], ["/", "a", "[/]"]),
        ("b**/a", ["ba", "b/a", "bx/y/a"], ["xb/a", "b/xa"]),
        ("b**/**/a", ["ba", "bx/a", "b/x/y/a"], ["xba"]),
        ("a/b**", ["a/b", "a/bx/y", "a/b/c"], ["a/x", "ab"]),
        ("**\\/a", ["x/a", "x/y/a/z"], ["a"]),
        ("x/**\\/a", ["x/b/a"], ["x/a"]),
        ("**.py", ["a.py", "x/a.py"], ["py"]),
        ("*.key  ", ["a.key"], ["a.key  "]),
        ("a\\ ", ["a "], ["a", "a\\ "]),
        ("a\\*b", ["a*b"], ["axb"]),
        ("a**b", ["ab", "axxb"], ["a/b"]),
        ("*a*a*b", ["aab", "xaxaxb"], ["ab", "aa/b", "aaba"]),
        ("ab*ba", ["abba", "abxba"], ["aba"]),
        ("a/*/b", ["a/x/b"], ["a/b", "a/x/y/b"]),
        ("a//b", [], ["a/b", "a"]),
        ("", [], ["a"]),
        ("/", [], ["a"]),
    ],
)
def test_git_semantics(pattern: str, covered_paths: list[str], other_paths: list[str]) -> None:
    glob = read(pattern)
    answers = {path: glob.covers(path, False) for path in covered_paths + other_paths}
    assert answers == {path: path in covered_paths for path in covered_paths + other_paths}


@pytest.mark.parametrize(
    ("pattern", "covered_paths", "other_paths"),
    [
        ("./config.yml", ["config.yml"], ["sub/config.yml"]),
        ("./data/", ["data/x"], ["sub/data/x", "data"]),
        ("src/{core,ui}/*.{ts,tsx}", ["src/core/a.ts", "src/ui/b.tsx"], ["src/api/a.ts", "src/core/a.js"]),
        ("shard{1..3}/", ["shard1/x", "shard3/x"], ["shard4/x", "shard/x", "shard1..3/x"]),
        ("{01..10..3}", ["01", "04", "07", "10"], ["1", "02", "4"]),
        ("{3..1}", ["1", "2", "3"], ["0", "4"]),
        ("{-1..1}", ["-1", "0", "1"], ["2"]),
        ("{001..2}", ["001", "002"], ["1", "2"]),
        ("{a..e..2}", ["a", "c", "e"], ["b", "d"]),
        ("{Z..a}", ["Z", "[", "\\", "_", "a"], ["b", "Y"]),
        ("x{,y}", ["x", "xy"], ["x{,y}"]),
        ("{a,b{c,d}}", ["a", "bc", "bd"], ["b", "c"]),
        ("{a,b}{c,d}", ["ac", "bd"], ["ab"]),
        ("{x}", ["{x}"], ["x"]),
        ("{}", ["{}"], ["x"]),
        ("{draft", ["{draft"], ["draft"]),
        ("draft}", ["draft}"], ["draft"]),
        ("{a..}", ["{a..}"], ["a"]),
        ("{a..3}", ["{a..3}"], ["a"]),
        ("{1..3,5}", ["1..3", "5"], ["2"]),
        ("{{a,b}", ["{a", "{b"], ["a"]),
        ("{x{a,b}}", ["{xa}", "{xb}"], ["xa"]),
        ("d/${a,b}.txt", ["d/${a,b}.txt"], ["d/$a.txt"]),
        ("{${a,b},c}", ["${a,b}", "c"], ["$a", "b"]),
        ("\\${a,b}", ["$a", "$b"], ["${a,b}"]),
        ("${a", ["${a"], ["a"]),
        ("{a\\,b}", ["{a,b}"], ["a"]),
        ("\\{a,b}", ["{a,b}"], ["a"]),
        ("{a,b/c}", ["a", "x/a", "b/c"], ["x/b/c"]),
        ("{./a,b}", ["a", "b", "x/b"], ["x/a"]),
        ("{a/,b}", ["a/x", "b"], ["a"]),
        ("[{a,b}]", ["a", "b"], ["{", "[a]"]),
        ("#notes", ["#notes", "docs/#notes"], ["notes"]),
        ("#tmp/", ["#tmp/x"], ["tmp/x"]),
        ("{!,#}keep", ["!keep", "#keep"], ["keep"]),
        ("\\!secret", ["!secret"], ["secret"]),
        ("n{1..1000}", ["n1", "n1000"], ["n0", "n1001"]),
    ],
)
def test_what_differs_from_git(pattern: str, covered_paths: list[str], other_paths: list[str]) -> None:
    glob = read(pattern)
    answers = {path: glob.covers(path, False) for path in covered_paths + other_paths}
    assert answers == {path: path in covered_paths for path in covered_paths + other_paths}


@pytest.mark.parametrize(
    ("pattern", "path", "as_file", "as_directory"),
    [
        ("build/", "build", False, True),
        ("build/", "build/x", True, True),
        ("build", "build", True, True),
        ("a/**", "a", False, False),
        ("a/*", "a", False, False),
        ("a/**/", "a/x", False, True),
        ("a/**/", "a", False, False),
        ("**/", "a", False, True),
        ("b**/", "bx", False, True),
        ("*", "", False, False),
        ("**", "", False, False),
        ("a//", "a", False, False),
    ],
)
def test_directories(pattern: str, path: str, as_file: bool, as_directory: bool) -> None:
    glob = read(pattern)
    assert (glob.covers(path, False), glob.covers(path, True)) == (as_file, as_directory)


@pytest.mark.parametrize(
    ("pattern", "path", "is_directory", "expected"),
    [
        ("src", "src", True, True),
        ("src", "src/a", False, False),
        ("src", "x/src", False, True),
        ("src/", "src", False, False),
        ("src/", "src", True, True),
        ("src/**", "src/a/b", False, True),
        ("src/**/", "src/a/b", False, False),
        ("src/**/", "src/a/b", True, True),
        ("a/b**", "a/b/c", False, True),
        ("a/b**/", "a/b/c", False, False),
        ("a/b**/", "a/b/c", True, True),
        ("**/a/**/b", "a/b/x/b", False, True),
        ("**/a/**/b", "a/b/x", False, False),
    ],
)
def test_matching_the_path_itself(pattern: str, path: str, is_directory: bool, expected: bool) -> None:
    assert read(pattern).matches(path, is_directory) is expected


@pytest.mark.parametrize(
    ("pattern", "kind", "start", "end"),
    [
        ("secrets[", "unclosed-class", 7, 8),
        ("a[]", "unclosed-class", 1, 2),
        ("a[!]", "unclosed-class", 1, 2),
        ("a[b\\]", "unclosed-class", 1, 2),
        ("a[[:alpha:]", "unclosed-class", 1, 2),
        ("*.{pem,key", "unclosed-brace", 2, 3),
        ("{a,{b}", "unclosed-brace", 0, 1),
        ("x{a{b,c", "unclosed-brace", 3, 4),
        ("[2024-06] R/**", "reversed-range", 4, 7),
        ("[z-\\a]", "reversed-range", 1, 5),
        ("[[:vowel:]]", "unknown-class", 1, 10),
        ("[[::]]", "unknown-class", 1, 5),
        ("dir\\", "trailing-backslash", 3, 4),
        ("dir\\/", "trailing-backslash", 3, 4),
        ("{a,b}[", "unclosed-class", 5, 6),
        ("{a,[}x", "unclosed-class", 3, 4),
        ("n{1..1001}", "too-many-expansions", 0, 10),
        ("{1..9999999}", "too-many-expansions", 0, 12),
        ("{1..100}{1..100}", "too-many-expansions", 0, 16),
        ("{{1..600},{1..600}}", "too-many-expansions", 0, 19),
        ("a\nb", "line-break", 1, 2),
        ("a\0", "line-break", 1, 2),
    ],
)
def test_broken_patterns(pattern: str, kind: str, start: int, end: int) -> None:
    error = fault(pattern)
    assert (error.kind, error.start, error.end) == (kind, start, end)


def test_limits() -> None:
    assert read("a" * 1024).covers("a" * 1024, False)
    assert (fault("a" * 1025).kind, fault("a" * 1025).start) == ("too-long", 1024)
    assert len(read("{1..10}{1..10}{1..10}").alternatives) == 1000
    assert fault("{a," * 341 + "b").kind == "unclosed-brace"
    assert len(read("{a," * 255 + "b" + "}" * 255).alternatives) == 256
    assert fault("{a,b}" * 200).kind == "too-many-expansions"
    assert fault("{1.." + "9" * 1000 + "}").kind == "too-many-expansions"


def test_messages_say_what_is_wrong() -> None:
    assert fault("[z-a]").message == "has the range `z-a`, which is backwards"
    assert fault("[[:vowel:]]").message == "has `[:vowel:]`, which is no character class"
    assert fault("{a,b").message == "has a `{` that is never closed"
    assert fault("{1..1001}").message == "expands to more than 1000 patterns"


def test_tree_with_places() -> None:
    (only,) = read("./src/**/[!a-c[:digit:]]?x\\**.py/ ").alternatives
    assert (only.anchored, only.directory_only) == (True, True)
    assert only.segments == (
        Name((Literal("src", 2, 5),), 2, 5),
        AnyDirectories(0, 6, 8),
        Name(
            (
                CharacterClass((ClassRange("a", "c"), PosixClass("digit")), True, "[!a-c[:digit:]]", 9, 24),
                AnyCharacter(24, 25),
                Literal("x", 25, 26),
                Literal("*", 26, 28),
                Star(28, 29),
                Literal(".py", 29, 32),
            ),
            9,
            32,
        ),
    )


def test_tree_of_braces_keeps_places() -> None:
    first, second, third, fourth = read("{a,bc}{8..9}x").alternatives
    assert [item.text for item in (first, second, third, fourth)] == ["a8x", "a9x", "bc8x", "bc9x"]
    assert fourth.segments == (
        AnyDirectories(0, 3, 3),
        Name((Literal("bc", 3, 5), Literal("9", 6, 12), Literal("x", 12, 13)), 3, 13),
    )


def test_tree_of_trailing_and_glued_double_stars() -> None:
    (trailing,) = read("a/**").alternatives
    assert trailing.segments == (Name((Literal("a", 0, 1),), 0, 1), AnyDirectories(1, 2, 4))
    wide, narrow = read("b**/a").alternatives
    assert wide.segments == (
        Name((Literal("b", 0, 1), Star(1, 3)), 0, 3),
        AnyDirectories(0, 1, 3),
        Name((Literal("a", 4, 5),), 4, 5),
    )
    assert narrow.segments == (Name((Literal("b", 0, 1), Literal("a", 4, 5)), 0, 5),)


@pytest.mark.parametrize(
    ("pattern", "anchored", "directory_only", "prefix", "path"),
    [
        ("config.yaml", False, False, "", "config.yaml"),
        ("/config.yaml", True, False, "", "config.yaml"),
        ("./config.yaml", True, False, "", "config.yaml"),
        ("src/a.py", True, False, "src", "src/a.py"),
        ("src/a.py/", True, True, "src", None),
        ("\\#x", False, False, "", "#x"),
        ("{x}", False, False, "", "{x}"),
        ("src/a\\*.py", True, False, "src", "src/a*.py"),
        ("src/lib/**/*.py", True, False, "src/lib", None),
        ("src/{a,b}.py", True, False, "src", None),
        ("src/{a,b}/x", True, False, "src", None),
        ("src/core/{a,b}/x", True, False, "src/core", None),
        ("{src,lib}/x", True, False, "", None),
        ("**/a/b", True, False, "", None),
        ("*.py", False, False, "", None),
        ("a[b]c", False, False, "", None),
        ("a//b", True, False, "a", None),
        ("/", False, False, "", None),
        ("{a,b/}", False, False, "", None),
    ],
)
def test_properties(pattern: str, anchored: bool, directory_only: bool, prefix: str, path: str | None) -> None:
    glob = read(pattern)
    assert (glob.anchored, glob.directory_only) == (anchored, directory_only)
    assert (glob.literal_prefix, glob.literal_path) == (prefix, path)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        (".ENV", ".env", True),
        (".env", ".ENV", True),
        (".env", "environment", False),
        ("*.Pem", "x/A.pEM", True),
        ("[A-C]x", "bX", True),
        ("[!a]x", "ax", False),
        ("[!a]x", "Ax", True),
        ("[!A]x", "ax", True),
        ("[!a-c]x", "Bx", True),
        ("[!a-c]x", "bx", False),
        ("straße", "STRASSE", True),
        ("STRASSE", "straße", True),
        ("stra?e", "STRAẞE", True),
        ("file", "ﬁle", True),
        ("ΣΟΦΟΣ", "σοφος", True),
        ("k", "\u212a", True),
        ("a.py", "a.pyc", False),
        ("ab*ßa", "absSA", True),
        ("ab*ßa", "abSA", False),
    ],
)
def test_folded_case(pattern: str, path: str, expected: bool) -> None:
    glob = read(pattern)
    assert glob.covers(path, False, fold_case=True) is expected


def test_exact_case_by_default() -> None:
    assert not read(".env").covers(".ENV", False)
    assert not read("straße").covers("strasse", False)


def test_normal_form() -> None:
    decomposed = read("cafe\u0301/?.md")
    assert decomposed.composed.text == "café/?.md"
    assert decomposed.composed.covers("café/é.md", False)
    assert not decomposed.covers("café/é.md", False)
    assert read("a*").composed is read("a*")
    # Composed, the range would be backwards.
    assert read("[\u00c6-\u212b]").composed is read("[\u00c6-\u212b]")


_CHARACTERS = st.text(alphabet="ab*?[]!^-\\/é.: ", min_size=1, max_size=12)
_PIECES = st.lists(
    st.sampled_from(
        [
            "a",
            "b",
            "é",
            "*",
            "**",
            "**/",
            "/**",
            "/",
            "?",
            "[ab]",
            "[!a-é]",
            "[]é-]",
            "[[:alpha:].]",
            "\\*",
            "\\/",
            "x/",
            " ",
        ]
    ),
    min_size=1,
    max_size=7,
).map("".join)
_NAMES = st.text(alphabet="abxé*-.] ", min_size=1, max_size=4)
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)


@given(pattern=_CHARACTERS | _PIECES, path=_PATHS, is_directory=st.booleans())
@example(pattern="[[::]a]", path="a", is_directory=False)
@example(pattern="a\\\\ ", path="a\\", is_directory=False)
@example(pattern="b**/**/a", path="bx/a", is_directory=False)
@settings(max_examples=1500, deadline=None)
def test_agrees_with_a_naive_matcher_of_the_text(pattern: str, path: str, is_directory: bool) -> None:
    glob = parse_glob(pattern)
    assume(isinstance(glob, Glob) and not pattern.startswith(("./", "!")))
    assert isinstance(glob, Glob)
    assert glob.covers(path, is_directory) == covered(pattern, path, is_directory)
    assert glob.matches(path, is_directory) == matched(pattern, path, is_directory)


@given(
    pattern=st.lists(
        st.sampled_from(["a", "b", "/", "*", "**/", "{a,b}", "{,/b}", "{1..2}", "{a,*b,b*}", "?", "[!a]", "./"]),
        max_size=6,
    ),
    path=_PATHS,
    is_directory=st.booleans(),
)
@settings(max_examples=800, deadline=None)
def test_the_tree_says_all(pattern: list[str], path: str, is_directory: bool) -> None:
    glob = read("".join(pattern))
    assert glob.matches(path, is_directory) == walked(glob, path, is_directory)
    parts = path.split("/")
    ancestors = ["/".join(parts[:count]) for count in range(1, len(parts))]
    assert glob.covers(path, is_directory) == (
        walked(glob, path, is_directory) or any(walked(glob, ancestor, True) for ancestor in ancestors)
    )


@given(pattern=_CHARACTERS | _PIECES, path=_PATHS)
@settings(max_examples=300, deadline=None)
def test_what_covers_a_file_covers_a_directory_of_that_name(pattern: str, path: str) -> None:
    glob = parse_glob(pattern)
    assume(isinstance(glob, Glob))
    assert isinstance(glob, Glob)
    if glob.covers(path, False):
        assert glob.covers(path, True)
        assert glob.covers(path, False, fold_case=True)


@given(text=st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_no_text_raises(text: str) -> None:
    glob = parse_glob(text)
    if isinstance(glob, Glob):
        glob.covers(text, True, fold_case=True)
        glob.matches(text, False)
    else:
        assert 0 <= glob.start < glob.end <= len(text)


_HOSTILE = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from rules_lsp.policy.glob import Glob, parse_glob
deep, flat = "/".join(["a"] * 2000), "a" * 4096
patterns = [
    "*a*a*a*a*a*a*ab", "*" * 500, "*a" * 500, "a*" * 500 + "b", "?*" * 500 + "b", "*[ab]" * 200 + "b",
    "**/a/" * 200 + "b", "**/*a*/" * 120 + "b", "**/" * 300 + "b", "a**/" + "**/" * 300 + "b", "*/" * 400 + "b",
    "{a,b}" * 9 + "*a*a*b", "{*a,*b}" * 9 + "b", "{a*b,**/a}" * 8, "[!b]" * 250, "[a-z]*" * 150 + "b",
    "{" * 1024, "{a," * 341, "{1..9999999}", "{a,b}" * 200, "**\\\\\\\\/" * 100 + "b",
    "*" + "a" * 512 + "b*" + "a" * 500,
]
asked = 0
for pattern in patterns:
    glob = parse_glob(pattern)
    if isinstance(glob, Glob):
        for path in (deep, flat, "a/" + flat, flat + "/" + deep):
            for fold_case in (False, True):
                glob.covers(path, True, fold_case=fold_case)
            glob.matches(path, False)
            asked += 1
print(asked)
"""


def test_hostile_patterns_stay_within_a_small_budget_of_processor_time() -> None:
    answer = subprocess.run([sys.executable, "-c", _HOSTILE], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "76\n", "")
