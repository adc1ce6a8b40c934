"""What the checks of globs need to know, and when they say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Subject, run_checks
from rules_lsp.policy.roots import Root
from rules_lsp.source.records import replace
from rules_lsp.workspace.inventory import FileInventory, scan
from rules_lsp.workspace.project import Project

NAME = ".coding-agent-rules.yaml"


def subject_of(
    directory: Path, content: str, files: FileInventory | None, *, fold_case: bool = False, name: str = NAME
) -> Subject:
    path = directory / name
    path.write_text(content, encoding="utf-8")
    project = Project(str(directory), fold_case=fold_case)
    subject = Subject.of_text(name, content, path=str(path), root=Root.at(str(directory)))
    return subject.surrounded(project.policy(), files)


def codes(found: list[Diagnostic]) -> list[str]:
    return [each.code for each in found]


def listed(*includes: str, exclude: tuple[str, ...] = ()) -> str:
    lines = ["file_patterns:", "  include:", *(f"    - '{text}'" for text in includes)]
    return "\n".join([*lines, *(["  exclude:"] if exclude else []), *(f"    - '{text}'" for text in exclude), ""])


FAULTY = listed("srcs/**", "Src/**", "src/[id]/**", "README.md", exclude=("secrest/",))
FILES = FileInventory(
    (".env", "README.md", "docs/README.md", "secrets/a", "src/[id]/x"), ("docs", "secrets", "src", "src/[id]")
)


def test_all_of_it_is_found_where_the_files_are_known(tmp_path: Path) -> None:
    found = codes(run_checks(subject_of(tmp_path, FAULTY, FILES)))
    assert found == [
        "matches-nothing",
        "case-mismatch",
        "character-class-path",
        "partly-unanchored",
        "matches-nothing",
    ]


@pytest.mark.parametrize("files", [None, replace(FILES, complete=False), FileInventory((NAME,), ())])
def test_nothing_is_said_where_they_are_not_all_known_or_there_are_none(
    tmp_path: Path, files: FileInventory | None
) -> None:
    assert run_checks(subject_of(tmp_path, FAULTY, files)) == []


def test_an_exclude_that_folds_case_is_right_on_a_volume_that_does(tmp_path: Path) -> None:
    content = listed("**", exclude=("SECRETS/", ".ENV"))
    assert codes(run_checks(subject_of(tmp_path, content, FILES))) == [
        "secret-exposed",
        "case-mismatch",
        "case-mismatch",
    ]
    assert run_checks(subject_of(tmp_path, content, FILES, fold_case=True)) == []


def test_an_empty_directory_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "dist" / "empty").mkdir(parents=True)
    (tmp_path / "a.py").touch()
    content = listed("dist/empty/*.ts", "dist/empty/x/", "dist/empty/*.js", "a.py", "dist/*.js")
    assert [each.message for each in run_checks(subject_of(tmp_path, content, scan(str(tmp_path))))] == [
        "`dist/*.js` takes no file of the project: write a path that exists, or remove it"
    ]


def test_rules_that_are_not_in_force_expose_nothing(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("denied_tools: [Bash]\n", encoding="utf-8")
    files = FileInventory((".env", "src/a"), ("src",))
    lower = subject_of(tmp_path, "# Rules\n\n## Denied Tools\n- `Bash`\n", files, name=".coding-agent-rules.md")
    assert "secret-exposed" not in codes(run_checks(lower))
    assert codes(run_checks(subject_of(tmp_path, "denied_tools: [Bash]\n", files))) == ["secret-exposed"]


def test_a_secret_of_a_protected_or_switched_off_project(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("project_agent_rules: {enabled: false}\n", encoding="utf-8")
    files = FileInventory((".env", "src/a"), ("src",))
    assert run_checks(subject_of(tmp_path, "denied_tools: [Bash]\n", files)) == []


def test_a_pattern_of_another_project_is_told_by_its_root(tmp_path: Path) -> None:
    found = run_checks(subject_of(tmp_path, listed(f"{tmp_path}/src/**", "/etc/passwd", "/src/**"), None))
    assert [(each.code, each.message.partition(" is ")[2]) for each in found] == [
        ("never-matches", "an absolute path, and patterns begin at the project's directory: write `/src/**`"),
        ("never-matches", "an absolute path, and patterns begin at the project's directory: write a path below it"),
    ]


@pytest.mark.parametrize("text", ["**", ".", "*", "/", "./", "/**", "/*", "**/*", "**/**", "{*,x}"])
def test_an_exclude_of_everything_leaves_nothing(text: str) -> None:
    found = run_checks(Subject.of_text(NAME, f"file_patterns:\n  exclude: ['{text}']\n"))
    told = [each.message for each in found if each.code == "nothing-allowed"]
    assert told == [f"`{text}` excludes every file, so none is left to read or write: exclude less"]


@pytest.mark.parametrize("text", ["*/", "*.*", "?*?", "!**", ".*", "**/a"])
def test_an_exclude_that_leaves_some_file_is_none_of_everything(text: str) -> None:
    found = run_checks(Subject.of_text(NAME, f"file_patterns:\n  exclude: ['{text}']\n"))
    assert "nothing-allowed" not in codes(found)
