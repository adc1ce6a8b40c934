from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.policy.model import Entry, ListName
from rules_lsp.policy.patterns import (
    ExcludeList,
    ExcludeMatcher,
    IncludeList,
    IncludeMatcher,
    NeverMatches,
    never_matches_in,
    read_pattern,
)
from rules_lsp.policy.patterns.lists import index_key
from rules_lsp.source.text import Span

ROOT = "/w/app"


def entries(texts: list[str], name: ListName = "file_patterns.exclude") -> list[Entry]:
    return [Entry(text, Span(0, 0), name, index) for index, text in enumerate(texts)]


def answers(matcher: ExcludeMatcher | IncludeMatcher, paths: list[str]) -> list[str]:
    """Those of the paths that are covered as paths that do not exist."""
    return [path for path in paths if matcher.covers(path, None)]


@pytest.mark.parametrize(
    ("pattern", "denied", "open_"),
    [
        ("secrets/", ["secrets", "secrets/k", "src/secrets/k"], ["secrets.md"]),
        ("secrets/**", ["secrets", "secrets/k/x"], ["src/secrets/k", "secrets.md"]),
        ("secrets/**/*", ["secrets", "secrets/k/x"], ["src/secrets/k"]),
        ("secrets/*", ["secrets/k", "secrets/k/x"], ["secrets"]),
        ("**/gen/**", ["gen", "a/gen", "a/gen/x"], ["a/generated"]),
        ("{a,b}/**", ["a", "b/x"], ["c", "x/a"]),
        ("a/**/", ["a/x/y", "a/x"], ["a"]),
        ("*", ["a", "a/b"], []),
        ("/", ["a", "a/b", ""], []),
        (".", ["a", "a/b", ""], []),
        ("./", ["a", "a/b", ""], []),
        ("/ ", ["a", ""], []),
        ("**", ["a", "a/b", ""], []),
        ("**/*", ["a", "a/b"], []),
        ("./.", ["a", "a/b"], []),
        ("!keep", [], ["keep", "!keep", "a"]),
        ("secrets\\**", ["secrets", "secrets/k", "secrets/a/k"], ["src/secrets/k", "secretsx"]),
        ("src\\app", ["src/app/x"], ["lib/src/app", "src/apple"]),
        ("src\\\\app", ["src/app"], ["src"]),
        ("\\secrets\\*", ["secrets/k"], ["src/secrets/k", "secrets"]),
        ("**\\*.pem", ["a/b/k.pem", "k.pem"], ["k.pem.txt"]),
        ("data\\*.csv", ["data*.csv", "data/x.csv"], ["datax.csv", "x.csv"]),
        ("app\\[id]\\page.tsx", ["app[id]/page.tsx", "app/i/page.tsx"], ["app/x/page.tsx"]),
        ("a\\*b", ["a*b"], ["axb", "a/xb"]),
        ("\\!secret.txt", ["!secret.txt"], ["secret.txt"]),
        ("\\#scratch#", ["#scratch#"], ["scratch"]),
        ("*\\.pem", ["a.pem", "x/a.pem"], ["apem"]),
        ("a\\ ", ["a "], ["a", "a/x"]),
        ("[a\\-z]x", ["-x", "ax"], ["bx", "a/bx"]),
        ("/w/app/secrets/**", ["secrets", "secrets/k", "w/app/secrets/k"], ["src/secrets/k", "app/secrets/k"]),
        ("/w/app", ["a", ""], []),
        ("/w/apple/x", ["w/apple/x"], ["x", "le/x"]),
        ("../app/x", ["x"], ["app/x", "y/x"]),
        ("../shared/**", [], ["shared/x", "lib/x"]),
        ("src/../secrets/", ["secrets/k"], ["src/secrets", "x/secrets/k"]),
        ("~/.ssh/**", [], [".ssh/x", "src/a"]),
        ("$HOME/x", [], ["x"]),
        ("a//b", ["a/b"], ["x/a/b", "a"]),
        ("a/./b", ["a/b"], ["x/a/b"]),
        (" secrets/", ["secrets/k", " secrets/k"], ["xsecrets/k"]),
        ("*.{pem, key}", ["a.pem", "a.key", "a. key"], ["a.txt"]),
        ("a, b", ["a, b"], ["a", "b"]),
        ("sec\u200brets/", ["secrets/k", "sec\u200brets/k"], ["sec-rets/k"]),
        ("\ufeff.env", [".env", "x/.env"], ["env"]),
        ("${workspaceFolder}/secrets/", ["secrets/k"], ["src/secrets/k"]),
        ("$PWD\\secrets\\**", ["secrets/k"], ["src/secrets/k"]),
        (".\\secrets\\**", ["secrets", "secrets/k"], ["src/secrets/k"]),
        ("#tmp/", ["#tmp/x"], ["tmp/x"]),
    ],
)
def test_excludes(pattern: str, denied: list[str], open_: list[str]) -> None:
    matcher = ExcludeMatcher(pattern, ROOT)
    assert matcher.broken is None
    assert answers(matcher, denied + open_) == denied


