from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.policy.glob import Glob, parse_glob
from rules_lsp.workspace.glob_files import GlobFiles, start_of
from rules_lsp.workspace.walk import walk_chosen

FILES = (
    "README.md",
    "a.md/notes.txt",
    "a.md/deep/more.bin",
    "docs/guide.md",
    "docs/guide.mdx",
    "docs/md",
    "src/app.py",
    "src/cafe\u0301.md",
    "src/docs/x.py",
    "src/x.d.ts",
    "srcs/app.py",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("project")
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return str(root)


def glob_of(text: str) -> Glob:
    glob = parse_glob(text)
    assert isinstance(glob, Glob)
    return glob


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("*.md", ["README.md", "a.md/deep/more.bin", "a.md/notes.txt", "docs/guide.md", "src/cafe\u0301.md"]),
        ("*.md/", ["a.md/deep/more.bin", "a.md/notes.txt"]),
        ("docs/", ["docs/guide.md", "docs/guide.mdx", "docs/md", "src/docs/x.py"]),
        ("/docs/*", ["docs/guide.md", "docs/guide.mdx", "docs/md"]),
        ("md", ["docs/md"]),
        ("**/*\u00e9.md", ["src/cafe\u0301.md"]),
        ("*e\u0301.md", ["src/cafe\u0301.md"]),
        ("src/**/*.{py,ts}", ["src/app.py", "src/docs/x.py", "src/x.d.ts"]),
        ("src/*.p[xy]", ["src/app.py"]),
        ("*x", ["docs/guide.mdx"]),
        ("src", ["src/app.py", "src/cafe\u0301.md", "src/docs/x.py", "src/x.d.ts"]),
        ("*/*/*", ["a.md/deep/more.bin", "src/docs/x.py"]),
        ("/src/app.py", ["src/app.py"]),
        ("/src/app.py/", []),
        ("", []),
    ],
)
def test_the_files_that_a_glob_takes(project: str, text: str, files: list[str]) -> None:
    glob = glob_of(text)
    found = [path for paths in walk_chosen(project, GlobFiles(glob), start_of(glob)) for path in paths]
    assert found == files


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("src/**/*.py", "src"),
        ("/src/docs/x.py", "src/docs/x.py"),
        ("src/{a,b}/*", "src"),
        ("*.md", ""),
        ("/*.md", ""),
        ("docs/", ""),
        ("caf\u00e9/**", ""),
    ],
)
def test_where_the_search_begins(text: str, start: str) -> None:
    assert start_of(glob_of(text)) == start


def test_pieces_come_in_the_order_of_the_paths_and_none_is_empty(tmp_path: Path) -> None:
    for name in ("a/1", "b", "c/2", "c.d", "c0", "e"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    pieces = walk_chosen(str(tmp_path), lambda directory, names: [directory + name for name in names if name != "2"])
    assert list(pieces) == [["a/1"], ["b", "c.d"], ["c0", "e"]]
