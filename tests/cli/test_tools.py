"""`rules-lsp tools`: what is known of the servers' tools, and asking the servers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.cli.main import main
from tests.support.projects import build

PACKAGE = Path(__file__).parents[2]
SERVER = str(PACKAGE / "tests" / "support" / "tool_server.py")
TIME = {"command": "uvx", "args": ["mcp-server-time"]}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def entry(kind: str, *arguments: str, **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": [SERVER, kind, *arguments], **more}


def project(tmp_path: Path, **servers: Any) -> Path:
    return build(tmp_path, {".mcp.json": json.dumps({"mcpServers": servers})})


def run(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> tuple[int, list[str], str]:
    """The exit code, the lines with times made alike, and what was told on standard error."""
    code = main(["tools", *arguments, "--root", str(root)])
    printed = capsys.readouterr()
    return code, re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "NOW", printed.out).splitlines(), printed.err


def test_what_is_known_without_asking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, time=TIME, own=entry("plain", disabled=True))
    assert run(capsys, root) == (
        0,
        [
            "time (.mcp.json): 2 tools, by its software, Time",
            "  time/convert_time  reads only",
            "  time/get_current_time  reads only",
            "own (.mcp.json): disabled; nothing is known of its tools; `rules-lsp tools refresh own` asks it",
        ],
        "",
    )


def test_a_project_without_servers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = (0, ["no file of the project configures a server"], "")
    assert run(capsys, build(tmp_path)) == nothing
    assert run(capsys, build(tmp_path), "refresh") == nothing


def test_servers_are_asked_and_remembered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, own=entry("plain", "--token", "s3cret"), bad=entry("hang"))
    known = ["own (.mcp.json): 2 tools, it was asked at NOW", "  own/read", "  own/write  writes a file"]
    unknown = "bad (.mcp.json): nothing is known of its tools; `rules-lsp tools refresh bad` asks it"
    code, lines, told = run(capsys, root, "refresh", "--timeout", "5")
    assert (code, lines) == (1, [*known, unknown, "  not asked: no answer within 5 seconds"])
    assert sorted(told.splitlines()) == [
        f"asking bad (.mcp.json): {sys.executable} {SERVER} hang",
        f"asking own (.mcp.json): {sys.executable} {SERVER} plain --token …",
    ]
    assert run(capsys, root) == (0, [*known, unknown], "")
    assert run(capsys, root, "list", "own") == (0, known, "")
    assert run(capsys, root, "refresh", "own")[:2] == (0, known)


def test_another_command_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, project(tmp_path, own=entry("plain")), "refresh")
    assert run(capsys, project(tmp_path, own=entry("pages"))) == (
        0,
        [
            "own (.mcp.json): nothing is known of its tools; it was asked when its command was another:"
            " `rules-lsp tools refresh own` asks again"
        ],
        "",
    )


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, own=entry("names"), bad=entry("nonsense"))
    code, lines, _ = run(capsys, root, "refresh", "--format", "json")
    told = json.loads("\n".join(lines))
    assert code == 1
    assert told["asked"] == [
        {
            "server": "own",
            "file": ".mcp.json",
            "outcome": "listed",
            "message": "not every tool that it named can be used",
            "tools": 4,
        },
        {
            "server": "bad",
            "file": ".mcp.json",
            "outcome": "failed",
            "message": "its answer holds no list of tools",
            "tools": None,
        },
    ]
    own, bad = told["servers"]
    tools = own.pop("tools")
    assert own == {
        "server": "own",
        "file": ".mcp.json",
        "command": [sys.executable, SERVER, "names"],
        "url": None,
        "disabled": False,
        "source": "server",
        "asked": "NOW",
        "stale": False,
        "whole": False,
    }
    assert tools[2] == {"name": "good", "readOnly": True, "destructive": False, "description": "first line [31mred"}
    assert (bad["source"], bad["asked"], bad["tools"]) == (None, None, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["refresh", "nobody"], "no file of the project configures a server `nobody`"),
        (["refresh", "--timeout", "0"], "--timeout 0: write a number of seconds up to 3600"),
        (["refresh", "--timeout", "nan"], "--timeout nan: write a number of seconds up to 3600"),
    ],
)
def test_senseless_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    root = project(tmp_path, own=entry("plain"))
    assert run(capsys, root, *arguments) == (2, [], f"rules-lsp: {message}\n")


def test_checks_use_what_was_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, own=entry("plain"))
    (root / ".coding-agent-rules.yaml").write_text("denied_tools:\n  - own/writ\n  - own/read\n", encoding="utf-8")
    check = ["check", "--root", str(root), "--format", "json"]
    main(check)
    assert [each["code"] for each in json.loads(capsys.readouterr().out)] == []
    run(capsys, root, "refresh")
    main(check)
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding["code"] == "unknown-tool"
    assert finding["message"] == "the server `own` has no tool `writ`: did you mean `write`?"
    main(["policy", "--root", str(root)])
    assert "own/read" in capsys.readouterr().out


def test_an_interrupt_ends_the_servers(tmp_path: Path) -> None:
    root = project(tmp_path, own=entry("hang"))
    process = subprocess.Popen(
        [sys.executable, "-m", "rules_lsp", "tools", "refresh", "--root", str(root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith(b"asking own ")
    process.send_signal(signal.SIGINT)
    out, complaints = process.communicate(timeout=60)
    assert (process.returncode, out, complaints) == (130, b"", b"")
