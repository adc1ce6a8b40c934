"""Entries that are not written `server/tool`, and what they were meant to be."""

from __future__ import annotations

import pytest

from rules_lsp.checks import Subject
from rules_lsp.checks.common.canonical_names import of_broken, of_host_spelling
from rules_lsp.checks.common.tool_names import KnownServers
from rules_lsp.source.text import Span
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.server_files import ConfiguredServer
from rules_lsp.workspace.server_launch import read_launch

NAMES = frozenset({"github", "Azure", "my_server", "a", "a__b"})
SERVERS = KnownServers(Subject.of_text("rules.yaml", "", known_servers=NAMES))
CATALOGUE = Catalogue.of(
    [ConfiguredServer("github", ".mcp.json", Span(0, 0), read_launch({"command": "github-mcp-server"}))]
)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("mcp__github__get_me", "github/get_me"),
        ("mcp__github__*", "github/*"),
        ("mcp__github", "github/*"),
        ("mcp__GitHub", "github/*"),
        ("mcp__other__do_it", "other/do_it"),
        ("mcp__other", "other/*"),
        ("mcp__*", "*/*"),
        ("mcp__*__delete_*", "*/delete_*"),
        ("mcp__azure__list", "Azure/list"),
        ("mcp__my_server__x", "my_server/x"),
        ("mcp__github__a__b", "github/a__b"),
        ("mcp__x__a__b", None),
        ("mcp__a__b__c", None),
        ("mcp___x__", None),
        ("mcp_github_get_me", "github/get_me"),
        ("mcp:github:get_me", "github/get_me"),
        ("github.get_me", "github/get_me"),
        ("github:*", "github/*"),
        ("github__get_me", "github/get_me"),
        ("other.get_me", None),
        ("other__get_me", None),
        ("mcp_other_get_me", None),
        ("github_get_me", None),
        ("github-get_me", None),
        ("github", None),
        ("mcp__", None),
        ("mcp__github__x/y", None),
    ],
)
def test_a_host_spelling(written: str, name: str | None) -> None:
    assert of_host_spelling(written, SERVERS) == name


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (" github/get_me ", ("github/get_me",)),
        ("`Bash`", ("Bash",)),
        ("Bash,", ("Bash",)),
        ("github / get_me", ("github/get_me",)),
        ("github\\get_me", ("github/get_me",)),
        ("github//get_me", ("github/get_me",)),
        ("/github/get_me", ("github/get_me",)),
        ("github get_me", ("github/get_me",)),
        ("github/list branches", ("github/list_branches",)),
        ("github/\u200bget_me", ("github/get_me",)),
        ("github\u00a0/get_me", ("github/get_me",)),
        ("\uff27rep", ("Grep",)),
        ("B\u0430sh", ("Bash",)),
        ("mcp__github__get me", ()),
        ("Read, Grep", ("Read", "Grep")),
        ("Read, mcp__github__get_me", ("Read", "github/get_me")),
        ("Read, write files", ()),
        ("github/brew coffee", ()),
        ("other get_me", ()),
        ("Write all files", ()),
        ("\u30c4\u30fc\u30eb", ()),
        ("github/", ()),
        ("", ()),
        (",", ()),
    ],
)
def test_a_broken_entry(written: str, names: tuple[str, ...]) -> None:
    assert of_broken(written, False, SERVERS, CATALOGUE) == names


def test_a_denied_server_with_a_slash_is_all_of_its_tools() -> None:
    assert of_broken("github/", True, SERVERS, None) == ("github/*",)