@pytest.mark.parametrize(
    ("pattern", "allowed", "others"),
    [
        ("src/**", ["src/a.py", "src/a/b"], ["src", "lib/a.py"]),
        ("build/", ["build/x"], ["build"]),
        ("**", ["a", "a/b"], [""]),
        ("/", [], ["a"]),
        (".", [], ["a"]),
        ("!src/**", [], ["src/a", "!src/a", "a"]),
        ("src\\app\\**", [], ["src/app/x.py"]),
        ("/w/app/src/**", ["w/app/src/x"], ["src/x"]),
        ("~/projects/**", [], ["projects/x.py"]),
        ("app/[id]/**", ["app/i/x"], ["app/[id]/x"]),
        ("Src/*", ["Src/a"], ["src/a"]),
        ("cafe\u0301/?", ["café/é", "cafe\u0301/e\u0301"], ["cafe/x", "café/éé"]),
        ("secrets[", [], ["secrets[", "secrets"]),
    ],
)
def test_includes_have_one_reading(pattern: str, allowed: list[str], others: list[str]) -> None:
    assert answers(IncludeMatcher(pattern), allowed + others) == allowed


def test_existing_files_and_directories() -> None:
    assert ExcludeMatcher("secrets/**").covers("secrets", True)
    assert not ExcludeMatcher("secrets/**").covers("secrets", False)
    assert not ExcludeMatcher("secrets/").covers("secrets", False)
    assert IncludeMatcher("build/").covers("build", True)
    assert not IncludeMatcher("build/").covers("build", False)


def test_brackets_that_name_something_are_also_literal(tmp_path: Path) -> None:
    page = ExcludeMatcher("app/[id]/**", str(tmp_path))
    asked = ["app/[id]/page.tsx", "app/[id]", "app/i/page.tsx", "app/x/page.tsx", "lib/[id]/page.tsx"]
    assert answers(page, asked) == ["app/i/page.tsx"]
    (tmp_path / "app/[id]").mkdir(parents=True)
    assert answers(page, asked) == ["app/[id]/page.tsx", "app/[id]", "app/i/page.tsx"]
    (tmp_path / "app/[id]").rmdir()
    assert answers(page, asked) == ["app/i/page.tsx"]


