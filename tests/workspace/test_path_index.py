"""Whatever the index leaves out, the glob does not cover."""

from __future__ import annotations

import random

import pytest

from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.path_index import PathIndex

PATHS = (
    "README.md", "a", "a-b", "a/b", "a/b.py", "a0", "docs/README.md", "docs/a/b/c.py", "src/App.PY", "src/a.py",
    "src/sub/a.py", "srca/x", "straße/x", "x\ny/z.py", "\u00e9/e\u0301.md",
)  # fmt: skip


def glob_of(text: str) -> Glob:
    found = parse_glob(text)
    assert isinstance(found, Glob)
    return found


@pytest.mark.parametrize(
    ("pattern", "covered"),
    [
        ("README.md", ["README.md", "docs/README.md"]),
        ("/README.md", ["README.md"]),
        ("/a", ["a", "a/b", "a/b.py"]),
        ("a/", ["a/b", "a/b.py", "docs/a/b/c.py"]),
        ("src/**", ["src/App.PY", "src/a.py", "src/sub/a.py"]),
        ("src/**/a.py", ["src/a.py", "src/sub/a.py"]),
        ("{a,docs}/**/*.py", ["a/b.py", "docs/a/b/c.py"]),
        ("{a,a/b}", ["a", "a/b", "a/b.py", "docs/a/b/c.py"]),
        ("a?", ["a0"]),
        ("z.py", ["x\ny/z.py"]),
        ("e\u0301/*.md", ["\u00e9/e\u0301.md"]),
        ("\u00e9.md", ["\u00e9/e\u0301.md"]),
        ("*.PY", ["src/App.PY"]),
        ("nothing/**", []),
        ("/", []),
    ],
)
def test_what_a_glob_covers(pattern: str, covered: list[str]) -> None:
    index = PathIndex(PATHS)
    found = list(index.covered(glob_of(pattern)))
    assert sorted(found) == covered
    assert (index.first(glob_of(pattern)) or "none") in (covered or ["none"])


def test_cases_may_be_folded() -> None:
    index = PathIndex(PATHS)
    assert sorted(index.covered(glob_of("SRC/*.py"), fold_case=True)) == ["src/App.PY", "src/a.py"]
    assert list(index.covered(glob_of("STRASSE/"), fold_case=True)) == ["straße/x"]
    assert index.first(glob_of("SRC/*.py")) is None
    assert index.first(glob_of("SRC/APP.*"), fold_case=True) == "src/App.PY"


def test_directories_are_covered_as_such() -> None:
    assert list(PathIndex(["build", "docs"], directories=True).covered(glob_of("build/"))) == ["build"]
    assert list(PathIndex(["build", "docs"]).covered(glob_of("build/"))) == []


def test_it_answers_as_every_path_on_its_own_would() -> None:
    dice = random.Random(7)
    parts = ("a", "b", "*", "**", "?", "/", "/", ".", "py", "[ab]", "{a,b}", "A", "\\*", "é", "s", "ß", "-")
    names = ("a", "b", "ab", "A", "a.py", "é", "a-b", "*", "ß", "ss", "sa")
    paths = sorted({"/".join(dice.choice(names) for _ in range(dice.randint(1, 4))) for _ in range(300)})
    index = PathIndex(paths)
    covered = 0
    for _ in range(1500):
        glob = parse_glob("".join(dice.choice(parts) for _ in range(dice.randint(1, 8))))
        if isinstance(glob, Glob):
            for fold_case in (False, True):
                wanted = [path for path in paths if glob.covers(path, False, fold_case=fold_case)]
                assert sorted(index.covered(glob, fold_case=fold_case)) == wanted, glob.text
                covered += len(wanted)
    assert covered > 10_000


def test_an_inventory_tells_what_lies_in_a_directory_and_what_lies_deeper() -> None:
    files = FileInventory(("a.py", "b/a.py", "b/c/d", "b-c/x"), ("b", "b-c", "b/c"))
    assert files.children("") == (("a.py",), ("b", "b-c"))
    assert files.children("b") == (("a.py",), ("c",))
    assert files.children("nothing") == ((), ())
    assert (files.deeper_file("a.py"), files.deeper_file("x"), files.deeper_file("b")) == ("b/a.py", "b-c/x", None)
    assert (files.deeper_directory("c"), files.deeper_directory("b")) == ("b/c", None)
    assert files.names == {"a.py", "b/a.py", "b/c/d", "b-c/x", "b", "b-c", "b/c"}
