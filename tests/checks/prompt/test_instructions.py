"""Instructions beside each other in a folder: which of them is told, and under which names nobody looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import Diagnostic, Subject, run_checks
from rules_lsp.policy.roots import Root
from rules_lsp.source.text import Span

Found = list[tuple[str, str, str]]


def checked(root: Path, name: str) -> list[Diagnostic]:
    at = Root.at(str(root))
    return run_checks(Subject.of_file(at.absolute(name), name=name, kind="instructions", root=at))


def found_in(root: Path, name: str) -> Found:
    return [(each.code, each.severity, each.message) for each in checked(root, name)]


def write(root: Path, name: str, content: str | bytes = "Run the tests.\n") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def test_an_override_is_told_at_both_files(tmp_path: Path) -> None:
    write(tmp_path, "web/AGENTS.md")
    write(tmp_path, "web/AGENTS.override.md")
    message = "`AGENTS.override.md` of this folder is told in the place of this file: put what holds into that one"
    (masked,) = checked(tmp_path, "web/AGENTS.md")
    assert (masked.code, masked.severity, masked.message) == ("masked-instructions", "warning", message)
    (related,) = masked.related
    assert related.document is not None
    assert (related.document.path, related.span) == (str(tmp_path / "web/AGENTS.override.md"), Span(0, 14))
    message = "this file is told in the place of `AGENTS.md` of its folder"
    assert found_in(tmp_path, "web/AGENTS.override.md") == [("masked-instructions", "information", message)]


def test_an_empty_override_masks_to_nothing(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md")
    write(tmp_path, "AGENTS.override.md", "\ufeff \r\n")
    assert found_in(tmp_path, "AGENTS.md") == [
        (
            "masked-instructions",
            "warning",
            "`AGENTS.override.md` of this folder is empty and masks this file, so that nothing is told: "
            "remove that one",
        )
    ]
    assert found_in(tmp_path, "AGENTS.override.md") == [
        (
            "masked-instructions",
            "warning",
            "this file is empty and masks `AGENTS.md` of its folder, so that nothing is told: write it or remove it",
        )
    ]


def test_an_override_that_cannot_be_read_masks_nothing(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md")
    write(tmp_path, "AGENTS.override.md", b"\xff\xfe\xff")
    assert found_in(tmp_path, "AGENTS.md") == []
    assert [code for code, _, _ in found_in(tmp_path, "AGENTS.override.md")] == ["unreadable-file"]


def test_one_file_under_two_names_masks_nothing(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md")
    (tmp_path / "agents.md").symlink_to("AGENTS.md")
    (tmp_path / "Agents.md").symlink_to("nowhere.md")
    assert found_in(tmp_path, "AGENTS.md") == []
    assert found_in(tmp_path, "agents.md") == []


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("web/AGENTS.MD", "web/AGENTS.md"),
        ("AGENT.md", "AGENTS.md"),
        ("web/Agents.Override.md", "web/AGENTS.override.md"),
    ],
)
def test_a_slip_of_the_name_is_renamed(tmp_path: Path, name: str, right: str) -> None:
    write(tmp_path, name)
    (found,) = checked(tmp_path, name)
    message = f"no agent looks for instructions under this name: it is `{right.rpartition('/')[2]}`"
    assert (found.code, found.severity, found.message, found.span) == (
        "misnamed-instructions",
        "warning",
        message,
        Span(0, 14),
    )
    assert [(fix.title, fix.safe, fix.rename) for fix in found.fixes] == [
        (f"rename it to `{right}`", False, (name, right))
    ]


def test_a_slip_beside_instructions_is_not_renamed(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.MD")
    write(tmp_path, "agents.md")
    (found,) = checked(tmp_path, "AGENTS.MD")
    assert (found.code, found.fixes) == ("misnamed-instructions", ())


@pytest.mark.parametrize(
    "name", ["AGENTS.md", "web/Agents.md", "web/AGENTS.Override.md", ".a0proj/instructions/AGENT.md"]
)
def test_a_name_that_is_looked_for(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)
    assert found_in(tmp_path, name) == []


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"Stra\xdfe\n", "unreadable-file"),
        (b"a" * (1024 * 1024 + 1), "unreadable-file"),
        (b"a" * (1024 * 1024), None),
    ],
    ids=["latin-1", "too large", "as large as may be"],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes, cause: str | None) -> None:
    write(tmp_path, "web/AGENTS.md", content)
    found = checked(tmp_path, "web/AGENTS.md")
    assert [each.code for each in found] == ([] if cause is None else [cause])
    assert all(each.message.endswith("; until it is repaired no agent is told what it says") for each in found)
