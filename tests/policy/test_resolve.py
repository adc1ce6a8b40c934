"""Every name that a path goes by, with real links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.policy.resolve import Resolved, Resolver
from rules_lsp.policy.roots import Root
from tests.support.projects import build

LOOP = "the path runs through a loop of links or a link that cannot be read"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"file": "", "a/b/c": "", "a/data/k": "", "data": "", "deep/x/y/z": ""}
    links = {
        "to_file": "file",
        "to_dir": "a/b",
        "twice": "to_dir",
        "up": "../outside",
        "absolute": str(tmp_path.resolve() / "outside"),
        "self": "self",
        "ping": "pong",
        "pong": "ping",
        "dangling": "nothing/below",
        "within": str(tmp_path.resolve() / "app" / "a"),
        "a/through": "../to_dir/../data",
    }
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "f").write_text("")
    return build(tmp_path, files, links=links)


def resolved(root: Path, path: str) -> Resolved:
    """What a root-relative path resolves to, with names below the root as root-relative ones."""
    found = Resolver(Root.at(str(root))).resolve(os.path.join(str(root), path))
    names = tuple(os.path.relpath(name, root) for name in found.candidates)
    return Resolved(names, found.kind, found.refusal)


@pytest.mark.parametrize(
    ("path", "names", "kind"),
    [
        ("file", ["file"], "file"),
        ("a/b", ["a/b"], "directory"),
        (".", ["."], "directory"),
        ("", ["."], "directory"),
        ("none", ["none"], "missing"),
        ("none/below", ["none/below"], "missing"),
        ("file/below", ["file/below"], "missing"),
        ("./a//b/./c/", ["a/b/c"], "file"),
        ("to_file", ["to_file", "file"], "file"),
        ("to_dir/c", ["to_dir/c", "a/b/c"], "file"),
        ("to_dir/new", ["to_dir/new", "a/b/new"], "missing"),
        ("twice/c", ["twice/c", "to_dir/c", "a/b/c"], "file"),
        ("up", ["up", "../outside"], "directory"),
        ("up/f", ["up/f", "../outside/f"], "file"),
        ("absolute/f", ["absolute/f", "../outside/f"], "file"),
        ("dangling", ["dangling", "nothing/below"], "missing"),
        ("within/b/c", ["within/b/c", "a/b/c"], "file"),
        ("../outside/f", ["../outside/f"], "file"),
        ("..", [".."], "directory"),
        ("x" * 255, ["x" * 255], "missing"),
        ("x" * 300, ["x" * 300], "missing"),
    ],
)
def test_names(root: Path, path: str, names: list[str], kind: str) -> None:
    assert resolved(root, path) == Resolved(tuple(names), kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "names", "kind"),
    [
        # Without a link both readings agree.
        ("a/../file", ["file"], "file"),
        ("a/b/../../a/b/c", ["a/b/c"], "file"),
        # Behind a link they do not: `data` is a file, `a/data` a directory.
        ("to_dir/../data", ["data", "a/data"], "missing"),
        ("to_dir/../data/k", ["data/k", "a/data/k"], "missing"),
        ("to_dir/../b", ["b", "a/b"], "missing"),
        ("up/../file", ["file", "../file"], "missing"),
        ("a/through", ["a/through", "data", "a/data"], "directory"),
        # Whether a name that does not exist is left again depends on who follows it.
        ("none/../file", ["file"], "missing"),
    ],
)
def test_parents_are_taken_lexically_and_physically(root: Path, path: str, names: list[str], kind: str) -> None:
    found = resolved(root, path)
    assert (found.candidates[0], found.candidates[-1]) == (names[0], names[-1])
    assert set(names) <= set(found.candidates)
    assert (found.kind, found.refusal) == (kind, None)


@pytest.mark.parametrize("path", ["self", "self/below", "ping", "ping/below", "a/../self"])
def test_a_loop_is_refused(root: Path, path: str) -> None:
    assert resolved(root, path).refusal == LOOP


def test_forty_links_are_followed_and_no_more(root: Path) -> None:
    (root / "l0").symlink_to("file")
    for number in range(1, 41):
        (root / f"l{number}").symlink_to(f"l{number - 1}")
    assert resolved(root, "l39").refusal is None
    assert len(resolved(root, "l39").candidates) == 41
    assert resolved(root, "l40").refusal == LOOP


def test_what_was_met_before_changes_no_answer(root: Path) -> None:
    """One resolver for a batch gives the answers of a new one for each path."""
    paths = ["deep/x/y/z", "deep/x", "file/../deep/x", "file/../deep", "to_dir/../data", "a/data", "data",
             "a/b/..", "file/..", "none/../a", "twice/c", "to_dir", "a/through", "up/f", "deep/x/y/../y",
             "file/../a/b"]  # fmt: skip
    shared = Resolver(Root.at(str(root)))
    together = [shared.resolve(os.path.join(str(root), path)) for path in paths + paths]
    alone = [Resolver(Root.at(str(root))).resolve(os.path.join(str(root), path)) for path in paths + paths]
    assert together == alone
    kinds = dict(zip(paths, (found.kind for found in alone), strict=False))
    assert (kinds["file/../deep/x"], kinds["file/.."], kinds["a/b/.."]) == ("directory", "directory", "directory")


def test_links_in_the_path_of_the_root_are_no_hops(tmp_path: Path) -> None:
    root = build(tmp_path, {"f": ""})
    (tmp_path / "alias").symlink_to("app")
    given = Root.at(str(tmp_path.resolve() / "alias"))
    assert (given.given, given.real) == (str(tmp_path.resolve() / "alias"), str(root))
    found = Resolver(given).resolve(f"{given.given}/f")
    assert [given.relative(name) for name in found.candidates] == ["f", "f"]
    assert given.relative(f"{given.given}-evil/f") is None
    assert given.relative(f"{root}-evil/f") is None


def test_a_path_that_is_too_long_to_be_looked_up_is_refused(root: Path) -> None:
    levels = ["d" * 200] * 20
    current = os.open(root, os.O_RDONLY)
    for level in levels:
        os.mkdir(level, dir_fd=current)
        following = os.open(level, os.O_RDONLY, dir_fd=current)
        os.close(current)
        current = following
    # Whoever works in the deepest directory reaches the outside through this link.
    os.symlink(root.parent / "outside", "l" * 200, dir_fd=current)
    os.close(current)
    assert resolved(root, "/".join([*levels, "l" * 200])).refusal == "the path cannot be looked up (file name too long)"
    assert resolved(root, "/".join(levels[:15])).kind == "directory"


def test_a_file_name_that_is_no_text_is_followed(root: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    (root / "a" / name).symlink_to("../file")
    assert resolved(root, f"a/{name}").candidates == (f"a/{name}", "file")


def test_the_volume_is_asked_about_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Root.at(str(build(tmp_path, {"README": ""})))
    assert root.folds_case() is False
    really = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: really(str(path).replace("readme", "README")))
    assert root.folds_case() is True


def test_a_name_whose_other_case_no_volume_knows_is_not_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Root.at(str(build(tmp_path, {"\u00df": ""})))
    really = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: really(str(path).replace("/APP", "/app")))
    assert root.folds_case() is True


def test_a_name_that_goes_away_while_the_volume_is_asked_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Root.at(str(build(tmp_path, {"gone": ""})))
    really = os.lstat

    def lstat(path: str) -> os.stat_result:
        if path.casefold().endswith("gone"):
            raise FileNotFoundError(path)
        return really(path.replace("/APP", "/app"))

    monkeypatch.setattr(os, "lstat", lstat)
    assert root.folds_case() is True
