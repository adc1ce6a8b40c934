from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from rules_lsp.checks.common.glob_entries import may_write
from rules_lsp.features.counting import FileCounts, FileTotal, GlobCount, ToolTotal
from rules_lsp.policy.model import Entry
from tests.features.known import entry, known_view

FILES = ("README.md", "docs/a.md", "docs/b.md", "keys/a.pem", "src/a.py", "src/b.py", "src/keys/c.pem")


def counts(
    root: Path, text: str, files: tuple[str, ...] = FILES, *, complete: bool = True
) -> tuple[FileCounts, dict[str, Entry]]:
    view = known_view(root, text, files=files, complete=complete)
    found = view.file_counts
    assert found is not None
    return found, {each.text: each for rules in view.subject.shown.lists() for each in rules.entries}


def test_what_an_include_adds_and_an_exclude_takes_away(tmp_path: Path) -> None:
    text = "file_patterns:\n  include: [src/, '*.md', '*.pem']\n  exclude: ['*.pem', /keys/, docs/b.md]\n"
    found, entries = counts(tmp_path, text)
    assert found.of(entries["src/"]) == GlobCount(3, 2, True, 7)
    assert found.of(entries["*.md"]) == GlobCount(3, 2, True, 7)
    assert found.of(entries["/keys/"]) == GlobCount(1, 0, False, 7)
    assert found.of(entries["docs/b.md"]) == GlobCount(1, 1, False, 7, hidden=1)
    assert found.net_files_of(entries["docs/b.md"]) == ("docs/b.md",)
    assert found.files_of(entries["src/"]) == ("src/a.py", "src/b.py", "src/keys/c.pem")
    assert found.net_files_of(entries["src/"]) == ("src/a.py", "src/b.py")
    assert found.writable == FileTotal(4, 7)
    assert found.writable_files() == ("README.md", "docs/a.md", "src/a.py", "src/b.py")


def test_without_includes_an_exclude_takes_away_what_nothing_else_denies(tmp_path: Path) -> None:
    found, entries = counts(tmp_path, "file_patterns:\n  exclude: ['*.pem', /keys/]\n")
    assert found.of(entries["*.pem"]) == GlobCount(2, 1, False, 7, hidden=1)
    assert found.net_files_of(entries["*.pem"]) == ("src/keys/c.pem",)
    assert found.of(entries["/keys/"]) == GlobCount(1, 0, False, 7)
    assert found.writable == FileTotal(5, 7)


def test_an_entry_that_stands_twice_has_no_effect_of_its_own(tmp_path: Path) -> None:
    found, entries = counts(tmp_path, "file_patterns:\n  include: [src/, docs/, /src/]\n")
    assert found.of(entries["src/"]) == GlobCount(3, 0, True, 7)
    assert found.of(entries["/src/"]) == GlobCount(3, 0, True, 7)
    assert found.of(entries["docs/"]) == GlobCount(2, 2, True, 7)


def test_each_of_two_lists_must_include(tmp_path: Path) -> None:
    text = "file_patterns:\n  include: [src/, docs/]\nfile_patterns:\n  include: ['*.py', '*.md']\n"
    found, entries = counts(tmp_path, text)
    assert found.writable_files() == ("docs/a.md", "docs/b.md", "src/a.py", "src/b.py")
    assert found.of(entries["src/"]) == GlobCount(3, 2, True, 7)
    assert found.of(entries["*.py"]) == GlobCount(2, 2, True, 7)


def test_a_negated_include_takes_away(tmp_path: Path) -> None:
    found, entries = counts(tmp_path, "file_patterns:\n  include: [src/, '!*.pem', '!!x']\n", (*FILES, "src/!x"))
    assert found.of(entries["!*.pem"]) == GlobCount(2, 1, False, 8, hidden=2)
    assert found.of(entries["!!x"]) == GlobCount(1, 1, False, 8, hidden=1)
    assert found.writable_files() == ("src/a.py", "src/b.py")


