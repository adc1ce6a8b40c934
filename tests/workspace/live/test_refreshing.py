"""Servers that are asked for their tools, good ones and bad ones, each a process of its own."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.workspace.catalogue import KnownTool
from rules_lsp.workspace.live.catalogued import known_catalogue
from rules_lsp.workspace.live.learnt import cache_file, read_learnt
from rules_lsp.workspace.live.refreshing import Asked, refresh
from rules_lsp.workspace.server_files import ConfiguredServer

SERVER = str(Path(__file__).parents[2] / "support" / "tool_server.py")
SECRET = "s3cret-value"
ENOUGH = 60.0


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(directory))
    return directory


def entry(kind: str, *arguments: str, **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": [SERVER, kind, *arguments], **more}


def project(tmp_path: Path, **servers: Any) -> str:
    root = Path(os.path.realpath(tmp_path)) / "app"
    root.mkdir(exist_ok=True)
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return str(root)


def ask(tmp_path: Path, configured: Any, timeout: float = ENOUGH) -> Asked:
    """How it goes with one server, `s`."""
    (asked,) = refresh(project(tmp_path, s=configured), timeout=timeout)
    return asked


def names(asked: Asked) -> list[str]:
    assert asked.learnt is not None
    return [tool.name for tool in asked.learnt.tools]


def test_a_server_tells_its_tools(tmp_path: Path) -> None:
    asked = ask(tmp_path, entry("plain"))
    assert (asked.outcome, asked.words) == ("listed", "")
    assert asked.learnt is not None
    assert [(tool.name, tool.description) for tool in asked.learnt.tools] == [("read", ""), ("write", "writes a file")]
    root = str(Path(os.path.realpath(tmp_path)) / "app")
    catalogue = known_catalogue(root)
    assert catalogue.tools_of("s") == (KnownTool("read"), KnownTool("write"))
    known = catalogue.known("s")
    assert known is not None
    assert known.asked == asked.learnt.asked
    tool = catalogue.tool("s", "write")
    assert tool is not None
    assert tool.description == "writes a file"


def test_every_page_is_read(tmp_path: Path) -> None:
    assert names(ask(tmp_path, entry("pages"))) == ["tool_0", "tool_1", "tool_2"]


def test_what_is_no_message_is_passed_over(tmp_path: Path) -> None:
    assert names(ask(tmp_path, entry("chatty"))) == ["read", "write"]


def test_what_a_server_asks_is_refused_and_it_goes_on(tmp_path: Path) -> None:
    assert names(ask(tmp_path, entry("asks"))) == ["read", "write"]


def test_names_are_taken_with_care_and_descriptions_are_one_line(tmp_path: Path) -> None:
    asked = ask(tmp_path, entry("names"))
    assert asked.learnt is not None
    assert (asked.words, asked.learnt.whole) == ("not every tool that it named can be used", False)
    told = [(tool.name, tool.read_only, tool.destructive, tool.description) for tool in asked.learnt.tools]
    assert told == [
        ("bad", False, True, ""),
        ("both", True, False, ""),
        ("good", True, False, "first line [31mred"),
        ("long", False, False, "d" * 399 + "…"),
    ]


@pytest.mark.parametrize("kind", ["many", "endless"])
def test_a_list_without_end_is_cut_off_and_not_taken_for_whole(tmp_path: Path, kind: str) -> None:
    asked = ask(tmp_path, entry(kind))
    assert asked.learnt is not None
    assert (len(asked.learnt.tools), asked.learnt.whole) == (2_000, False)


@pytest.mark.parametrize("kind", ["hang", "late", "drip"])
def test_a_server_that_does_not_answer_is_left(tmp_path: Path, kind: str) -> None:
    asked = ask(tmp_path, entry(kind), timeout=0.5)
    assert (asked.outcome, asked.words, asked.learnt) == ("failed", "no answer within 0.5 seconds", None)


def test_a_server_that_writes_without_end_is_left(tmp_path: Path) -> None:
    asked = ask(tmp_path, entry("gigantic"))
    assert (asked.outcome, asked.words) == ("failed", "it wrote more than 8 MiB")


def test_a_server_that_crashes_is_told_with_its_last_words_and_no_secret(tmp_path: Path) -> None:
    asked = ask(tmp_path, entry("crash", env={"API_KEY": SECRET}))
    assert asked.words == "it ended without an answer: KeyError: the key … is wrong"


def test_a_refusal_is_told_without_secrets_and_bells(tmp_path: Path) -> None:
    asked = ask(tmp_path, entry("refuses", env={"API_KEY": SECRET}))
    assert asked.words == "it refuses `tools/list`: no tools for …"


@pytest.mark.parametrize(
    ("configured", "words"),
    [
        (entry("nonsense"), "its answer holds no list of tools"),
        ({"command": "/nonexistent/server"}, "its command cannot be started: no such file or directory"),
        ({"command": "true\0"}, "its command cannot be started: it is none"),
        (entry("plain", cwd="gone"), "its working directory does not exist"),
        (entry("plain", "${RULES_LSP_UNSET}"), "the variable `RULES_LSP_UNSET` is not set here"),
        (entry("plain", "${input:token}"), "`${input:token}` is filled in by its host alone"),
        ({"args": []}, "it is configured without a command and without an address"),
        ("text", "it is configured without a command and without an address"),
        ({"type": "sse", "url": "http://127.0.0.1:1/sse"}, "it speaks the older transport (SSE), which is not asked"),
        ({"url": "ftp://example.org/"}, "its address is no http: or https: one"),
        ({"url": "http://127.0.0.1:1/mcp"}, "it cannot be reached: ConnectionRefusedError"),
    ],
)
def test_what_cannot_be_asked_says_why(tmp_path: Path, configured: Any, words: str) -> None:
    asked = ask(tmp_path, configured)
    assert (asked.outcome, asked.words) == ("failed", words)


def test_only_configured_and_harmless_variables_reach_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("GIVEN", "here")
    for name in set(os.environ) - {"PATH", "HOME", "XDG_CACHE_HOME", "GIVEN", "AWS_SECRET_ACCESS_KEY"}:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    told = names(ask(tmp_path, entry("environment", env={"OWN": "${GIVEN}", "OTHER": "${UNSET:-x}"})))
    assert [name for name in told if name != "LC_CTYPE"] == ["HOME", "OTHER", "OWN", "PATH"]


@pytest.mark.parametrize("kind", ["child", "deaf"])
def test_nothing_that_a_server_started_is_left(tmp_path: Path, kind: str) -> None:
    lock = tmp_path / "lock"
    assert names(ask(tmp_path, entry(kind, str(lock)))) == ["read", "write"]
    with open(lock, encoding="utf-8") as file:
        # Waits for the kernel to take the killed process's lock away, and for good if it still lives.
        fcntl.flock(file, fcntl.LOCK_EX)


def test_a_cancelled_question_ends_the_server(tmp_path: Path) -> None:
    wanted = threading.Event()
    root = project(tmp_path, s=entry("hang"), t=entry("hang"))

    def begins(server: ConfiguredServer) -> None:
        wanted.set()

    asked = refresh(root, begins=begins, cancelled=wanted.is_set)
    assert {each.outcome for each in asked} == {"cancelled"}
    assert not os.path.exists(cache_file(root))


def test_the_good_are_kept_beside_the_bad(tmp_path: Path) -> None:
    root = project(tmp_path, a=entry("plain"), b=entry("crash"), c=entry("plain", disabled=True))
    assert [(each.server.name, each.outcome) for each in refresh(root)] == [
        ("a", "listed"),
        ("b", "failed"),
        ("c", "disabled"),
    ]
    catalogue = known_catalogue(root)
    assert [catalogue.tools_of(name) is not None for name in "abc"] == [True, False, False]
    assert [(each.server.name, each.outcome) for each in refresh(root, "c")] == [("c", "listed")]
    assert known_catalogue(root).tools_of("a") is not None
    assert refresh(root, "d") == ()


def test_another_command_makes_the_answer_stale(tmp_path: Path) -> None:
    root = project(tmp_path, s=entry("plain", env={"API_KEY": "1"}))
    refresh(root)
    project(tmp_path, s=entry("plain", env={"API_KEY": "2"}))
    assert (known_catalogue(root).tools_of("s") is not None, known_catalogue(root).is_stale("s")) == (True, False)
    project(tmp_path, s=entry("plain", env={"API_KEY": "1", "MORE": "1"}))
    assert (known_catalogue(root).tools_of("s") is not None, known_catalogue(root).is_stale("s")) == (False, True)
    project(tmp_path, s=entry("pages"))
    assert (known_catalogue(root).known("s"), known_catalogue(root).is_stale("s")) == (None, True)
    refresh(root)
    assert (len(known_catalogue(root).tools_of("s") or ()), known_catalogue(root).is_stale("s")) == (3, False)
    project(tmp_path, s=entry("plain", env={"API_KEY": "1"}))
    assert known_catalogue(root).is_stale("s") is True


def test_the_cache_is_the_users_alone_and_holds_no_value(tmp_path: Path, cache: Path) -> None:
    arguments = ["--token", SECRET]
    root = project(tmp_path, s=entry("plain", *arguments, env={"API_KEY": SECRET}))
    refresh(root)
    path = Path(cache_file(root))
    assert path.is_relative_to(cache / "rules-lsp")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="ascii")
    assert SECRET not in text
    (kept,) = json.loads(text)["servers"]
    assert sorted(kept) == ["asked", "fingerprint", "name", "tools", "whole"]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"version": 2, "servers": []}', '{"version": 1, "servers": {}}', "[" * 100_000]
    + [json.dumps({"version": 1, "servers": [each]}) for each in (7, {}, {"name": "s", "tools": []}, {"tools": 1})],
)
def test_a_cache_that_does_not_fit_counts_as_none(tmp_path: Path, content: str) -> None:
    root = project(tmp_path, s=entry("plain"))
    path = Path(cache_file(root))
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    assert read_learnt(root).as_json() == {"version": 1, "servers": []}
    refresh(root)
    assert known_catalogue(root).tools_of("s") == (KnownTool("read"), KnownTool("write"))


def test_two_projects_share_nothing(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    root, other = project(tmp_path, s=entry("plain")), project(tmp_path / "other", s=entry("plain"))
    refresh(root)
    assert (known_catalogue(root).known("s") is None, known_catalogue(other).known("s") is None) == (False, True)
