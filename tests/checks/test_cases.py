"""Every case file: what must be found is found, nothing else is, and the fixes make of the file what they must."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Fix, Subject, run_checks
from rules_lsp.checks.common.fixing import fixed
from rules_lsp.source.edits import apply_edits
from tests.checks.case_files import Case, cases, drawn, read_case
from tests.checks.surroundings import surrounded_subject

ALL = cases()


def subject_of(case: Case, content: str, directory: Path) -> Subject:
    others = {file.name: file.content for file in case.files[1:]}
    return surrounded_subject(case.files[0].name, content, others, directory)


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
    found = run_checks(before)
    for diagnostic in found:
        for fix in diagnostic.fixes:
            after = subject_of(case, apply_edits(before.text.content, fix.edits), tmp_path)
            assert is_removed(diagnostic, fix, found, run_checks(after)), fix.title
            assert denies_as_much(before, diagnostic, fix, after), fix.title


def is_removed(diagnostic: Diagnostic, fix: Fix, found: list[Diagnostic], left: list[Diagnostic]) -> bool:
    """Whether a diagnostic is gone after its fix; there may be others of its code in its place.

    Of an entry that repeats another one nothing is said but that: without the other it has the fault itself.
    """
    places = Counter((each.code, each.span.start) for each in found)
    still = Counter((each.code, each.span.start) for each in left)
    there = (diagnostic.code, moved_by(diagnostic.span.start, fix))
    before, after = Counter(each.code for each in found), Counter(each.code for each in left)
    fewer = any(after[code] < before[code] for code in (diagnostic.code, "duplicate-entry"))
    return fewer or still[there] < places[(diagnostic.code, diagnostic.span.start)]


def moved_by(offset: int, fix: Fix) -> int:
    return offset + sum(len(edit.replacement) - len(edit.span) for edit in fix.edits if edit.span.end <= offset)


WITHOUT_EFFECT = {"covered-entry", "covered-pattern"}
"""What these speak of denies nothing that is allowed otherwise: others deny it, or no include allows it."""


def denies_as_much(before: Subject, diagnostic: Diagnostic, fix: Fix, after: Subject) -> bool:
    """Whether no denying entry is lost; one that the diagnostic is about or an edit touches may be written otherwise.

    One that is taken out must stand in its list again; one that is rewritten may then stand there twice.
    """
    rules = after.shown
    lists = (*rules.denied_tools, *rules.exclude)
    if any(each.broken or any(entry.broken for entry in each.entries) for each in lists):
        # What cannot be read in a denying list denies everything of its kind.
        return True
    denied, still_denied = denied_by(before), denied_by(after)
    touched = [before.entry_at(span) for span in (diagnostic.span, *(edit.span for edit in fix.edits))]
    lost = {text for _, text in set(denied) - set(still_denied)}
    if diagnostic.code in WITHOUT_EFFECT:
        entry = before.entry_at(diagnostic.span)
        return entry is not None and lost <= {entry.text}
    as_many = len(set(denied)) <= len(set(still_denied)) or len(denied) <= len(still_denied)
    return as_many and lost <= {entry.text for entry in touched if entry is not None}


def denied_by(subject: Subject) -> list[tuple[str, str]]:
    """The entries that deny something: a negated one of an exclude list does not."""
    rules = subject.shown
    lists = (*rules.denied_tools, *rules.exclude)
    entries = [entry for each in lists for entry in each.entries if entry.broken is None]
    return [(entry.list, entry.text) for entry in entries if entry.list == "denied_tools" or entry.text[:1] != "!"]
