"""Templates of Agent Zero: which files are some, and that those of a project are checked and repaired."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import kind_of_file
from rules_lsp.checks.common.kinds import FileKind, neighbour_kind
from rules_lsp.cli.main import main

ACTIVE = "agent.system.projects.active.md"
CODES = "spaced-placeholder,undefined-name,unreadable-file"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (ACTIVE, "a0-template"),
        (f"agents/coder/prompts/{ACTIVE}", "a0-template"),
        ("prompts/agent.system.projects.main.md", "a0-template"),
        ("agent.system.projects.inactive.md", "a0-template"),
        ("agent.protocol.projects.agents_md.md", "a0-template"),
        ("agent.protocol.projects.instructions.md", "a0-template"),
        (f".a0proj/instructions/{ACTIVE}", "instructions"),
        ("agent.system.projects.md", None),
        (f"my.{ACTIVE}", None),
        (f"{ACTIVE}/x.md", None),
    ],
)
def test_a_template_is_known_by_its_name(name: str, kind: FileKind | None) -> None:
    assert neighbour_kind(name) == kind


def test_a_template_that_is_named_alone_is_one() -> None:
    assert kind_of_file(f"/a/{ACTIVE}") == "a0-template"
    assert kind_of_file(f"/a/my.{ACTIVE}") == "markdown"


def test_those_of_a_project_are_found_and_repaired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        f"a/b/{ACTIVE}": b"{{ project_path }}\r\n{{project_nam}}\r\n",
        "c/agent.system.projects.main.md": b"\xff",
        "c/other.md": b"{{ project_path }}\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--fix", "--select", CODES]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if ".md:" in line]
    assert [line.partition("] ")[0] for line in told] == [
        f"a/b/{ACTIVE}:1:1: fixed[spaced-placeholder",
        f"a/b/{ACTIVE}:2:1: warning[undefined-name",
        "c/agent.system.projects.main.md:1:1: error[unreadable-file",
    ]
    assert (tmp_path / "a" / "b" / ACTIVE).read_bytes() == b"{{project_path}}\r\n{{project_nam}}\r\n"
    assert (tmp_path / "c" / "other.md").read_bytes() == b"{{ project_path }}\n"
