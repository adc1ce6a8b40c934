"""What checks derive from a subject is derived once, and never from another one; two threads may ask at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules_lsp.checks import Subject
from rules_lsp.checks.common.glob_entries import pattern_entries, takes, why_never
from rules_lsp.checks.common.known_tools import tools_of_project
from rules_lsp.checks.common.remembered import once_a_list
from rules_lsp.checks.common.tool_names import servers_of, tool_entries
from rules_lsp.features.view import View
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.source.text import Span
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.project import Project

NAME = ".coding-agent-rules.yaml"
CONTENT = "denied_tools: [a/b, Bash]\nfile_patterns: {include: [src/**], exclude: [../x, src/a]}\n"


def test_each_subject_has_its_own() -> None:
    subject, other = (Subject.of_text(NAME, CONTENT, known_servers=frozenset({"a"})) for _ in range(2))
    for derive in (pattern_entries, tool_entries, servers_of, tools_of_project):
        assert derive(subject) is derive(subject)
        assert derive(subject) is not derive(other)
    assert [item.entry.text for item in pattern_entries(subject)] == ["src/**", "../x", "src/a"]
    assert [found.name for found in tool_entries(subject)] == ["a/b", "Bash"]
    assert servers_of(subject).names == ("a",)
    assert not tools_of_project(subject)


def test_what_becomes_known_around_a_text_is_not_forgotten_for_what_was_derived_before() -> None:
    subject = Subject.of_text(NAME, CONTENT, known_servers=frozenset({"a"}))
    assert not tools_of_project(subject)
    assert tools_of_project(subject.surrounded(catalogue=Catalogue.of_files(())))


def test_why_a_pattern_never_matches() -> None:
    subject = Subject.of_text(NAME, CONTENT)
    never = [item.entry.text for item in pattern_entries(subject) if why_never(subject, item) is not None]
    assert never == ["../x"]


def test_a_list_that_says_the_same_elsewhere_is_looked_at_once() -> None:
    seen: list[RuleList] = []

    @once_a_list
    def long_ones(holder: RuleList, least: int) -> tuple[int, ...]:
        seen.append(holder)
        return tuple(entry.index for entry in holder.entries if entry.broken is None and len(entry.text) >= least)

    def written(at: int, broken: str | None = None) -> RuleList:
        entries = (
            Entry("ab", Span(at, at + 2), "denied_tools", 3),
            Entry("abc", Span(9, 12), "denied_tools", 7, broken),
        )
        return RuleList("denied_tools", Span(at, at + 1), entries)

    assert [long_ones(written(at), 2) for at in (0, 5)] == [(0, 1), (0, 1)]
    assert len(seen) == 1
    assert long_ones(written(0), 3) == (1,)
    assert long_ones(written(0, "it cannot be read"), 2) == (0,)
    assert long_ones(RuleList("allowed_tools", Span(0, 1), written(0).entries), 2) == (0, 1)
    assert [len(seen), seen[0].span, seen[0].entries[1].span] == [4, Span(0, 0), Span(0, 0)]


class Forgetful(dict[Any, bool]):
    """A memory that another thread clears as soon as something is put in."""

    def __setitem__(self, key: Any, value: bool) -> None:
        super().__setitem__(key, value)
        self.clear()


def test_a_memory_that_is_cleared_meanwhile_changes_no_answer() -> None:
    subject = Subject.of_text(NAME, CONTENT)
    files = FileInventory(("src/a", "src/b"), ("src",))
    files.__dict__["excluding"] = Forgetful()
    taken = [(item.entry.text, takes(subject, item, files)) for item in pattern_entries(subject)]
    assert taken == [("src/**", True), ("../x", False), ("src/a", True)]


def test_a_view_shows_the_policy_that_the_checks_have_made(tmp_path: Path) -> None:
    saved = Project(str(tmp_path)).policy()
    subject = Subject.of_text(NAME, CONTENT, path=str(tmp_path / NAME), root=saved.root).surrounded(saved)
    view = View(subject, saved)
    assert view.policy is subject.effective
    assert [entry.text for rules in view.policy.rules.exclude for entry in rules.entries] == ["../x", "src/a"]
    unnamed = Subject.of_text(NAME, CONTENT).surrounded(saved)
    assert unnamed.effective is saved
    assert len(View(unnamed, saved).policy.rules.exclude) == 1
