"""What covers an entry denies every tool that it stands for; what does not certainly cover it is passed over."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.checks.common.tool_cover import DenyingCover
from rules_lsp.checks.common.tool_names import ToolEntry, readable
from rules_lsp.policy.model import Entry, ListName, RuleList
from rules_lsp.policy.tools.lists import AllowingList, DenyingList, entry_problem, known_servers
from rules_lsp.source.text import Span


def entries(name: ListName, texts: list[str]) -> list[Entry]:
    return [Entry(text, Span(at, at), name, at) for at, text in enumerate(texts)]


def tool_entries(name: ListName, texts: list[str]) -> list[ToolEntry]:
    return list(readable(RuleList(name, Span(0, 0), tuple(entries(name, texts)))))


def covering(allowed: str, denied: list[str]) -> str | None:
    entry = tool_entries("allowed_tools", [allowed])[0]
    found = DenyingCover(denied).of(entry.server, entry.tool)
    return None if found is None else denied[found]


@pytest.mark.parametrize(
    ("allowed", "denied", "by"),
    [
        ("Bash", ["Read", "bash"], "bash"),
        ("github/get_me", ["github"], "github"),
        ("github/get_me", ["get_me"], "get_me"),
        ("github/get_me", ["*/get_*"], "*/get_*"),
        ("github/get_me", ["git*/get_me"], "git*/get_me"),
        ("github/get_me", ["github/*_me"], "github/*_me"),
        ("github/get_me", ["github/g*t_m?"], "github/g*t_m?"),
        ("github/get_me", ["mcp__github__get_me"], "mcp__github__get_me"),
        ("github/get_me", ["github/get_me", "github/*"], "github/get_me"),
        ("github/get_*", ["github/*"], "github/*"),
        ("github/get_*", ["github/ge*"], "github/ge*"),
        ("github/*_me", ["*/*_me"], "*/*_me"),
        ("git*/get_me", ["gi*/get_*"], "gi*/get_*"),
        ("read_file", ["read/*"], "read/*"),
        ("*", ["**"], "**"),
        ("mcp__a__*", ["mcp__a__*"], "mcp__a__*"),
        ("github/get_me", ["github/get_you", "gitlab/*", "*/get_y*", "github/*_you", "Bash"], None),
        ("github/get_*", ["github/get_me", "github/get_?", "github/*_me"], None),
        ("github/*", ["github/?*", "github/get_*"], None),
        ("*/get_me", ["github/get_me", "git*/get_me"], None),
        ("*", ["*/*", "a*", "Bash"], None),
        ("Bash", ["Bash(rm:*)"], None),
        ("Bash", ["Bash/x", "x/Bash"], None),
    ],
)
def test_what_covers_an_entry(allowed: str, denied: list[str], by: str | None) -> None:
    assert covering(allowed, denied) == by


names = st.text(alphabet="ab_.", min_size=1, max_size=4)
patterns = st.text(alphabet="ab_*?", min_size=1, max_size=4)
entry_texts = st.one_of(patterns, st.builds("{}/{}".format, patterns, patterns)).filter(
    lambda text: entry_problem(text, True) is None
)
queries = st.one_of(names, st.builds("{}/{}".format, names, names), st.builds("mcp__{}__{}".format, names, names))


@settings(max_examples=400, deadline=None)
@given(entry_texts, st.lists(entry_texts, min_size=1, max_size=4), st.lists(queries, min_size=1, max_size=8))
def test_whatever_a_covered_entry_allows_is_denied(allowed: str, denied: list[str], asked: list[str]) -> None:
    if covering(allowed, denied) is None:
        return
    listed = entries("allowed_tools", [allowed])
    allowing = AllowingList(listed, known_servers((), listed))
    denying = DenyingList(entries("denied_tools", denied))
    for name in asked:
        if allowing.first(name) is not None:
            assert denying.first(name) is not None, name
