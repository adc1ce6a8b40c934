"""What is proved of lists of patterns, against the matchers of their entries for every path of a small world."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_lsp.policy.model import ListName
from rules_lsp.policy.patterns import ExcludeMatcher, IncludeMatcher, proofs
from rules_lsp.policy.patterns.proofs import covered_entries, dead_excludes, nothing_in_common, shadowed_includes

INCLUDE: ListName = "file_patterns.include"
EXCLUDE: ListName = "file_patterns.exclude"
TOKENS = ("a", "b", "B", "/", "/", "*", "?", "**", "**/", "/**", "[a]", "[!a]", "[ab]", "{a,b}", "!", "\\", " ", ".")
TEXTS = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6).map("".join)
LISTS = st.lists(TEXTS, min_size=1, max_size=4).map(tuple)
# Letters with two forms: of case, and of composition.
LETTERED = st.lists(
    st.sampled_from(("e", "é", "e\u0301", "\u0301", "k", "K", "\u212a", "ß", "s", "*", "?", "/", "[é]", "[!k]")),
    min_size=1, max_size=4,
).map("".join)  # fmt: skip
LETTERED_LISTS = st.lists(LETTERED, min_size=1, max_size=3).map(tuple)


def paths_of(letters: str, longest: int) -> list[str]:
    texts = ("".join(each) for length in range(1, longest + 1) for each in product(letters, repeat=length))
    return [text for text in texts if all(name not in ("", ".", "..") for name in text.split("/"))]


PATHS = [*paths_of("abc/", 5), "B", "aB", "B/a", ".a", "a.", "!a", "a b", "ab/ab/ab", "c/a/c/b/c", "a/.b", "[a]/b"]
LETTERED_PATHS = [
    *paths_of("ekKs\u0301/é", 3),
    "ss",
    "ß",
    "\u212a",
    "E",
    "É",
    "E\u0301",
    "SS",
    "s/ß",
    "k/ss",
    "\u212a/x",
]


@given(LISTS)
def test_an_include_that_another_covers_allows_nothing_by_itself(texts: tuple[str, ...]) -> None:
    for position, by in covered_entries(texts, INCLUDE):
        one, other = IncludeMatcher(texts[position]), IncludeMatcher(texts[by])
        for path in PATHS:
            for is_directory in (False, True, None):
                assert not one.covers(path, is_directory) or other.covers(path, is_directory)


@given(LISTS)
def test_an_exclude_that_another_covers_denies_nothing_by_itself(texts: tuple[str, ...]) -> None:
    for position, by in covered_entries(texts, EXCLUDE):
        assert_denies_as_much(texts[position], texts[by], PATHS)


@given(LETTERED_LISTS)
def test_letters_with_two_forms_in_an_exclude_that_another_covers(texts: tuple[str, ...]) -> None:
    for position, by in covered_entries(texts, EXCLUDE):
        assert_denies_as_much(texts[position], texts[by], LETTERED_PATHS)


def assert_denies_as_much(text: str, by: str, paths: list[str]) -> None:
    one, other = ExcludeMatcher(text), ExcludeMatcher(by)
    for path in paths:
        for is_directory in (False, True):
            for fold_case in (False, True):
                denied = one.covers(path, is_directory, fold_case=fold_case)
                assert not denied or other.covers(path, is_directory, fold_case=fold_case), path


@given(LISTS)
def test_what_remains_covers_all(texts: tuple[str, ...]) -> None:
    gone = {position for position, _ in covered_entries(texts, EXCLUDE)}
    rest = [ExcludeMatcher(text) for position, text in enumerate(texts) if position not in gone]
    for text in texts:
        matcher = ExcludeMatcher(text)
        for path in PATHS:
            assert not matcher.covers(path, None) or any(other.covers(path, None) for other in rest)


@given(LISTS, LISTS)
def test_of_a_shadowed_include_nothing_is_left(includes: tuple[str, ...], excludes: tuple[str, ...]) -> None:
    for position, by in shadowed_includes(includes, excludes):
        include = IncludeMatcher(includes[position])
        denying = [ExcludeMatcher(excludes[place]) for place in by]
        taken = [path for path in PATHS if include.covers(path, False)]
        assert all(any(exclude.covers(path, False) for exclude in denying) for path in taken)


@given(LISTS, LISTS)
def test_a_dead_exclude_takes_nothing_of_the_includes(excludes: tuple[str, ...], includes: tuple[str, ...]) -> None:
    assert_dead(excludes, includes, PATHS)


@given(LETTERED_LISTS, LETTERED_LISTS)
def test_letters_with_two_forms_in_a_dead_exclude(excludes: tuple[str, ...], includes: tuple[str, ...]) -> None:
    assert_dead(excludes, includes, LETTERED_PATHS)


def assert_dead(excludes: tuple[str, ...], includes: tuple[str, ...], paths: list[str]) -> None:
    dead = dead_excludes(excludes, includes)
    including = [IncludeMatcher(text) for text in includes]
    taken = [path for path in paths if any(include.covers(path, None) for include in including)] if dead else []
    for position in dead:
        exclude = ExcludeMatcher(excludes[position])
        assert not any(
            exclude.covers(path, False, fold_case=fold_case) for path in taken for fold_case in (False, True)
        )


@given(LISTS, LISTS)
def test_lists_with_nothing_in_common(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    if nothing_in_common(one, other):
        sides = [[IncludeMatcher(text) for text in texts] for texts in (one, other)]
        for path in PATHS:
            assert not all(any(matcher.covers(path, False) for matcher in side) for side in sides)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (("src/**", "src/app/*.py"), ((1, 0),)),
        (("src/app/*.py", "src/**"), ((0, 1),)),
        (("docs/", "/docs/**"), ((1, 0),)),
        (("/docs/**", "/docs/"), ((0, 1),)),
        (("**/a", "a"), ((1, 0),)),
        (("a", "a", "**"), ((0, 2),)),
        (("a", "A", "src", "/src/x"), ((3, 2),)),
        (("é", "e\u0301/x"), ((1, 0),)),
        (("[a-c]", "a", "b", "d"), ((1, 0), (2, 0))),
        # Together two cover the third, and none of them alone does.
        (("[a-c]", "[d-f]", "[a-f]"), ((0, 2), (1, 2))),
        (("[a-c]", "[d-g]", "[a-f]"), ((0, 2),)),
        (("[a", "!a", "", "/", "a//b", "**"), ()),
    ],
)
def test_covered_includes(texts: tuple[str, ...], found: tuple[tuple[int, int], ...]) -> None:
    assert covered_entries(texts, INCLUDE) == found


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        # `/docs/*` leaves the directory itself alone, `/docs/**` does not.
        (("/docs/**", "/docs/*"), ((1, 0),)),
        (("/docs/", "/docs/**"), ((1, 0),)),
        (("/docs/**", "/docs/"), ((1, 0),)),
        # A backslash may also be an escape: then the name is `secretsa`.
        (("secrets\\a", "secrets/**"), ()),
        (("secrets\\a", "secrets/**", "secrets*"), ((0, 2), (1, 2))),
        (("/", "keys", "**"), ((1, 0), (2, 0))),
        # On a volume that ignores case `[!a]` takes `A`, and also does not.
        (("B/x", "[!a]/x"), ()),
        (("B/x", "[bB]/x"), ((0, 1),)),
        (("É/x", "?/x"), ()),
        (("鍵/x", "鍵/**"), ((0, 1),)),
        # Brackets may also be a name: then the second one denies more.
        (("[ab]/x", "a/x", "b/x"), ((1, 0), (2, 0))),
        (("{a,b}/x", "/?/x", "[ab]/x"), ((0, 1),)),
    ],
)
def test_covered_excludes(texts: tuple[str, ...], found: tuple[tuple[int, int], ...]) -> None:
    assert covered_entries(texts, EXCLUDE) == found


def test_an_exclude_is_proved_as_it_is_rewritten() -> None:
    assert covered_entries(("/w/app/keys/**", "/keys/"), EXCLUDE, ("/w/app",)) == ((1, 0),)
    assert covered_entries(("/w/app/keys/**", "/keys/"), EXCLUDE) == ()


@pytest.mark.parametrize(
    ("includes", "excludes", "found"),
    [
        (("src/**", "docs/**"), ("src/",), ((0, (0,)),)),
        (("src/*.py",), ("docs/", "*.ts", "*.p?"), ((0, (2,)),)),
        (("/[ab]/**",), ("/a/**", "/b/**"), ((0, (0, 1)),)),
        (("/[abc]/**",), ("/a/**", "/b/**"), ()),
        (("lib/?/x",), ("*/[!m]/x", "*/m/*", "lib/q/**"), ((0, (0, 1)),)),
        (("src/app.py",), ("SRC/",), ()),
        (("a", "/", "[", "!b"), ("!a", "[a]"), ((0, (1,)),)),
    ],
)
def test_shadowed(
    includes: tuple[str, ...], excludes: tuple[str, ...], found: tuple[tuple[int, tuple[int, ...]], ...]
) -> None:
    assert shadowed_includes(includes, excludes) == found


@pytest.mark.parametrize(
    ("excludes", "includes", "found"),
    [
        (("docs/**", "src/gen/", "*.pem", "/lib/*.py"), ("src/**", "/lib/*.ts"), (0, 3)),
        (("docs/**",), ("*.md",), ()),
        (("SRC/x", "[d]ocs/x", "/?b/c"), ("src/**",), (1, 2)),
        (("/ss/x", "/k/x"), ("ß/**", "\u212a/**"), ()),
        (("/e?/x", "/f/x"), ("é/**",), (1,)),
        (("docs/**",), (), ()),
        (("docs/**",), ("/", "["), ()),
    ],
)
def test_dead(excludes: tuple[str, ...], includes: tuple[str, ...], found: tuple[int, ...]) -> None:
    assert dead_excludes(excludes, includes) == found


def test_a_long_list_is_given_up_when_it_has_cost_enough() -> None:
    hostile = tuple(f"*{number}*/**/x{number}?" for number in range(3000))
    assert covered_entries(("a/**", "a/b"), EXCLUDE) == ((1, 0),)
    assert covered_entries((*hostile, "a/**", "a/b"), EXCLUDE) == ()
    assert shadowed_includes((*hostile, "a/b"), (*hostile, "a/**")) == tuple((place, (place,)) for place in range(33))
    assert dead_excludes(("/[q]/x", "/a"), tuple(f"/y{text}" for text in hostile)) == ()


def test_of_a_list_without_measure_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MOST_PATTERNS", 50)
    longest = ("src/**", "src/a", *(f"x{number}" for number in range(48)))
    assert covered_entries(longest, "file_patterns.exclude") == ((1, 0),)
    assert covered_entries((*longest, "y"), "file_patterns.exclude") == ()
