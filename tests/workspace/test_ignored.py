from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rules_lsp.workspace.file_tree import FileTree
from rules_lsp.workspace.inventory import FileInventory

LISTS = {
    ".gitignore": "*.log\n!keep.log\n/build/\ntmp\n# no\n\\#yes\n[a-\ndeep/**/x\n",
    "src/.gitignore": "!a.log\r\n*.tmp\r\n/gen/*\r\n!gen/keep\r\n",
    "src/inner/.gitignore": "*\n!*.py\n",
    "build/.gitignore": "!*\n",
}
FILES = (
    "a.log",
    "keep.log",
    "build/out",
    "build/keep.log",
    "src/build/out",
    "tmp",
    "src/tmp/x",
    "#yes",
    "deep/a/b/x",
    "deep/x",
    "src/a.log",
    "src/b.log",
    "src/x.tmp",
    "x.tmp",
    "src/gen/a",
    "src/gen/keep",
    "src/inner/a.py",
    "src/inner/a.js",
    "src/inner/b.log",
    "local/secret",
    "a b.txt",
)


@pytest.fixture
def inventory(tmp_path: Path) -> FileInventory:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("/local\n")
    for name, text in {**dict.fromkeys(FILES, ""), **LISTS}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, newline="")
    files = FileTree(str(tmp_path)).update()
    assert files is not None
    return files


def test_what_git_ignores(inventory: FileInventory, tmp_path: Path) -> None:
    asked = "\0".join(inventory.files)
    command = ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"]
    answer = subprocess.run(command, cwd=tmp_path, input=asked, capture_output=True, text=True, check=True)
    expected = {path for path in answer.stdout.split("\0") if path}
    assert {"a.log", "build/keep.log", "local/secret", "src/inner/a.js"} <= expected
    assert inventory.ignored is not None
    assert {path for path in inventory.files if inventory.ignored.ignores(path)} == expected


def test_nothing_is_ignored_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("")
    files = FileTree(str(tmp_path)).update()
    assert files is not None
    assert files.ignored is not None
    assert not files.ignored.ignores("a.log")


def test_a_list_that_is_no_text_counts_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\n*.log\n")
    (tmp_path / "a.log").write_text("")
    files = FileTree(str(tmp_path)).update()
    assert files is not None
    assert files.ignored is not None
    assert files.ignored.ignores("a.log")


def test_files_of_which_the_root_is_not_known(tmp_path: Path) -> None:
    assert FileInventory(("a",), ()).ignored is None