def test_brackets_at_any_depth_and_beside_classes(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/[draft].md").touch()
    draft = ["[draft].md", "x/[draft].md", "d.md", "x.md"]
    assert answers(ExcludeMatcher("[draft].md", str(tmp_path)), draft) == ["x/[draft].md", "d.md"]
    assert answers(ExcludeMatcher("/[draft].md", str(tmp_path)), draft) == ["d.md"]
    mixed = ExcludeMatcher("[a]/[b]/c", str(tmp_path))
    paths = ["a/b/c", "[a]/b/c", "a/[b]/c", "[a]/[b]/c", "[a]/x/c"]
    assert answers(mixed, paths) == ["a/b/c"]
    (tmp_path / "[a]").mkdir()
    assert answers(mixed, paths) == ["a/b/c", "[a]/b/c"]
    (tmp_path / "[a]/[b]").mkdir()
    assert answers(mixed, paths) == ["a/b/c", "[a]/b/c", "[a]/[b]/c"]
    assert answers(ExcludeMatcher("\\[a]", str(tmp_path)), ["[a]", "a"]) == ["[a]"]


def test_case_and_normal_form_of_excludes() -> None:
    matcher = ExcludeMatcher("cafe\u0301/")
    assert matcher.covers("cafe\u0301/x", False)
    assert matcher.covers("café/x", False)
    assert not matcher.covers("cafe/x", False)
    assert not matcher.covers("CAFÉ/x", False)
    assert matcher.covers("CAFÉ/x", False, fold_case=True)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("~", NeverMatches("home", None)),
        ("~/x", NeverMatches("home", None)),
        ("~user/x", NeverMatches("home", None)),
        ("$HOME/x", NeverMatches("home", None)),
        ("${HOME}/x", NeverMatches("home", None)),
        ("$TMPDIR/x", NeverMatches("variable", None)),
        ("%TEMP%/x", NeverMatches("variable", None)),
        ("$PWD/x", NeverMatches("variable", "/x")),
        ("${workspaceFolder}", NeverMatches("variable", "/")),
        ("../x", NeverMatches("parent", None)),
        ("src/../x", NeverMatches("parent", "/x")),
        ("src/**/../x", NeverMatches("parent", "/src/**/x")),
        ("secrets\\**", NeverMatches("backslash", "secrets/**")),
        ("src\\app\\*.py", NeverMatches("backslash", "src/app/*.py")),
        ("src\\..\\x", NeverMatches("backslash", "/x")),
        ("C:\\x", NeverMatches("drive", None)),
        ("c:/x", NeverMatches("drive", None)),
        ("a//b", NeverMatches("empty-segment", "a/b")),
        ("a/./b/", NeverMatches("dot-segment", "a/b/")),
        ("~x", None),
        ("~$*.docx", None),
        ("a~", None),
        ("x/~", None),
        ("$id.tsx", None),
        ("$RECYCLE.BIN/", None),
        ("x/$HOME", None),
        ("...", None),
        ("..a/b", None),
        ("a:b", None),
        ("C:", None),
        ("a\\*b", None),
        ("data\\*.csv", None),
        ("\\[x\\]", None),
        ("\\!x", None),
        ("a\\ b", None),
        ("[\\a]", None),
        ("./x", None),
        ("/", None),
        ("/etc/passwd", None),
        ("src/**/*.py", None),
    ],
)
def test_patterns_that_never_match(pattern: str, expected: NeverMatches | None) -> None:
    assert read_pattern(pattern, "file_patterns.exclude").never_matches == expected


def test_including_the_whole_project() -> None:
    for text in ("/", ".", "./"):
        assert read_pattern(text, "file_patterns.include").never_matches == NeverMatches("whole-project", "**")
    assert read_pattern("**", "file_patterns.include").never_matches is None


def test_absolute_patterns(tmp_path: Path) -> None:
    root, outside = tmp_path / "app", tmp_path / "other"
    (root / "etc").mkdir(parents=True)
    outside.mkdir()
    top = tmp_path.parts[1]

    def never(text: str) -> NeverMatches | None:
        return never_matches_in(read_pattern(text, "file_patterns.exclude"), str(root))

    assert never(f"{root}/secrets/**") == NeverMatches("absolute", "/secrets/**")
    assert never(f"{root}") == NeverMatches("absolute", "/")
    assert never(f"{root}-evil/x") is None
    assert never(f"{outside}/**") == NeverMatches("absolute", None)
    assert never(f"{outside}/absent") is None
    assert never("/etc/passwd") is None
    assert never("/*/x") is None
    assert never("/build/") is None
    assert never("src/x") is None
    assert never("../app/x") == NeverMatches("parent", "/x")
    (root / top).mkdir(exist_ok=True)
    assert never(f"{outside}/**") is None


