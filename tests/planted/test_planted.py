"""Faulty rule files as people write them: each fault is found at its place, and the fixes leave a clean file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import CHECKS, Diagnostic, run_checks
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.source.problem import Severity
from rules_lsp.source.text import Text
from tests.checks.case_files import drawn, read_case
from tests.checks.surroundings import surrounded_subject

FILES = {path.stem: read_case(path) for path in sorted((Path(__file__).resolve().parent / "files").glob("*.case"))}
# What only the author can repair: the codes that are left when every fix has been made.
LEFT: dict[str, list[str]] = {
    "editable": ["rule-file-editable"],
    "globs_nothing_left": ["nothing-allowed"],
    "globs_outside": ["never-matches", "never-matches"],
    "md_all_in_a_fence": ["section-in-code", "section-in-code"],
    "md_commented_out": ["section-in-code"],
    "md_empty": ["empty-section"],
    "md_patterns_without_side": ["unplaced-pattern", "unplaced-pattern"],
    "md_phrases": ["malformed-tool-name"],
    "md_prose": ["unreadable-section-content"],
    "md_twice": ["duplicate-section"],
    "superseded": ["superseded-rule-file"],
    "tools_all_denied": ["all-tools-denied"],
    "tools_arguments": ["argument-pattern"],
    "tools_only_of_servers": ["builtins-denied"],
    "tools_prose": ["malformed-tool-name", "malformed-tool-name"],
    "wrong_name": ["unread-rule-file"],
    "yaml_duplicate_key": ["duplicate-key"],
    "yaml_empty_list": ["empty-list"],
    "yaml_merge_key": ["wrong-type"],
    "yaml_nothing_behind_the_key": ["null-value", "null-value"],
    "yaml_patterns_without_sides": ["wrong-type"],
    "yaml_permissions_of_another_tool": ["unknown-key"],
    "yaml_two_documents": ["multiple-documents"],
}


def diagnosed(name: str, content: str, directory: Path) -> list[Diagnostic]:
    first, *others = FILES[name].files
    return run_checks(surrounded_subject(first.name, content, {each.name: each.content for each in others}, directory))


def test_there_are_enough_of_every_kind() -> None:
    assert len(FILES) >= 70
    found = {want.code for case in FILES.values() for want in case.files[0].wanted}
    assert len(found & {check.code for check in CHECKS}) >= 50
    assert set(LEFT) <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_each_fault_is_found_at_its_place_and_no_other(name: str, tmp_path: Path) -> None:
    file = FILES[name].files[0]
    found = diagnosed(name, file.content, tmp_path)
    wanted = sorted((want.span, want.code) for want in file.wanted)
    assert wanted != []
    assert sorted((each.span, each.code) for each in found) == wanted, "found:\n" + drawn(Text(file.content), found)


@pytest.mark.parametrize("name", FILES)
def test_the_fixes_leave_a_clean_file_and_change_nothing_when_made_again(name: str, tmp_path: Path) -> None:
    case = FILES[name]
    content = case.files[0].content

    def diagnose(changed: str) -> list[Diagnostic]:
        return diagnosed(name, changed, tmp_path)

    safe, unsafe = fixed(content, diagnose), fixed(content, diagnose, unsafe=True)
    assert safe == (case.fixed if case.fixed is not None else content)
    assert unsafe == (case.fixed_unsafe if case.fixed_unsafe is not None else safe)
    assert fixed(safe, diagnose) == safe
    assert fixed(unsafe, diagnose, unsafe=True) == unsafe
    assert sorted(each.code for each in diagnose(unsafe)) == LEFT.get(name, [])


def test_most_are_repaired_without_a_guess(tmp_path: Path) -> None:
    grave: set[Severity] = {"error", "warning"}
    clean = 0
    for name, case in FILES.items():
        directory = tmp_path / name
        if case.fixed is not None:
            clean += not grave & {each.severity for each in diagnosed(name, case.fixed, directory)}
    assert clean >= 35
