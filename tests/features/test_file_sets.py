from __future__ import annotations

import random
from pathlib import Path

import pytest

from rules_lsp.features.file_sets import TakenFiles, listed, once, taken_by, union
from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.workspace.file_tree import FileTree
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.path_index import PathIndex

FILES = ("README.md", "a/x.py", "a/y.md", "b/x.py", "caf\u00e9/z.md")


def glob_of(text: str) -> Glob:
    glob = parse_glob(text)
    assert isinstance(glob, Glob)
    return glob


def names(files: int, inventory: FileInventory) -> list[str]:
    return list(listed(files, inventory.files))


def test_the_files_that_patterns_take() -> None:
    inventory = FileInventory(FILES, ("a", "b", "caf\u00e9"))
    taken = TakenFiles(inventory)
    assert names(taken.by_include(glob_of("*.md")), inventory) == ["README.md", "a/y.md", "caf\u00e9/z.md"]
    assert names(taken.by_include(glob_of("a/**")), inventory) == ["a/x.py", "a/y.md"]
    assert names(taken.by_include(glob_of("cafe\u0301/**")), inventory) == ["caf\u00e9/z.md"]
    assert names(taken.by_include(glob_of("{a,b}/**")), inventory) == ["a/x.py", "a/y.md", "b/x.py"]
    assert names(taken.by_include(glob_of("A/**")), inventory) == []
    assert names(taken.by_exclude("A/**", (), True), inventory) == ["a/x.py", "a/y.md"]
    assert names(taken.by_exclude("A/**", (), False), inventory) == []
    assert names(taken.by_exclude("/", (), False), inventory) == list(FILES)
    assert names(taken.named(["b/x.py", "b", "zzz", "README.md"]), inventory) == ["README.md", "b/x.py"]
    assert names(taken.all, inventory) == list(FILES)


def test_a_project_without_files_has_empty_sets() -> None:
    taken = TakenFiles(FileInventory((), ()))
    assert (taken.by_include(glob_of("**")), taken.by_exclude("**", (), False), taken.all) == (0, 0, 0)


def test_sets_together() -> None:
    assert union([0b0011, 0b0101]) == 0b0111
    assert once([0b0011, 0b0101, 0b1001]) == 0b1110


def test_what_is_remembered_is_moved_and_not_looked_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a/x.py", "b/y.py", "c.md", "d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    tree = FileTree(str(tmp_path))
    before = tree.update()
    assert before is not None
    glob = glob_of("*.py")
    assert names(taken_by(before).by_include(glob), before) == ["a/x.py", "b/y.py", "d.py"]
    assert names(taken_by(before).by_exclude("/b/", (), False), before) == ["b/y.py"]
    (tmp_path / "a" / "x.py").unlink()
    for name in ("a/w.py", "a/w.md", "b/z.py", "e.py"):
        (tmp_path / name).touch()
    after = tree.update()
    assert after is not None

    def looked_up(*_: object, **__: object) -> object:
        raise AssertionError("looked up again")

    monkeypatch.setattr(PathIndex, "positions", looked_up)
    taken = taken_by(after)
    assert names(taken.by_include(glob), after) == ["a/w.py", "b/y.py", "b/z.py", "d.py", "e.py"]
    assert names(taken.by_exclude("/b/", (), False), after) == ["b/y.py", "b/z.py"]


@pytest.mark.parametrize("seed", range(20))
def test_moved_sets_are_those_that_a_search_finds(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    texts = ("*.py", "a/**", "**/b/*", "{a,c}/*.md", "b", "**")
    tree = FileTree(str(tmp_path))
    for _ in range(6):
        for _ in range(dice.randrange(8)):
            path = tmp_path / dice.choice("abc") / f"{dice.choice('abcdef')}.{dice.choice(('py', 'md'))}"
            path.parent.mkdir(exist_ok=True)
            path.unlink() if path.exists() else path.touch()
        inventory = tree.update()
        assert inventory is not None
        taken, fresh = taken_by(inventory), TakenFiles(inventory)
        for text in texts:
            assert taken.by_include(glob_of(text)) == fresh.by_include(glob_of(text))
            assert taken.by_exclude(text, (), True) == fresh.by_exclude(text, (), True)
