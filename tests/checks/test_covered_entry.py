"""Tool entries that another one covers: without them every name has the answer that it had."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.checks import Subject, covered_entry, run_checks
from rules_lsp.policy.model import Entry
from rules_lsp.policy.tools.lists import AllowingList, DenyingList, known_servers

WORDS = ("a", "b", "A", "ab", "a_b", "a*", "*b", "a?", "?", "*", "**", "a__*", "a b", "mcp__a__b", "a.b", "*_*", "é")
ENTRIES = st.one_of(st.sampled_from(WORDS), st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)).map("/".join))
LISTS = st.lists(ENTRIES, min_size=2, max_size=5)
PARTS = ("a", "b", "A", "ab", "a_b", "b_a", "a b", "a_b_b", "x", "bb", "É")
NAMES = [
    *PARTS,
    *("".join(parts) for parts in product(PARTS, ("/", "_", "__", ".", ":", "-"), PARTS)),
    *("".join(parts) for parts in product(("mcp__", "mcp_", "mcp:"), PARTS, ("__", "_", ":"), PARTS)),
]


def reported(key: str, texts: list[str]) -> tuple[list[Entry], set[int]]:
    """The entries of a list that can be read, and the places of those that are told to add nothing."""
    subject = Subject.of_text(".coding-agent-rules.yaml", json.dumps({key: texts}, ensure_ascii=False))
    lists = subject.shown.denied_tools if key == "denied_tools" else subject.shown.allowed_tools
    found = {each.span for each in covered_entry.CHECK.find(subject)}
    entries = list(lists[0].entries)
    return entries, {place for place, entry in enumerate(entries) if entry.span in found}


@settings(deadline=None)
@given(LISTS)
def test_without_them_a_denying_list_denies_as_much(texts: list[str]) -> None:
    entries, gone = reported("denied_tools", texts)
    before = DenyingList(entries)
    after = DenyingList([entry for place, entry in enumerate(entries) if place not in gone])
    for name in NAMES if gone else ():
        assert (before.first(name) is None) == (after.first(name) is None), name


@settings(deadline=None)
@given(LISTS, st.sampled_from(((), ("a",), ("a_b", "x"))))
def test_without_them_an_allowing_list_allows_as_much(texts: list[str], configured: tuple[str, ...]) -> None:
    entries, gone = reported("allowed_tools", texts)
    left = [entry for place, entry in enumerate(entries) if place not in gone]
    before = AllowingList(entries, known_servers(configured, entries))
    after = AllowingList(left, known_servers(configured, left))
    for name in NAMES if gone else ():
        assert (before.first(name) is None) == (after.first(name) is None), name


@pytest.mark.parametrize(
    ("key", "texts", "places"),
    [
        ("denied_tools", ["github/*", "github/x", "GITHUB/Y"], {1, 2}),
        ("denied_tools", ["github/x", "github/*"], {0}),
        ("denied_tools", ["a/x", "A/x"], {1}),
        ("denied_tools", ["github", "github/x"], {1}),
        ("denied_tools", ["*/x", "x"], {0}),
        ("denied_tools", ["Bash", "Bash(rm:*)", "Ba*"], {0}),
        ("denied_tools", ["Azure MCP/*", "Azure MCP/list"], {1}),
        ("denied_tools", ["*", "a/b"], set()),
        ("denied_tools", ["a/?b", "a/*b"], {0}),
        ("denied_tools", ["a/?*", "a/*?"], set()),
        ("allowed_tools", ["a/*", "a/b", "A/b"], {1}),
        # A server that is named is known, and its name decides how the names of hosts are read.
        ("allowed_tools", ["*/b", "a/b"], set()),
        ("allowed_tools", ["*", "a/b", "Read"], {1, 2}),
        # `**` stands for built-in tools alone, and `*` for all there are.
        ("allowed_tools", ["**", "*/*", "github/*", "a/b"], set()),
        ("allowed_tools", ["**", "*", "a/b"], {0, 2}),
        ("allowed_tools", ["**", "***", "Read"], {2}),
        ("allowed_tools", ["a/x*", "a/x**"], {1}),
        ("allowed_tools", ["Re*", "Read", "Re_d"], {1}),
        ("allowed_tools", ["a/x", "a/x", "a/*"], set()),
    ],
)
def test_which_add_nothing(key: str, texts: list[str], places: set[int]) -> None:
    assert reported(key, texts)[1] == places


def test_a_second_list_may_know_a_server_by_an_entry() -> None:
    content = 'allowed_tools: ["*", a/b]\nallowed_tool: [Read]\n'
    assert "covered-entry" not in {
        each.code for each in run_checks(Subject.of_text(".coding-agent-rules.yaml", content))
    }
