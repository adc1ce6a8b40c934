"""What an editor is shown follows the saved files, though they are not read for each keystroke."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rules_lsp.lsp.saved import SavedFiles
from rules_lsp.policy.roots import Root
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import read_server_files

RULES = ".coding-agent-rules.yaml"


class Watched:
    """The saved files of a project; `reads` counts how often they were read."""

    def __init__(self, root: Path, *, age: float = 3600.0, config: Path | None = None) -> None:
        self.reads = 0
        self.project = Project(str(root), None if config is None else str(config))
        self.files = SavedFiles(self._catalogue, lambda: time.time() + age)

    def _catalogue(self, root: Root) -> Catalogue:
        self.reads += 1
        return Catalogue.of_files(read_server_files(root.real))

    def denied(self) -> list[str]:
        rules = self.files.of(self.project).policy.rules
        return [entry.text for each in rules.denied_tools for entry in each.entries]

    def servers(self) -> list[str]:
        return sorted(self.files.of(self.project).catalogue.names())

    def settle(self) -> None:
        """Ask until the files are read no more."""
        for _ in range(3):
            self.files.of(self.project)
        self.reads = 0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    (project / RULES).write_text("denied_tools: [one]\n")
    (project / ".vscode").mkdir()
    return project


def test_files_that_stay_are_read_once(root: Path) -> None:
    watched = Watched(root)
    watched.settle()
    first = watched.files.of(watched.project)
    assert watched.denied() == ["one"]
    assert watched.files.of(watched.project) is first
    assert watched.reads == 0


def test_other_files_of_subdirectories_change_nothing(root: Path) -> None:
    (root / "src").mkdir()
    watched = Watched(root)
    watched.settle()
    (root / "src" / "app.py").write_text("x = 1\n")
    assert watched.denied() == ["one"]
    assert watched.reads == 0


def test_a_text_of_the_same_length_is_read(root: Path) -> None:
    watched = Watched(root)
    watched.settle()
    before = os.stat(root / RULES)
    (root / RULES).write_text("denied_tools: [two]\n")
    os.utime(root / RULES, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert watched.denied() == ["two"]


def test_a_file_that_replaces_another_is_read(root: Path) -> None:
    watched = Watched(root)
    watched.settle()
    (root.parent / "new").write_text("denied_tools: [two]\n")
    os.replace(root.parent / "new", root / RULES)
    assert watched.denied() == ["two"]


def test_a_file_that_goes_is_missed_and_one_that_comes_is_seen(root: Path) -> None:
    watched = Watched(root)
    watched.settle()
    (root / RULES).unlink()
    assert watched.denied() == []
    watched.settle()
    (root / ".coding-agent-rules.md").write_text("## Denied Tools\n\n- two\n")
    assert watched.denied() == ["two"]


def test_a_server_file_that_comes_in_a_directory_is_seen(root: Path) -> None:
    watched = Watched(root)
    watched.settle()
    assert watched.servers() == []
    (root / ".vscode" / "mcp.json").write_text('{"servers": {"github": {"command": "x"}}}')
    assert watched.servers() == ["github"]
    watched.settle()
    (root / ".cursor").mkdir()
    (root / ".cursor" / "mcp.json").write_text('{"mcpServers": {"jira": {"command": "x"}}}')
    assert watched.servers() == ["github", "jira"]


def test_a_rule_file_that_the_configuration_names_is_watched(root: Path) -> None:
    (root / "config.yaml").write_text("project_agent_rules:\n  rule_files: [rules/own.yaml]\n")
    (root / "rules").mkdir()
    (root / "rules" / "own.yaml").write_text("denied_tools: [one]\n")
    watched = Watched(root)
    watched.settle()
    names = [entry.name for entry in watched.files.of(watched.project).policy.config.rule_files]
    assert (names, watched.denied(), watched.reads) == (["rules/own.yaml"], ["one"], 0)
    (root / "rules" / "own.yaml").write_text("denied_tools: [two]\n")
    assert watched.denied() == ["two"]
    watched.settle()
    (root / "config.yaml").unlink()
    assert watched.denied() == ["one"]


def test_what_has_changed_just_now_is_read_each_time(root: Path) -> None:
    watched = Watched(root, age=0.0)
    watched.settle()
    assert (watched.denied(), watched.denied(), watched.reads) == (["one"], ["one"], 2)


def test_a_link_is_followed_each_time(root: Path) -> None:
    target = root / "elsewhere"
    target.mkdir()
    (target / "mcp.json").write_text('{"mcpServers": {"github": {"command": "x"}}}')
    (root / ".cursor").symlink_to(target, target_is_directory=True)
    watched = Watched(root)
    watched.settle()
    assert watched.servers() == ["github"]
    (target / "mcp.json").write_text('{"mcpServers": {"jira": {"command": "x"}}}')
    assert watched.servers() == ["jira"]
    assert watched.reads == 2


def test_an_operators_configuration_is_read_each_time(root: Path) -> None:
    config = root.parent / "operator.yaml"
    config.write_text("project_agent_rules:\n  default_rules:\n    denied_tools: [always]\n")
    watched = Watched(root, config=config)
    watched.settle()
    assert watched.files.of(watched.project).policy.config.path == str(config)
    assert watched.reads == 1


def test_another_project_at_the_same_place_is_read(root: Path) -> None:
    watched = Watched(root)
    watched.settle()
    watched.project = Project(str(root))
    assert watched.files.of(watched.project).project is watched.project
    assert watched.reads == 1


def test_a_root_that_is_not_there_is_read_each_time(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "gone")
    watched.settle()
    assert (watched.denied(), watched.reads) == ([], 1)
