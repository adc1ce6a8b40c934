"""The one known name that is really near, or none."""

from __future__ import annotations

import pytest

from rules_lsp.checks.common.nearest import Nearest

TOOLS = (
    "create_issue",
    "delete_file",
    "get_issue",
    "get_me",
    "issue_read",
    "list_branches",
    "list_commits",
    "lock_issue",
    "search_issues",
    "tool_1",
    "update_issue",
)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("delete_fil", "delete_file"),
        ("delete_files", "delete_file"),
        ("delete_fiel", "delete_file"),
        ("delete_fyle", "delete_file"),
        ("file_delete", "delete_file"),
        ("deleteFile", "delete_file"),
        ("delete-file", "delete_file"),
        ("DELETE_FILE", "delete_file"),
        ("list_branchs", "list_branches"),
        ("lst_commits", "list_commits"),
        ("get_issues", "get_issue"),
    ],
)
def test_a_slip_is_told(word: str, name: str) -> None:
    assert Nearest(TOOLS).to(word) == name


@pytest.mark.parametrize(
    "word",
    [
        "",
        "_",
        "x",
        "get_file",
        "unlock_issue",
        "upsert_issue",
        "list_tags",
        "tool_2",
        "delete_file",
        "日本語",
        "x" * 500,
    ],
)
def test_what_is_not_near_is_nothing(word: str) -> None:
    assert Nearest(TOOLS).to(word) is None


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("gihub", "github"),
        ("github-mcp-server", "github"),
        ("mcp_github", "github"),
        ("Azure_MCP", "Azure MCP"),
        ("azure", "Azure MCP"),
        ("fs2", None),
        ("ft", None),
        ("server", None),
        ("gitlab", None),
    ],
)
def test_servers(word: str, name: str | None) -> None:
    assert Nearest(["github", "Azure MCP", "fs", "mcp-server"]).to(word) == name


def test_two_names_that_are_equally_near_are_none() -> None:
    assert Nearest(["read_file1", "read_file"]).to("read_fil") == "read_file"
    assert Nearest(["list_tabs", "list_tags"]).to("list_tazs") is None
