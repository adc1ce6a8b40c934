"""What is refused as no path at all, and where an ordinary path starts."""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path

import pytest

from rules_lsp.policy.config import Config
from rules_lsp.policy.requests import MAX_PATH_BYTES, AskedPath, Refusal, asked_path, asked_uri, shown
from rules_lsp.policy.roots import Root

ROOT = Root("/w/app", "/w/app")


def asked(path: object, cwd: object = None, root: Root = ROOT, **config: tuple[tuple[str, str], ...]) -> str | None:
    """The absolute path of a request, or None where it is refused."""
    found = asked_path(path, cwd, root, Config(path_map=config.get("path_map", ())))
    return found.absolute if isinstance(found, AskedPath) else None


def reason(path: object, cwd: object = None) -> str:
    found = asked_path(path, cwd, ROOT, Config())
    assert isinstance(found, Refusal)
    return found.reason


@pytest.mark.parametrize(
    "path",
    ["a", "a b", " a", "a ", "a.", "[id]", "$id.tsx", "$lower", "$Mixed", "%20", "a:b", "ab:c", "C:rel", "1:/x", "a~",
     "~$doc.docx", "~1", "a/~", "a/$HOME", "$HOMEx/$", "%home%", "%A", "{a,b}", "-rf", "a::b", "\u3042",
     "\U0001f600", "a\u200bb",
     "a\u202eb", "\u2028", "a\\b", "*", "?", "'", '"', "`", "|", "<", "&", ";", "#a", "!a", "...", ".", "..", "../x",
     "a/../../x",
     "file:///w/app/x", "$", "$$", "${", "%%", "$1", "\ufeff", "CON", "nul.txt"],
)  # fmt: skip
def test_an_ordinary_name_is_a_path(path: str) -> None:
    assert asked(path) == f"/w/app/{path}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", "the path is empty"),
        (None, "the path must be a text"),
        (1, "the path must be a text"),
        (["a"], "the path must be a text"),
        (b"a", "the path must be a text"),
        (True, "the path must be a text"),
        ("a\0", "the path holds a control character"),
        ("a\n", "the path holds a control character"),
        ("a\x7f", "the path holds a control character"),
        ("a\x85", "the path holds a control character"),
        ("a\ud800", "the path holds half of a character (a lone surrogate)"),
        ("a\udcff", "the path holds half of a character (a lone surrogate)"),
        ("\\\\server\\share", "`\\\\server\\share` is a network or device path"),
        ("//server/share", "`//server/share` is a network or device path"),
        ("\\\\?\\C:\\x", "`\\\\?\\C:\\x` is a network or device path"),
        ("\\\\.\\pipe\\x", "`\\\\.\\pipe\\x` is a network or device path"),
        ("/\\x", "`/\\x` is a network or device path"),
        ("\\/x", "`\\/x` is a network or device path"),
        ("C:\\x", "`C:\\x` is a path of another system"),
        ("c:/x", "`c:/x` is a path of another system"),
        ("a::$DATA", "`a::$DATA` names a stream of a file"),
        ("a/b::$INDEX_ALLOCATION/c", "`a/b::$INDEX_ALLOCATION/c` names a stream of a file"),
        ("~", "`~` begins with `~`, which a shell would replace: give the real path"),
        ("~/x", "`~/x` begins with `~`, which a shell would replace: give the real path"),
        ("~root/x", "`~root/x` begins with `~root`, which a shell would replace: give the real path"),
        ("$HOME/x", "`$HOME/x` begins with `$HOME`, which a shell would replace: give the real path"),
        ("${HOME}/x", "`${HOME}/x` begins with `${HOME}`, which a shell would replace: give the real path"),
        ("%TEMP%\\x", "`%TEMP%\\x` begins with `%TEMP%`, which a shell would replace: give the real path"),
        ("$X", "`$X` begins with `$X`, which a shell would replace: give the real path"),
    ],
)
def test_what_is_no_path(path: object, expected: str) -> None:
    assert reason(path) == expected


def test_every_control_character_is_refused_and_nothing_else_is() -> None:
    refused = {chr(code) for code in range(sys.maxunicode + 1) if asked(f"a{chr(code)}b") is None}
    expected = {chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) in ("Cc", "Cs")}
    assert refused == expected


def test_a_character_of_each_category_is_ordinary_or_refused() -> None:
    seen: dict[str, str] = {}
    for code in range(sys.maxunicode + 1):
        seen.setdefault(unicodedata.category(chr(code)), chr(code))
    refused = {category for category, character in seen.items() if asked(f"a{character}b") is None}
    assert refused == {"Cc", "Cs"}
    assert len(seen) == 30