def test_an_exclude_also_keeps_from_being_read_what_no_include_names(tmp_path: Path) -> None:
    text = "file_patterns:\n  include: [src/]\n  exclude: [keys/, '*.md', /docs/]\n"
    found, entries = counts(tmp_path, text)
    assert found.of(entries["keys/"]) == GlobCount(2, 1, False, 7, hidden=2)
    assert found.of(entries["*.md"]) == GlobCount(3, 0, False, 7, hidden=1)
    assert found.of(entries["/docs/"]) == GlobCount(2, 0, False, 7, hidden=0)
    assert found.of(entries["src/"]) == GlobCount(3, 2, True, 7, hidden=0)


def test_rules_that_are_switched_off_do_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("project_agent_rules: {enabled: false}\n")
    found, entries = counts(tmp_path, "file_patterns:\n  include: [src/]\n  exclude: ['*.pem']\n")
    assert found.of(entries["src/"]) == GlobCount(3, 0, True, 7)
    assert found.of(entries["*.pem"]) == GlobCount(2, 0, False, 7)


def test_a_list_counts_what_its_entries_take_together(tmp_path: Path) -> None:
    text = "file_patterns:\n  include: [src/, '*.py', '!docs/']\n  exclude: ['*.pem', keys/]\n"
    view = known_view(tmp_path, text, files=FILES)
    found, rules = view.file_counts, view.subject.shown
    assert found is not None
    assert found.of_list(rules.include[0]) == FileTotal(3, 7)
    assert found.of_list(rules.exclude[0]) == FileTotal(2, 7)
    assert found.files_of_list(rules.exclude[0]) == ("keys/a.pem", "src/keys/c.pem")


def test_an_exclude_is_counted_in_every_reading(tmp_path: Path) -> None:
    files = ("app/[id]/page.ts", "app/i/page.ts", "app/x/page.ts", "secrets/a")
    found, entries = counts(tmp_path, "file_patterns:\n  exclude: ['app/[id]/**', 'secrets\\**']\n", files)
    assert found.files_of(entries["app/[id]/**"]) == ("app/[id]/page.ts", "app/i/page.ts")
    assert found.files_of(entries["secrets\\**"]) == ("secrets/a",)
    assert found.writable_files() == ("app/x/page.ts",)


def test_an_include_is_counted_in_gits_reading_alone(tmp_path: Path) -> None:
    files = ("app/[id]/page.ts", "app/i/page.ts", "app/x/page.ts")
    found, entries = counts(tmp_path, "file_patterns:\n  include: ['app/[id]/**', /]\n", files)
    assert found.files_of(entries["app/[id]/**"]) == ("app/i/page.ts",)
    assert found.of(entries["/"]) == GlobCount(0, 0, True, 3)


def test_what_cannot_be_read_counts_nothing_and_denies_all(tmp_path: Path) -> None:
    found, entries = counts(tmp_path, "file_patterns:\n  include: [src/]\n  exclude: ['[a', '!b', '*.py']\n")
    assert found.of(entries["[a"]) is None
    assert found.of(entries["!b"]) is None
    assert found.of(entries["src/"]) == GlobCount(3, 0, True, 7)
    assert found.of(entries["*.py"]) == GlobCount(2, 0, False, 7)
    assert found.writable == FileTotal(0, 7)


def test_an_empty_include_list_lets_nothing_be_written(tmp_path: Path) -> None:
    found, _ = counts(tmp_path, "file_patterns:\n  include: []\n")
    assert found.writable == FileTotal(0, 7)


def test_the_rule_file_itself_is_no_file_to_write(tmp_path: Path) -> None:
    (tmp_path / ".coding-agent-rules.yaml").write_text("denied_tools: [x]\n")
    files = (".coding-agent-rules.yaml", "a.yaml")
    found, entries = counts(tmp_path, "file_patterns:\n  include: ['*.yaml']\n", files)
    assert found.of(entries["*.yaml"]) == GlobCount(2, 1, True, 2)
    assert found.writable_files() == ("a.yaml",)