def test_the_root_as_given_and_as_it_is() -> None:
    matcher = ExcludeMatcher("/link/app/secrets/", "/link/app", "/real/app")
    assert matcher.covers("secrets/k", False)
    assert ExcludeMatcher("/real/app/secrets/", "/link/app", "/real/app").covers("secrets/k", False)
    assert not ExcludeMatcher("/x/app/secrets/", "/link/app", "/real/app").covers("secrets/k", False)
    assert not ExcludeMatcher("/secret", "/").covers("x", False)


def test_a_home_inside_of_which_the_project_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/w")
    for text in ("~/app/secrets/", "$HOME/app/secrets/", "${HOME}/app/secrets/"):
        assert ExcludeMatcher(text, ROOT).covers("secrets/k", False)
        never = never_matches_in(read_pattern(text, "file_patterns.exclude"), ROOT)
        assert never == NeverMatches("home", "/secrets/")
    assert not ExcludeMatcher("~/lib/secrets/", ROOT).covers("secrets/k", False)


def test_reading() -> None:
    negated = read_pattern("!x[", "file_patterns.include")
    assert (negated.negated, negated.body, negated.body_start, negated.effect) == (True, "x[", 1, "excludes")
    assert negated.broken == "has a `[` that is never closed"
    assert negated.error is not None
    assert (negated.error.start, negated.error.end, negated.glob) == (1, 2, None)
    assert read_pattern("!x", "file_patterns.exclude").effect == "nothing"
    assert read_pattern("x", "file_patterns.include").effect == "includes"
    plain = read_pattern("x", "file_patterns.exclude")
    assert (plain.effect, plain.negated, plain.broken, plain.body_start) == ("excludes", False, None, 0)


def test_broken_excludes_cover_nothing_and_say_so() -> None:
    matcher = ExcludeMatcher("secrets[", ROOT)
    assert matcher.broken == "has a `[` that is never closed"
    assert not matcher.covers("secrets[", None)


def test_exclude_lists() -> None:
    texts = ["*.pem", "/src/gen/", "secrets/", "!logs/keep", "src/**/*.key", "x[", "test_?", "/"]
    found = ExcludeList(entries(texts[:-1]), ROOT)
    assert found.broken == (5,)
    assert found.first_covering("src/gen/a.pem", False) == 0
    assert found.all_covering("src/gen/a.pem", False) == [0, 1]
    assert found.all_covering("a/secrets/src/x.key", None) == [2]
    assert found.all_covering("src/a/x.key", None) == [4]
    assert found.all_covering("test_1", None) == [6]
    assert found.first_covering("logs/keep", None) is None
    assert found.first_covering("src/gen", False) is None
    assert found.first_covering("src/gen", None) == 1
    assert found.first_covering("SRC/GEN/x", None) is None
    assert found.first_covering("SRC/GEN/x", None, fold_case=True) == 1
    assert ExcludeList(entries(texts), ROOT).all_covering("any", None) == [7]
    assert [entry.text for entry in found.entries] == texts[:-1]


def test_negated_includes_are_excludes() -> None:
    listed = [*entries(["logs/"]), *entries(["src/**", "!src/gen/**", "!!x", "!y["], "file_patterns.include")]
    found = ExcludeList(listed, ROOT)
    assert found.all_covering("logs/x", None) == [0]
    assert found.all_covering("src/gen", None) == [2]
    assert found.all_covering("src/a", None) == []
    assert found.all_covering("!x", None) == [3]
    assert found.all_covering("x", None) == []
    assert found.broken == (4,)


