"""Real Neovims against the server: 0.11 with the plugin, and an older one with the lines that are given for it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.editors.home import EDITORS, Home
from tests.editors.recipes import fenced_blocks
from tests.support.programs import find_neovim, find_old_neovim

SCRIPTS = Path(__file__).with_name("neovim")
PLUGIN = EDITORS / "nvim"
FILES = {
    ".coding-agent-rules.yaml": (
        'denied_tools:\n  - github/*\nfile_patterns: {include: ["😀/**"], exclud: ["*.pem"]}\n'
    ),
    ".git/HEAD": "",
    "src/a.py": "",
    "k.pem": "",
    "😀/a.txt": "",
}


def session(home: Home, program: str, start: str, *, encoding: str) -> list[dict[str, Any]]:
    """What the session says with this start file; the fault stands behind a character of four bytes."""
    home.write(FILES)
    init = home.directory / "init.lua"
    init.write_text(start, encoding="utf-8")
    said = home.run(
        *(program, "--headless", "-n", "-i", "NONE", "-u", init, ".coding-agent-rules.yaml"),
        *("-c", f"luafile {SCRIPTS / 'session.lua'}"),
        TEST_CHARACTER={"utf-8": "38", "utf-16": "36"}[encoding],
    )
    assert {"encoding": encoding} in said
    return said


def expected(encoding: str) -> list[dict[str, Any]]:
    return [
        {"diagnostic": {"code": "unknown-key", "line": 2, "from": 38, "to": 44}},
        {"encoding": encoding},
        {"hover": "in `denied_tools` it stands for every tool of the server `github`"},
        {"answer": {"allowed": False, "code": "denied-tool", "pattern": "github/*"}},
        {"action": "rename it to `exclude`"},
        {"repaired": 'file_patterns: {include: ["😀/**"], exclude: ["*.pem"]}'},
        {
            "completion": [
                "system_prompt_extension",
                "allowed_tools",
                "x-unprotected",
                "x-tool-paths",
                "denied_tools",
                "file_patterns",
            ]
        },
        {"cleared": True},
        {"lens": {"line": 0, "title": "policy: 1 of 4 files writable"}},
        {"lens": {"line": 2, "title": "1 of 4 files"}},
        {"lens": {"line": 2, "title": "1 of 4 files"}},
        {"exit": 0},
    ]


@pytest.mark.neovim
def test_a_session_in_neovim_with_the_plugin(home: Home) -> None:
    program = find_neovim()
    assert program is not None
    shutil.copytree(PLUGIN, home.neovim_packages / "rules-lsp")
    (start,) = fenced_blocks(PLUGIN / "README.md", "lua", "Start")[:1]
    assert session(home, program, start, encoding="utf-8") == expected("utf-8")


@pytest.mark.neovim
def test_a_session_with_the_plugin_where_neovim_has_no_way_to_enable_a_server(home: Home) -> None:
    program = find_neovim()
    assert program is not None
    shutil.copytree(PLUGIN, home.neovim_packages / "rules-lsp")
    start = "vim.lsp.config, vim.lsp.enable = nil, nil\nrequire('rules_lsp').setup()\n"
    assert session(home, program, start, encoding="utf-8") == expected("utf-8")


@pytest.mark.old_neovim
def test_a_session_in_an_older_neovim(home: Home) -> None:
    program = find_old_neovim()
    assert program is not None
    (start,) = fenced_blocks(PLUGIN / "README.md", "lua", "Older Neovim")
    assert session(home, program, start, encoding="utf-16") == expected("utf-16")
