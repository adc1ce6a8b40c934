from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.workspace.walk import walk


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a/b", "a-b", "a/c/d", "a0", ".git/config", "e/.git"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("a")
    return tmp_path


@pytest.mark.parametrize(
    ("below", "files"),
    [
        ("", ["a-b", "a/b", "a/c/d", "a0", "link"]),
        ("a", ["a/b", "a/c/d"]),
        ("a/c", ["a/c/d"]),
        ("a/b", ["a/b"]),
        ("link", ["link"]),
        ("link/c", []),
        ("a/b/c", []),
        ("nothing", []),
        (".git", []),
        ("a\0b", []),
    ],
)
def test_files_come_in_the_order_of_their_paths(project: Path, below: str, files: list[str]) -> None:
    assert list(walk(str(project), below)) == files


def test_a_directory_that_cannot_be_looked_into_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path.endswith("/a/c/"):
            raise PermissionError(path)
        return scandir(path)

    monkeypatch.setattr("rules_lsp.workspace.walk.os.scandir", refusing)
    told: list[str] = []
    assert list(walk(str(project), "", told.append)) == ["a-b", "a/b", "a0", "link"]
    assert told == ["a/c"]