def test_numbers_are_least_ones_where_not_all_files_are_known(tmp_path: Path) -> None:
    found, entries = counts(tmp_path, "file_patterns:\n  include: [src/]\n", complete=False)
    assert found.of(entries["src/"]) == GlobCount(3, 3, True, 7, complete=False)
    assert found.writable == FileTotal(3, 7, complete=False)


def test_patterns_that_take_the_same_files(tmp_path: Path) -> None:
    found, entries = counts(
        tmp_path, "file_patterns:\n  include: [src/, '*.py', '*.md', src/a.py]\n  exclude: [src/]\n"
    )
    assert found.overlapping(entries["*.py"]) == ((entry_of(found, "src/"), 2), (entries["src/a.py"], 1))
    assert found.overlapping(entries["*.md"]) == ()


def entry_of(found: FileCounts, text: str) -> Entry:
    """The include of that text: an exclude of the same text stands behind it."""
    return next(each for each in found._policy.rules.include[0].entries if each.text == text)


def test_a_name_in_another_normal_form_is_counted(tmp_path: Path) -> None:
    found, entries = counts(tmp_path, "file_patterns:\n  include: ['caf\u00e9/']\n", ("cafe\u0301/a", "cafe/a"))
    assert found.files_of(entries["caf\u00e9/"]) == ("cafe\u0301/a",)


@pytest.mark.parametrize("seed", range(30))
def test_net_effects_are_what_changes_without_the_entry(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    names = ("a", "b", "c", "d.py", "e.md")
    files = sorted({"/".join(choose.choices(names, k=choose.randint(1, 3))) for _ in range(40)})
    patterns = ("a/", "/b/**", "*.py", "c", "**/a/*.md", "b/*/c", "!d.py", "{a,c}/*", "?.md", "*", "[ab]/c", "a/**")
    lists = {"include": choose.sample(patterns, choose.randint(1, 5)), "exclude": choose.sample(patterns, 3)}

    def writable(sides: dict[str, list[str]]) -> set[str]:
        view = known_view(tmp_path, json.dumps({"file_patterns": sides}), files=files)
        assert view.file_counts is not None
        allowed = {path for path in files if may_write(view.policy, path)}
        assert set(view.file_counts.writable_files()) == allowed
        return allowed

    before = writable(lists)
    view = known_view(tmp_path, json.dumps({"file_patterns": lists}), files=files)
    assert view.file_counts is not None
    for side, texts in lists.items():
        for at, text in enumerate(texts):
            after = writable({**lists, side: texts[:at] + texts[at + 1 :]})
            rules = view.subject.shown.include if side == "include" else view.subject.shown.exclude
            found = view.file_counts.net_files_of(rules[0].entries[at])
            adds = side == "include" and not text.startswith("!")
            assert set(found) == ((before - after) if adds else (after - before))


def test_tools_that_are_allowed_and_that_an_entry_matches(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"github": {"command": "x"}, "db": {"command": "y"}}}')
    text = "allowed_tools: [github/*, db/read]\ndenied_tools: ['*/delete_*', DB]\n"
    tools = {"github": ["get_issue", "delete_file"], "db": ["read", "drop"]}
    view = known_view(tmp_path, text, tools=tools)
    found, rules = view.tool_counts, view.subject.shown
    assert found is not None
    assert found.allowed == ToolTotal(1, 4)
    assert found.allowed_tools == ("github/get_issue",)
    assert found.tools_of(entry(view, "github/*")) == ("github/delete_file", "github/get_issue")
    assert found.tools_of(entry(view, "*/delete_*")) == ("github/delete_file",)
    assert found.tools_of(entry(view, "DB")) == ("db/drop", "db/read")
    assert found.of_list(rules.allowed_tools[0]) == ToolTotal(3, 4)
    assert found.tools_of_list(rules.denied_tools[0]) == ("github/delete_file", "db/drop", "db/read")


def test_nothing_is_counted_where_nothing_is_known(tmp_path: Path) -> None:
    view = known_view(tmp_path, "denied_tools: [a/b]\n")
    assert view.tool_counts is None
