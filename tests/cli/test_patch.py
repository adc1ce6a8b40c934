"""Changes as patches: what git reads from them, whatever the name of the file holds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rules_lsp.cli.patch import change_as_patch, quoted, renaming_as_patch

NAMES = (
    b"plain",
    b"with blank/and tab\there",
    b"quo\"te and 'single'",
    b"back\\slash",
    b"line\nbreak",
    b"\xe6\x97\xa5\xe6\x9c\xac/\xc3\xa9",
    b"no text \xff",
    b"\x1b[31m\x7f",
    b"p\n+++ b/p\n@@ -1 +1 @@",
    b" leading and trailing ",
    b"-rf",
)


def apply(directory: Path, patch: str) -> int:
    data = patch.encode("utf-8")
    return subprocess.run(["git", "apply", "-"], input=data, capture_output=True, cwd=directory, check=False).returncode


@pytest.mark.parametrize("name", NAMES)
def test_git_applies_a_change_to_a_file_of_any_name(tmp_path: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(os.fsdecode(path)).write_bytes(b"a\r\nb\nc")
    assert apply(tmp_path, change_as_patch(os.fsdecode(name), "a\r\nb\nc", "a\r\nB\nc\n")) == 0
    assert Path(os.fsdecode(path)).read_bytes() == b"a\r\nB\nc\n"


@pytest.mark.parametrize("name", NAMES)
def test_git_applies_a_renaming_to_a_file_of_any_name(tmp_path: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(os.fsdecode(path)).write_bytes(b"a\n")
    assert apply(tmp_path, renaming_as_patch(os.fsdecode(name), os.fsdecode(name + b".new"))) == 0
    assert not os.path.lexists(path)
    assert Path(os.fsdecode(path + b".new")).read_bytes() == b"a\n"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a b", "a b"),
        ("\u65e5'", "\u65e5'"),
        ('a"', '"a\\""'),
        ("a\\b", '"a\\\\b"'),
        ("\a\b\t\n\v\f\r", '"\\a\\b\\t\\n\\v\\f\\r"'),
        ("\x1b\x7f\x85", '"\\033\\177\\302\\205"'),
        ("\udcff", '"\\377"'),
    ],
)
def test_a_name_is_quoted_where_it_must_be(name: str, written: str) -> None:
    assert quoted(name) == written


def test_the_heads_are_those_that_git_writes() -> None:
    assert change_as_patch("a b", "x\n", "y\n") == "--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n"
    assert (
        change_as_patch('q"', "", "y")
        == '--- "a/q\\""\n+++ "b/q\\""\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n'
    )
    assert renaming_as_patch("a b", 'a"') == (
        'diff --git a/a b "b/a\\""\nsimilarity index 100%\nrename from a b\nrename to "a\\""\n'
    )


def test_what_does_not_change_is_no_patch() -> None:
    assert change_as_patch("a", "x\n", "x\n") == ""
