"""Guides for agents in which no section is meant: nothing is an error and nothing a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.checks import run_checks
from rules_lsp.checks.common.surroundings import Surroundings
from rules_lsp.policy.markdown.read_markdown import read_markdown
from rules_lsp.source.text import Text
from rules_lsp.workspace.project import Project
from tests.innocent.blocks import BLOCKS
from tests.innocent.generator import documents

NAME = ".github/AGENTS.md"
WRITTEN = {
    path.stem: path.read_bytes().decode("utf-8")
    for path in sorted((Path(__file__).resolve().parent / "documents").iterdir())
}
GENERATED = documents(290)
ALL = {**WRITTEN, **GENERATED}
WORKSPACE = {
    "README.md": "# Shop\n",
    "package.json": "{}\n",
    "src/index.ts": "export {}\n",
    "src/app/[id]/page.tsx": "export {}\n",
    "tests/index.test.ts": "\n",
    "docs/tools.md": "# Tools\n",
    ".env.example": "KEY=\n",
    ".mcp.json": '{"mcpServers": {"github": {"command": "docker", "args": ["ghcr.io/github/github-mcp-server"]}}}',
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    for name, content in WORKSPACE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root


def test_there_are_enough_and_no_two_are_the_same() -> None:
    assert len(ALL) >= 310
    assert len(set(ALL.values())) == len(ALL)
    assert len(WRITTEN) >= 25
    assert documents(290) == GENERATED
    everything = "".join(GENERATED.values())
    assert all(block.strip().splitlines()[-1] in everything for block in BLOCKS)


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_reported(name: str, workspace: Path) -> None:
    path = workspace / NAME
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(ALL[name].encode("utf-8"))
    subjects = Surroundings.of(Project(str(workspace))).subjects()
    assert NAME in [subject.name for subject in subjects]
    found = [each for subject in subjects for each in run_checks(subject)]
    reported = [(each.code, each.message) for each in found if each.severity != "information"]
    assert reported == []


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_restricted(name: str) -> None:
    assert list(read_markdown(Text(ALL[name])).rules.lists()) == []


def test_a_section_among_them_is_found_all_the_same() -> None:
    for content in list(GENERATED.values())[::6]:
        extended = content.rstrip("\n") + "\n\n## Denied Tools\n\n- `Bash`\n"
        (denied,) = read_markdown(Text(extended)).rules.denied_tools
        assert [entry.text for entry in denied.entries] == ["Bash"]
