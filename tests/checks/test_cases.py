"""Every case file: what must be found is found, nothing else is, and the fixes make of the file what they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Fix, Subject, run_checks
from rules_lsp.checks.fixing import fixed
from rules_lsp.policy.roots import Root
from rules_lsp.source.edits import apply_edits
from rules_lsp.workspace.servers import configured_servers
from tests.checks.case_files import Case, cases, drawn, read_case

ALL = cases()


def subject_of(case: Case, content: str, directory: Path) -> Subject:
    for file in case.files[1:]:
        path = directory / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content.encode("utf-8"))
    root = Root.at(str(directory))
    return Subject.of_text(case.files[0].name, content, root=root, known_servers=configured_servers(root.real))


def test_there_are_cases() -> None:
    assert len(ALL) >= 25


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_what_is_wanted_is_found_and_nothing_else(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    subject = subject_of(case, case.files[0].content, tmp_path)
    found = run_checks(subject)
    wanted = case.files[0].wanted
    places = sorted((diagnostic.span, diagnostic.code) for diagnostic in found)
    assert places == sorted((want.span, want.code) for want in wanted), "found:\n" + drawn(subject.text, found)
    for want in wanted:
        messages = [each.message for each in found if (each.span, each.code) == (want.span, want.code)]
        assert any(want.text in message for message in messages), f"{want.text!r} is in none of {messages}"


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_fixes_make_the_file_that_is_wanted(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    content = case.files[0].content

    def diagnose(changed: str) -> list[Diagnostic]:
        return run_checks(subject_of(case, changed, tmp_path))

    safe, unsafe = fixed(content, diagnose), fixed(content, diagnose, unsafe=True)
    assert safe == (case.fixed if case.fixed is not None else content)
    assert unsafe == (case.fixed_unsafe if case.fixed_unsafe is not None else safe)
    assert fixed(safe, diagnose) == safe
    assert fixed(unsafe, diagnose, unsafe=True) == unsafe


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_each_fix_removes_its_diagnostic_and_takes_nothing_from_the_denying_lists(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    before = subject_of(case, case.files[0].content, tmp_path)
    for diagnostic in run_checks(before):
        for fix in diagnostic.fixes:
            after = subject_of(case, apply_edits(before.text.content, fix.edits), tmp_path)
            left = {(each.code, each.span.start) for each in run_checks(after)}
            assert (diagnostic.code, moved_by(diagnostic.span.start, fix)) not in left, fix.title
            assert denied_by(before) <= denied_by(after), fix.title


def moved_by(offset: int, fix: Fix) -> int:
    return offset + sum(len(edit.replacement) - len(edit.span) for edit in fix.edits if edit.span.end <= offset)


def denied_by(subject: Subject) -> set[tuple[str, str]]:
    rules = subject.shown
    lists = (*rules.denied_tools, *rules.exclude)
    return {(entry.list, entry.text) for each in lists for entry in each.entries if entry.broken is None}
