from __future__ import annotations

from pathlib import Path

from rules_lsp.checks.common.surroundings import Surroundings, with_content
from rules_lsp.workspace.project import Project
from tests.support.projects import RULES, build

SERVERS = '{"mcpServers": {"mine": {"command": "x"}}}'


def test_a_subject_knows_what_is_around_it(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "denied_tools: [x]\n", ".mcp.json": SERVERS, "src/a.py": ""})
    known = Surroundings.of(Project(str(root)))
    subject = next(subject for subject in known.subjects() if subject.name == RULES)
    assert subject.policy is known.policy
    assert subject.files is not None
    assert subject.files.files == (RULES, ".mcp.json", "src/a.py")
    assert subject.catalogue is not None
    assert subject.catalogue.names() == ("mine",)


def test_files_are_counted_as_they_are_found(tmp_path: Path) -> None:
    root = build(tmp_path, {f"f{number}": "" for number in range(1000)})
    told: list[int] = []

    def progress(count: int) -> bool:
        told.append(count)
        return True

    assert Surroundings.of(Project(str(root)), progress).files.complete
    assert told == [1000]


def test_another_text_keeps_what_is_around_it(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "denied_tools: [x]\n", "config.yaml": "project_agent_rules: {on_error: deny}\n"})
    known = Surroundings.of(Project(str(root)))
    subject = next(subject for subject in known.subjects() if subject.name == RULES)
    changed = with_content(subject, "allowed_tools: [y]\n")
    assert [each.name for each in changed.shown.lists()] == ["allowed_tools"]
    assert (changed.path, changed.kind, changed.root) == (subject.path, "yaml", subject.root)
    assert (changed.policy, changed.files, changed.catalogue) == (subject.policy, subject.files, subject.catalogue)
    assert changed.meanwhile == "until it is repaired everything is denied"
