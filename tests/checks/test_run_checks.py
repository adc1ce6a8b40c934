"""The frame: order, isolation, the cap, what is passed on, and what cannot be read."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_lsp.checks import (
    CHECKS,
    Diagnostic,
    RelatedPlace,
    Subject,
    kind_of_file,
    run_checks,
    subjects_in_force,
)
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span
from rules_lsp.workspace.project import Project

NAME = ".coding-agent-rules.yaml"
EFFECT = "; the rules of this file, its deny list included, are not in force"


def raising(subject: Subject) -> Iterator[Diagnostic]:
    raise RuntimeError(f"no {subject.name}")


FAILING = replace(CHECKS[0], code="unknown-key", severity="error", find=raising)


def codes(content: str, name: str = NAME) -> list[str]:
    return [diagnostic.code for diagnostic in run_checks(Subject.of_text(name, content))]


def numbers(count: int) -> str:
    """Entries that YAML reads as numbers, each a different one."""
    return "denied_tools:\n" + "".join(f"  - {number}\n" for number in range(1000, 1000 + count))


def test_diagnostics_are_in_the_order_of_the_text() -> None:
    content = "file_patterns: {include: ['[a']}\ndeny_tools:\n  - a: b\n"
    assert codes(content) == ["invalid-glob", "unknown-key", "wrong-type"]


def test_what_reading_found_is_passed_on_where_no_check_speaks_of_it() -> None:
    first, second = run_checks(Subject.of_text(NAME, "denied_tools: [no]\ndenied_tools: [a]\n"), CHECKS[:1])
    assert (first.code, first.severity, first.span, first.fixes) == ("ambiguous-scalar", "warning", Span(15, 17), ())
    assert (second.code, second.severity, second.span) == ("duplicate-key", "error", Span(19, 31))
    assert second.related == (RelatedPlace(Span(0, 12), "`denied_tools` stands here first"),)


def test_a_file_that_is_right_has_no_diagnostics() -> None:
    assert codes("") == []
    assert codes("denied_tools: [Bash]\n") == []


def test_a_check_that_fails_is_logged_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("RULES_LSP_STRICT")
    subject = Subject.of_text(NAME, "deny_tools:\n  - a: b\n")
    with caplog.at_level(logging.ERROR):
        found = run_checks(subject, (FAILING, *(check for check in CHECKS if check.code != "unknown-key")))
    assert [(each.code, bool(each.fixes)) for each in found] == [("unknown-key", False), ("wrong-type", True)]
    assert [record.getMessage() for record in caplog.records] == [f"the check unknown-key failed on {NAME}"]


def test_a_check_that_fails_is_raised_where_the_environment_says_so() -> None:
    with pytest.raises(RuntimeError, match=f"no {NAME}"):
        run_checks(Subject.of_text(NAME, ""), (FAILING,))


@pytest.mark.parametrize(
    ("faults", "shown", "last"), [(1000, 1000, "ambiguous-scalar"), (1003, 1000, "too-many-findings")]
)
def test_at_most_a_thousand_are_shown_and_that_is_said(faults: int, shown: int, last: str) -> None:
    found = run_checks(Subject.of_text(NAME, numbers(faults)))
    assert (len(found), found[-1].code, found[998].code) == (shown, last, "ambiguous-scalar")


def test_the_cap_says_how_many_are_left() -> None:
    last = run_checks(Subject.of_text(NAME, numbers(1003)))[-1]
    assert last.message == "4 further findings from here on are not shown: repair those above first"
    assert (last.severity, last.span) == ("information", Span(14 + 999 * 9 + 4, 14 + 999 * 9 + 8))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("denied_tools: [\n", "syntax-error"),
        ("- a\n", "wrong-type"),
        ("denied_tools:\n  - *a\n  - *b\n", "unquoted-glob"),
        ("a: &a\n  <<: *a\n", "wrong-type"),
        ("denied_tools: []\n---\na: b\n", "multiple-documents"),
        ("denied_tools：\n  - a\n", "fullwidth-punctuation"),
    ],
)
def test_the_fault_that_switches_the_file_off_says_so_once(content: str, code: str) -> None:
    found = run_checks(Subject.of_text(NAME, content))
    assert [each.code for each in found if each.message.endswith(EFFECT)] == [code]


def test_a_broken_entry_does_not_switch_the_file_off() -> None:
    found = run_checks(Subject.of_text(NAME, "file_patterns: {exclude: ['[a']}\n"))
    message = r"`[a` has a `[` that is never closed: add the `]`, or write `\[` for a plain one"
    assert [each.message for each in found] == [f"{message}; until then every file is denied"]


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"denied_tools: [\xff]\n", "it is not UTF-8 (byte 15): save it as UTF-8"),
        (b"#" * (1024 * 1024 + 1), "it is larger than 1 MiB: shorten it"),
        (None, "it is a directory: rename it, and write the rules in a file of this name"),
    ],
)
@pytest.mark.parametrize("name", [NAME, ".coding-agent-rules.md"])
def test_a_file_that_cannot_be_read(tmp_path: Path, data: bytes | None, cause: str, name: str) -> None:
    path = tmp_path / name
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    (found,) = run_checks(Subject.of_file(str(path)))
    assert found == Diagnostic("unreadable-file", "error", f"`{name}` cannot be read: {cause}{EFFECT}", Span(0, 0))


def test_a_link_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text("denied_tools: [Bash]\n", encoding="utf-8")
    root = tmp_path / "project"
    root.mkdir()
    (root / NAME).symlink_to(tmp_path / "outside.yaml")
    (subject,) = subjects_in_force(Project(str(root)).policy())
    (found,) = run_checks(subject)
    assert found.code == "unreadable-file"
    cause = "it is a link to a file outside the project: put the file itself in the place of the link"
    assert found.message == f"`{NAME}` cannot be read: {cause}{EFFECT}"


def test_a_byte_order_mark_does_not_move_the_places(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(b"\xef\xbb\xbfdeny_tools: [Bash]\n")
    (found,) = run_checks(Subject.of_file(str(path)))
    assert (found.code, found.span) == ("unknown-key", Span(0, 10))


def test_the_files_in_force_are_the_rule_file_and_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(
        "project_agent_rules:\n  on_error: deny\n  rule_files: [../x.yaml, b.yaml]\n  enabld: yes\n", encoding="utf-8"
    )
    (tmp_path / "b.yaml").write_text("denied_tools: [\n", encoding="utf-8")
    (tmp_path / NAME).write_text("deny_tools: [\n", encoding="utf-8")
    rules, config = subjects_in_force(Project(str(tmp_path)).policy())
    assert (rules.name, config.name, config.kind) == ("b.yaml", "config.yaml", "config")
    (fault,) = run_checks(rules)
    assert fault.message.endswith("; until it is repaired everything is denied")
    assert [(each.code, config.text.slice(each.span)) for each in run_checks(config)] == [
        ("unknown-rule-file", "../x.yaml"),
        ("config-value", "enabld"),
    ]


def test_a_configuration_without_our_section_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("server: [\n", encoding="utf-8")
    assert subjects_in_force(Project(str(tmp_path)).policy()) == []
    assert codes("server: [\n", "config.yaml") == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (NAME, "yaml"),
        ("/a/.coding-agent-rules.md", "markdown"),
        (".github/AGENTS.md", "markdown"),
        ("/a/config.yaml", "config"),
        ("my.config.yaml", "yaml"),
        ("rules.txt", "yaml"),
    ],
)
def test_the_kind_of_a_file_is_told_by_its_name(name: str, kind: str) -> None:
    assert kind_of_file(name) == kind


def test_a_check_that_is_off_runs_only_where_it_is_asked_for() -> None:
    (unknown,) = (check for check in CHECKS if check.code == "unknown-key")
    off = replace(unknown, on=False)
    subject = Subject.of_text(NAME, "deny_tools: []\n")
    assert run_checks(subject, (off,)) == []
    assert [each.code for each in run_checks(subject, (off,), also=frozenset({"unknown-key"}))] == ["unknown-key"]
