"""Real servers of others, started as people configure them, without any network."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.workspace.live.catalogued import known_catalogue
from rules_lsp.workspace.live.refreshing import refresh
from tests.support.servers import filesystem_server

FILESYSTEM = [
    *("create_directory", "directory_tree", "edit_file", "get_file_info", "list_allowed_directories"),
    *("list_directory", "list_directory_with_sizes", "move_file", "read_file", "read_media_file"),
    *("read_multiple_files", "read_text_file", "search_files", "write_file"),
]
GIT = [
    *("git_add", "git_branch", "git_checkout", "git_commit", "git_create_branch", "git_diff", "git_diff_staged"),
    *("git_diff_unstaged", "git_log", "git_reset", "git_show", "git_status"),
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Found before the cache of the test takes the place of the user's.
    made = Path(os.path.realpath(tmp_path)) / "app"
    made.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return made


def told(root: Path, entry: dict[str, Any]) -> list[tuple[str, bool, bool]]:
    """What a server tells: name, reads only, may destroy."""
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": {"s": entry}}), encoding="utf-8")
    (asked,) = refresh(str(root), timeout=60)
    assert asked.learnt is not None, asked.words
    assert asked.learnt.whole
    assert known_catalogue(str(root)).tools_of("s") == asked.learnt.tools
    assert all(tool.description for tool in asked.learnt.tools)
    return [(tool.name, tool.read_only, tool.destructive) for tool in asked.learnt.tools]


def test_git(root: Path) -> None:
    tools = told(root, {"command": sys.executable, "args": ["-m", "mcp_server_git"]})
    assert [name for name, _, _ in tools] == GIT


def test_time(root: Path) -> None:
    tools = told(root, {"command": sys.executable, "args": ["-m", "mcp_server_time", "--local-timezone", "UTC"]})
    assert [name for name, _, _ in tools] == ["convert_time", "get_current_time"]


SCRIPT = str(filesystem_server())


@pytest.mark.filesystem_server
def test_filesystem(root: Path) -> None:
    tools = told(root, {"command": "node", "args": [SCRIPT, "${workspaceFolder}"]})
    assert [name for name, _, _ in tools] == FILESYSTEM
    assert ("read_file", True, False) in tools
    assert ("write_file", False, True) in tools
