"""Reading what may be anything: exact answers for each kind of file, nothing that blocks, nothing left open."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from rules_lsp.policy.files import ABSENT, MAX_BYTES, FileContent, is_below, read_file

OUTSIDE = "it is a link to a file outside the project"
DANGLING = "it is a link to a file that does not exist"


def test_a_regular_file_is_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a: b\n\xff")
    assert read_file(str(tmp_path / "f")) == FileContent(True, b"a: b\n\xff")
    assert read_file(str(tmp_path / "f"), str(tmp_path.resolve())) == FileContent(True, b"a: b\n\xff")


@pytest.mark.parametrize(
    "name", ["none", "none/below", "file/below", "x" * 300, "nul\0byte", "half\ud800", "a/" * 3000]
)
def test_what_cannot_exist_is_absent(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    assert read_file(os.path.join(tmp_path, name)) == ABSENT


def test_a_directory_is_no_text(tmp_path: Path) -> None:
    assert read_file(str(tmp_path)) == FileContent(True, b"", "it is a directory")


def test_pipes_and_sockets_do_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert read_file(str(tmp_path / "fifo")) == FileContent(True, b"", "it is no regular file")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        found = read_file(str(tmp_path / "s"))
    assert (found.exists, found.data) == (True, b"")
    assert found.problem == "no such device or address"


@pytest.mark.parametrize("kind", ["directory", "fifo", "file", "dangling", "large"])
def test_no_descriptor_is_left_open(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    makers: dict[str, Callable[[], object]] = {
        "directory": path.mkdir,
        "fifo": lambda: os.mkfifo(path),
        "file": lambda: path.write_text("a"),
        "dangling": lambda: path.symlink_to("nowhere"),
        "large": lambda: path.write_bytes(b"a" * (MAX_BYTES + 1)),
    }
    makers[kind]()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(8):
        read_file(str(path))
    assert len(os.listdir("/proc/self/fd")) == before


def test_one_mebibyte_is_the_most(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"#" * MAX_BYTES)
    assert read_file(str(path)) == FileContent(True, b"#" * MAX_BYTES)
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    assert read_file(str(path)) == FileContent(True, b"#" * (MAX_BYTES + 1), "it is larger than 1 MiB")
    # A sparse file of a terabyte costs no more.
    os.truncate(path, 1 << 40)
    found = read_file(str(path))
    assert (len(found.data), found.problem) == (MAX_BYTES + 1, "it is larger than 1 MiB")


def test_links_stay_within(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "app"
    evil = tmp_path / "app-evil"
    root.mkdir()
    evil.mkdir()
    (root / "real").write_text("in")
    (evil / "real").write_text("out")
    for name, target in {
        "in": "real",
        "out": "../app-evil/real",
        "absolute": str(evil / "real"),
        "dangling": "nothing",
        "loop": "loop",
        "directory": "../app-evil",
        "twice": "in",
    }.items():
        (root / name).symlink_to(target)
    problems = {
        name: read_file(str(root / name), str(root)).problem
        for name in ("real", "in", "twice", "out", "absolute", "dangling", "loop", "directory/real")
    }
    assert problems == {
        "real": None,
        "in": None,
        "twice": None,
        "out": OUTSIDE,
        "absolute": OUTSIDE,
        "dangling": DANGLING,
        "loop": "a loop of links",
        "directory/real": OUTSIDE,
    }
    assert read_file(str(root / "out"), str(root)) == FileContent(True, b"out", OUTSIDE)
    assert read_file(str(root / "out")) == FileContent(True, b"out")


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f").write_text("a")

    def refuse(path: str, flags: int) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse)
    assert read_file(str(tmp_path / "f")) == FileContent(True, b"", "permission denied")


def test_a_directory_that_may_not_be_searched_hides_no_rule_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> os.stat_result:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "lstat", refuse)
    assert read_file(str(tmp_path / "f")) == FileContent(True, b"", "permission denied")


@pytest.mark.parametrize(
    ("data", "text", "problem"),
    [
        (b"", "", None),
        (b"a\r\n\xe3\x81\x82", "a\r\n\u3042", None),
        (b"\xef\xbb\xbfa", "a", None),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa", None),
        (b"a\xff", "", "it is not UTF-8 (byte 1): save it as UTF-8"),
        (b"\xff\xfea\0", "", "it is not UTF-8 (byte 0): save it as UTF-8"),
        (b"\xed\xa0\x80", "", "it is not UTF-8 (byte 0): save it as UTF-8"),
        (b"\xc0\xaf", "", "it is not UTF-8 (byte 0): save it as UTF-8"),
        (b"ab\xe3\x81", "", "it is not UTF-8 (byte 2): save it as UTF-8"),
    ],
)
def test_text(data: bytes, text: str, problem: str | None) -> None:
    assert FileContent(True, data).text() == (text, problem)


def test_what_was_not_read_is_no_text() -> None:
    assert FileContent(True, b"a", "it is larger than 1 MiB").text() == ("", "it is larger than 1 MiB")


@pytest.mark.parametrize(
    ("path", "directory", "expected"),
    [
        ("/w/app", "/w/app", True),
        ("/w/app/x", "/w/app", True),
        ("/w/app-evil", "/w/app", False),
        ("/w/app-evil/x", "/w/app", False),
        ("/w", "/w/app", False),
        ("/x", "/", True),
        ("/", "/", True),
    ],
)
def test_below_is_by_component(path: str, directory: str, expected: bool) -> None:
    assert is_below(path, directory) is expected


@pytest.mark.parametrize(
    ("name", "outside"),
    [
        ("plain", False),
        ("deep/plain", False),
        ("to-inside", False),
        ("to-outside", True),
        ("linked/secret", True),
        ("linked-inside/plain", False),
        ("deep/../plain", False),
        ("linked/../plain", True),
    ],
)
def test_a_way_out_is_found_at_every_step(tmp_path: Path, name: str, outside: bool) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    (root / "deep").mkdir(parents=True)
    (other / "inner").mkdir(parents=True)
    for path in (root / "plain", root / "deep" / "plain", other / "inner" / "secret", other / "plain"):
        path.write_text("x")
    (root / "to-inside").symlink_to("deep/plain")
    (root / "to-outside").symlink_to(other / "plain")
    (root / "linked").symlink_to(other / "inner")
    (root / "linked-inside").symlink_to("deep")
    found = read_file(f"{root}/{name}", str(root))
    assert (found.data, found.problem) == (b"x", "it is a link to a file outside the project" if outside else None)
