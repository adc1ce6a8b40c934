"""The lines for Neovim that the README gives, in a real Neovim, for each kind of rule file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.programs import find_program

PROJECT = Path(__file__).parents[2]
ASKING = Path(__file__).with_name("readme.lua")
YAML = "denied_tools: [github/x]\nfile_patterns: {exclude: [secrets/]}\nnonsense_key: 1\n"
MARKDOWN = (
    "## Denied Tools\n\n- `github/x`\n\n## File Patterns\n\n### Exclude\n\n- `secrets/`\n\n## Allowed Tools\n\nProse.\n"
)


def block() -> str:
    found = re.findall(r"```lua\n(.*?)```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


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
def test_the_lines_of_the_readme_work(tmp_path: Path, name: str, content: str, code: str, with_git: bool) -> None:
    program = find_program("nvim")
    assert program is not None
    rules = tmp_path / "app" / name
    rules.parent.mkdir(parents=True)
    rules.write_text(content, encoding="utf-8")
    if with_git:
        (tmp_path / "app" / ".git").mkdir()
    command = tmp_path / "bin" / "rules-lsp"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rules_lsp "$@"\n')
    command.chmod(0o755)
    start = tmp_path / "init.lua"
    start.write_text(block(), encoding="utf-8")
    home = tmp_path / "home"
    environment = {key: value for key, value in os.environ.items() if key not in ("RULES_LSP_CONFIG", "NVIM_APPNAME")}
    environment |= {
        "HOME": str(home),
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT),
    }
    done = subprocess.run(
        [program, "--headless", "-n", "-u", str(start), str(rules), "-c", f"luafile {ASKING}"],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "code": code,
        "root": "app",
        "tool": "denied-tool",
        "file": "excluded",
        "free": "unrestricted",
    }