def test_entries_that_were_found_broken_elsewhere() -> None:
    broken = Entry("a b", Span(0, 3), "file_patterns.exclude", 0, "is no pattern")
    assert ExcludeList([broken], ROOT).broken == (0,)
    assert ExcludeList([broken], ROOT).first_covering("a b", None) is None
    allowing = Entry("a b", Span(0, 3), "file_patterns.include", 0, "is no pattern")
    assert IncludeList([allowing]).first_covering("a b", None) is None


def test_include_lists() -> None:
    texts = ["src/**", "*.md", "!docs/x.md", "cafe\u0301/*", "x["]
    found = IncludeList(entries(texts, "file_patterns.include"))
    assert found.first_covering("src/a.md", False) == 0
    assert found.all_covering("src/a.md", False) == [0, 1]
    assert found.all_covering("docs/x.md", None) == [1]
    assert found.first_covering("café/x", None) == 3
    assert found.first_covering("cafe\u0301/x", None) == 3
    assert found.first_covering("SRC/a", None) is None
    assert found.first_covering("x[", None) is None


_TEXTS = st.lists(
    st.sampled_from(
        ["a", "B", "é", "ß", "*", "**/", "/**", "/", "?", "[ab]", "[!a]", ".x", "*.x", "{a,b}", "!", "\\", " ", ".."]
    ),
    min_size=1,
    max_size=5,
).map("".join)
_PATHS = st.lists(st.text(alphabet="abAB.xéßs[]!", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)


@given(texts=st.lists(_TEXTS, max_size=8), path=_PATHS, is_directory=st.sampled_from([None, True, False]))
@settings(max_examples=600, deadline=None)
def test_lists_answer_as_their_entries_do(texts: list[str], path: str, is_directory: bool | None) -> None:
    excluding = ExcludeList(entries(texts), ROOT)
    single = [ExcludeMatcher(text, ROOT) for text in texts]
    for fold_case in (False, True):
        expected = [index for index, item in enumerate(single) if item.covers(path, is_directory, fold_case=fold_case)]
        assert excluding.all_covering(path, is_directory, fold_case=fold_case) == expected
        assert excluding.first_covering(path, is_directory, fold_case=fold_case) == next(iter(expected), None)
    assert list(excluding.broken) == [index for index, item in enumerate(single) if item.broken is not None]
    including = IncludeList(entries(texts, "file_patterns.include"))
    allowing = [IncludeMatcher(text).covers(path, is_directory) for text in texts]
    assert including.all_covering(path, is_directory) == [index for index, item in enumerate(allowing) if item]


@given(text=_TEXTS, path=_PATHS, is_directory=st.sampled_from([None, True, False]))
@settings(max_examples=400, deadline=None)
def test_an_exclude_covers_no_less_than_an_include(text: str, path: str, is_directory: bool | None) -> None:
    if IncludeMatcher(text).covers(path, is_directory):
        assert ExcludeMatcher(text, ROOT).covers(path, is_directory)


def test_index_keys_are_coarser_than_every_comparison() -> None:
    differing = []
    for code in range(128, sys.maxunicode + 1):
        character = chr(code)
        twins = {character.lower(), character.upper(), character.title(), character.casefold()} - {character}
        for twin in twins:
            same = re.fullmatch(re.escape(twin), character, re.IGNORECASE) or twin.casefold() == character.casefold()
            if same and index_key(twin) != index_key(character):
                differing.append((character, twin))
    assert differing == []
    for group in ("iİıI", "sſS", "k\u212aK", "µμ", "ßẞ", "ﬅﬆ", "ΐ\u1fd3", "θϑϴ"):
        for one in group:
            for other in group:
                if re.fullmatch(re.escape(one), other, re.IGNORECASE):
                    assert index_key(one) == index_key(other)
