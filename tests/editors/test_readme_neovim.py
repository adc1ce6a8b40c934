"""The lines for Neovim that the README gives, in a real Neovim, for each kind of rule file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.home import PROJECT, Home
from tests.editors.recipes import fenced_blocks
from tests.support.programs import find_neovim

ASKING = Path(__file__).parent / "neovim" / "readme.lua"
YAML = "denied_tools: [github/x]\nfile_patterns: {exclude: [secrets/]}\nnonsense_key: 1\n"
MARKDOWN = (
    "## Denied Tools\n\n- `github/x`\n\n## File Patterns\n\n### Exclude\n\n- `secrets/`\n\n## Allowed Tools\n\nProse.\n"
)


@pytest.mark.neovim
@pytest.mark.parametrize("with_git", [True, False], ids=["git", "no-git"])
@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        (".coding-agent-rules.yaml", YAML, "unknown-key"),
        (".coding-agent-rules.md", MARKDOWN, "unreadable-section-content"),
        (".github/AGENTS.md", MARKDOWN, "unreadable-section-content"),
    ],
)
def test_the_lines_of_the_readme_work(home: Home, name: str, content: str, code: str, with_git: bool) -> None:
    program = find_neovim()
    assert program is not None
    home.write({name: content, **({".git/HEAD": ""} if with_git else {})})
    (lines,) = fenced_blocks(PROJECT / "README.md", "lua", "In your editor")
    start = home.directory / "init.lua"
    start.write_text(lines, encoding="utf-8")
    said = home.run(program, "--headless", "-n", "-u", start, name, "-c", f"luafile {ASKING}")
    assert said == [
        {"code": code, "root": "app", "tool": "denied-tool", "file": "excluded", "free": "unrestricted"},
    ]
