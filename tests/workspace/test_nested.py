from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules_lsp.workspace.nested import projects_below
from tests.support.projects import MARKDOWN, RULES, build


def found(root: Path, **options: object) -> list[str]:
    return [os.path.relpath(path, root) for path in projects_below(str(root), **options)]  # type: ignore[arg-type]


def test_a_directory_with_rules_of_its_own_is_a_project(tmp_path: Path) -> None:
    section = "project_agent_rules: {enabled: true}\n"
    root = build(
        tmp_path,
        {
            f"b/{RULES}": "",
            f"a/{MARKDOWN}": "",
            f"a/deep/er/{RULES}": "",
            "a/.github/AGENTS.md": "",
            "c/.github/AGENTS.md": "",
            "d/config.yaml": section,
            "e/config.yaml": "servers: {}\n",
            "f/config.yaml": "# project_agent_rules\n",
            "g/AGENTS.md": "",
            "h/.github/other.md": "",
        },
    )
    assert found(root) == ["a", "a/deep/er", "b", "c", "d"]


def test_the_top_itself_is_one(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: "", f"x/{RULES}": ""})
    assert found(root) == [".", "x"]
    assert found(root / "x") == ["."]


def test_other_peoples_files_are_not_entered(tmp_path: Path) -> None:
    names = [".git", ".venv/x", "node_modules/p", "web/node_modules/p", "env/lib", "env2"]
    files = {f"{name}/{RULES}": "" for name in names}
    root = build(tmp_path, {**files, "env/pyvenv.cfg": "", "env2/not-pyvenv.cfg": ""})
    assert found(root) == ["env2"]
    assert found(root / "node_modules") == ["p"]
    assert found(root / "env") == ["lib"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    root = build(tmp_path, {f"a/{RULES}": ""}, links={"b": "a", "loop": "."})
    assert found(root) == ["a"]


def test_a_rule_file_that_is_a_dangling_link_or_a_directory_counts(tmp_path: Path) -> None:
    root = build(tmp_path, directories=[f"b/{RULES}"], links={f"a/{RULES}": "nowhere"})
    assert found(root) == ["a", "b"]


def test_what_is_skipped_and_what_a_rule_file_is_called_can_be_said(tmp_path: Path) -> None:
    root = build(tmp_path, {f"a/{RULES}": "", f"b/x/{RULES}": "", "c/docs/RULES.md": ""})
    assert found(root, skip=frozenset({str(root / "b")})) == ["a"]
    assert found(root, rule_files=["docs/RULES.md"]) == ["c"]


def test_a_directory_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = build(tmp_path, {f"a/{RULES}": "", f"b/{RULES}": "", f"c/{RULES}": ""})
    real = os.scandir

    def scandir(path: str) -> object:
        if path == str(root / "b"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    told: list[OSError] = []
    assert found(root, on_error=told.append) == ["a", "c"]
    assert [error.filename for error in told] == [str(root / "b")]
    assert found(root) == ["a", "c"]