@pytest.mark.parametrize("character", ["a", "\u00e9", "\u3042", "\U0001f600"])
def test_the_length_counts_in_bytes(character: str) -> None:
    count = MAX_PATH_BYTES // len(character.encode())
    fits = character * count
    assert asked(fits) == f"/w/app/{fits}"
    assert reason(fits + character) == "the path is longer than 4,096 bytes"


def test_what_exists_literally_is_ordinary(tmp_path: Path) -> None:
    root = Root.at(str(tmp_path))
    for name in ("~", "$HOME", "${X}", "%A%", "~user"):
        assert asked(f"{name}/x", root=root) is None
        (tmp_path / name).mkdir()
        assert asked(f"{name}/x", root=root) == f"{tmp_path}/{name}/x"
    # It must exist where the path starts.
    (tmp_path / "sub").mkdir()
    assert asked("~/x", str(tmp_path / "sub"), root=root) is None
    (tmp_path / "sub" / "~").symlink_to("nowhere")
    assert asked("~/x", str(tmp_path / "sub"), root=root) == f"{tmp_path}/sub/~/x"


def test_where_a_path_starts() -> None:
    assert asked("a") == "/w/app/a"
    assert asked("a", "/w/app/sub") == "/w/app/sub/a"
    assert asked("../a", "/w/app/sub") == "/w/app/sub/../a"
    assert asked("/etc/x", "/w/app/sub") == "/etc/x"
    assert asked("a", "/elsewhere") == "/elsewhere/a"


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("sub", "the working directory `sub` is not absolute"),
        (".", "the working directory `.` is not absolute"),
        ("", "the working directory is empty"),
        (3, "the working directory must be a text"),
        ("/a\0", "the working directory holds a control character"),
        ("//server", "`//server` is a network or device path"),
        ("/\ud800", "the working directory holds half of a character (a lone surrogate)"),
    ],
)
def test_a_working_directory_that_is_none(cwd: object, expected: str) -> None:
    assert reason("a", cwd) == expected
    assert reason("/w/app/a", cwd) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/box/p", "/w/app"),
        ("/box/p/a", "/w/app/a"),
        ("/box/p/", "/w/app/"),
        ("/box/p-evil/a", "/box/p-evil/a"),
        ("/box/pa", "/box/pa"),
        ("/box", "/box"),
        ("/box/p/../q/a", "/box/p/../q/a"),
        ("/box/p/..", "/box/p/.."),
        ("/box/p/x/../a", "/w/app/x/../a"),
        ("/box/p/x/../../../w/app/a", "/box/p/x/../../../w/app/a"),
        ("/box/./p/a", "/box/./p/a"),
        ("a", "/w/app/a"),
    ],
)
def test_a_directory_of_the_agent_is_one_of_this_machine(path: str, expected: str) -> None:
    assert asked(path, path_map=(("/box/p", "/w/app"),)) == expected


def test_a_whole_file_system_can_be_mapped() -> None:
    assert asked("/a/b", path_map=(("/", "/w/app"),)) == "/w/app/a/b"
    assert asked("/", path_map=(("/", "/w/app"),)) == "/w/app/"
    assert asked("a", "/box/sub", path_map=(("/box", "/w/app"),)) == "/w/app/sub/a"


def test_a_uri_is_decoded_once() -> None:
    found = asked_uri("file:///w/app/%2573", ROOT, Config())
    assert found == AskedPath("/w/app/%73", "/w/app/%73")
    for uri in ("file:///w/a%00", "file:////host/x", "file:///w/a%0A"):
        assert isinstance(asked_uri(uri, ROOT, Config()), Refusal)
    assert asked_uri("http://x/y", ROOT, Config()) == Refusal("`http://x/y` is no `file:` URI of this machine")
    assert asked_uri("", ROOT, Config()) == Refusal("the URI is empty")
    assert asked_uri(None, ROOT, Config()) == Refusal("the URI must be a text")


def test_a_text_is_shown_on_one_line() -> None:
    assert shown("a b/\u3042") == "a b/\u3042"
    assert shown("a\nb\x1b[31m\u202e\u2028\ud800") == "a\ufffdb\ufffd[31m\ufffd\ufffd\ufffd"
    assert shown("x" * 200) == "x" * 200
    assert shown("x" * 201) == "x" * 199 + "\u2026"


def test_the_rules_of_another_system_are_not_those_of_this_one() -> None:
    assert os.name == "posix"
    assert asked("a:stream") == "/w/app/a:stream"
