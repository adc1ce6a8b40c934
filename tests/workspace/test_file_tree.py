from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.workspace.file_tree import FileTree
from rules_lsp.workspace.inventory import FileInventory

LONG_AGO = 1_500_000_000


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def age(root: Path) -> None:
    """Let every directory have settled long ago."""
    for directory, _, _ in os.walk(root):
        os.utime(directory, (LONG_AGO, LONG_AGO))


def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The directories that are listed from here on."""
    seen: list[str] = []
    scandir = os.scandir

    def noted(path: str) -> object:
        seen.append(os.path.basename(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    return seen


def known(files: FileInventory | None) -> FileInventory:
    assert files is not None
    return files


def test_every_file_but_gits_own(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a/x", "a/c/y", "a-b/z", ".git/config", "sub/.git", "sub/.gitignore", "node_modules/m/i.js")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    files = known(FileTree(str(tmp_path)).update())
    assert files.files == ("a-b/z", "a/c/y", "a/x", "b.py", "link", "node_modules/m/i.js", "sub/.gitignore")
    assert files.directories == ("a", "a-b", "a/c", "empty", "node_modules", "node_modules/m", "sub")
    assert (files.complete, files.capped, files.root) == (True, False, str(tmp_path))


def test_nothing_new_is_the_same_inventory_and_lists_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a/x", "b/y")
    age(tmp_path)
    tree = FileTree(str(tmp_path))
    first = tree.update()
    seen = listed(monkeypatch)
    assert tree.update() is first
    assert seen == []


def test_only_what_changed_is_listed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a/x", "b/y", "b/c/z")
    age(tmp_path)
    tree = FileTree(str(tmp_path))
    tree.update()
    write(tmp_path, "b/new", "b/d/deep/w")
    (tmp_path / "a" / "x").write_text("changed")
    seen = listed(monkeypatch)
    assert known(tree.update()).files == ("a/x", "b/c/z", "b/d/deep/w", "b/new", "b/y")
    assert sorted(seen) == ["b", "d", "deep"]


def test_a_directory_that_has_just_changed_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a/x")
    tree = FileTree(str(tmp_path))
    first = tree.update()
    seen = listed(monkeypatch)
    assert tree.update() is first
    assert sorted(seen) == ["a", tmp_path.name]


def test_suspects_alone_are_looked_at(tmp_path: Path) -> None:
    write(tmp_path, "a/x", "b/y")
    tree = FileTree(str(tmp_path))
    tree.update()
    write(tmp_path, "a/new", "b/new", "a/c/z")
    assert known(tree.update(suspects=["a"])).files == ("a/c/z", "a/new", "a/x", "b/y")
    assert known(tree.update()).files == ("a/c/z", "a/new", "a/x", "b/new", "b/y")


def test_what_has_gone_is_forgotten(tmp_path: Path) -> None:
    write(tmp_path, "a/x", "a/b/y", "z")
    tree = FileTree(str(tmp_path))
    tree.update()
    (tmp_path / "a").rename(tmp_path / "c")
    files = known(tree.update(suspects=["", "a", "c"]))
    assert (files.files, files.directories) == (("c/b/y", "c/x", "z"), ("c", "c/b"))
    (tmp_path / "c" / "b" / "y").unlink()
    (tmp_path / "c" / "b").rmdir()
    (tmp_path / "c" / "b").write_text("now a file")
    files = known(tree.update())
    assert (files.files, files.directories) == (("c/b", "c/x", "z"), ("c",))


def test_an_empty_directory_that_comes_and_goes(tmp_path: Path) -> None:
    write(tmp_path, "x")
    tree = FileTree(str(tmp_path))
    tree.update()
    (tmp_path / "d").mkdir()
    assert known(tree.update()).directories == ("d",)
    (tmp_path / "d").rmdir()
    assert known(tree.update()).directories == ()


@pytest.mark.parametrize(("limit", "number", "capped"), [(3, 3, True), (4, 4, False), (5, 4, False)])
def test_the_cap_says_when_it_is_reached(tmp_path: Path, limit: int, number: int, capped: bool) -> None:
    write(tmp_path, "a/1", "a/2", "b/3", "4")
    files = known(FileTree(str(tmp_path), limit).update())
    assert (len(files.files), files.complete, files.capped) == (number, not capped, capped)


def test_a_tree_that_shrinks_below_the_cap_is_whole_again(tmp_path: Path) -> None:
    write(tmp_path, "a/1", "a/2", "b/3", "4")
    tree = FileTree(str(tmp_path), 3)
    tree.update()
    (tmp_path / "4").unlink()
    files = known(tree.update())
    assert (files.files, files.complete, files.capped) == (("a/1", "a/2", "b/3"), True, False)


def test_a_cancelled_scan_teaches_nothing(tmp_path: Path) -> None:
    write(tmp_path, *(f"d/{number}" for number in range(1000)))
    tree = FileTree(str(tmp_path))
    told: list[int] = []

    def cancel(number: int) -> bool:
        told.append(number)
        return False

    assert tree.update(cancel) is None
    assert told == [1000]
    assert len(known(tree.update(lambda number: True)).files) == 1000


def test_a_root_that_is_not_there_has_no_files_and_is_not_known(tmp_path: Path) -> None:
    files = known(FileTree(str(tmp_path / "none")).update())
    assert (files.files, files.complete) == ((), False)


def test_few_changes_are_told_by_their_places(tmp_path: Path) -> None:
    write(tmp_path, "a/x", "b/y", "c/z", "d")
    tree = FileTree(str(tmp_path))
    first = known(tree.update())
    (tmp_path / "b" / "y").unlink()
    (tmp_path / "d").unlink()
    write(tmp_path, "a/w", "a/y", "e/f/g")
    second = known(tree.update())
    assert second.files == ("a/w", "a/x", "a/y", "c/z", "e/f/g")
    assert second.directories == ("a", "b", "c", "e", "e/f")
    assert second.change is not None
    assert second.change.before() is first
    assert (second.change.removed, second.change.added) == ((3, 1), (0, 2, 4))


def test_what_a_directory_takes_with_it_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a/b/x", "a/y", "z")
    tree = FileTree(str(tmp_path))
    tree.update()
    (tmp_path / "a").rename(tmp_path / "c")
    files = known(tree.update(suspects=[""]))
    assert files.files == ("c/b/x", "c/y", "z")
    assert files.change is not None
    assert (files.change.removed, files.change.added) == ((1, 0), (0, 1))


def test_many_changes_are_not_told(tmp_path: Path) -> None:
    write(tmp_path, "a")
    tree = FileTree(str(tmp_path))
    assert known(tree.update()).change is None
    write(tmp_path, *(f"d/{number}" for number in range(201)))
    files = known(tree.update())
    assert (len(files.files), files.change) == (202, None)
