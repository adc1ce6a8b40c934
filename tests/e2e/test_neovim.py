"""A real Neovim against the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.programs import find_program

SCRIPT = Path(__file__).with_name("neovim.lua")
PROJECT = Path(__file__).parents[2]
RULES = "denied_tools:\n  - github/*\nfile_patterns: # 😀\n  exclude:\n    - '*.pem'\n"


@pytest.mark.neovim
def test_neovim_shows_a_fault_gets_answers_and_sees_it_repaired(tmp_path: Path) -> None:
    program = find_program("nvim")
    assert program is not None
    rules = tmp_path / "app" / ".coding-agent-rules.yaml"
    rules.parent.mkdir()
    rules.write_text(RULES, encoding="utf-8")
    home = tmp_path / "home"
    environment = {key: value for key, value in os.environ.items() if key not in ("RULES_LSP_CONFIG", "NVIM_APPNAME")}
    environment |= {
        "HOME": str(home),
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
        "PYTHONPATH": str(PROJECT),
        "RULES_LSP_STRICT": "1",
        "TEST_PYTHON": sys.executable,
        "TEST_ROOT": str(rules.parent),
        "TEST_FILE": str(rules),
    }
    done = subprocess.run(
        [program, "--headless", "--clean", "-n", "-l", str(SCRIPT)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said == [
        {"diagnostic": {"code": "unquoted-glob", "source": "rules-lsp", "line": 4, "from": 6, "to": 11}},
        {"encoding": "utf-8"},
        {
            "hover": "in `denied_tools` it stands for every tool of the server `github`\n\n"
            "_this file does not parse: the rules of this file, its deny list included, are not in force_"
        },
        {"answer": {"allowed": False, "code": "denied-tool", "pattern": "github/*"}},
        {"repaired": '    - "*.pem" # 😀'},
        {"exit": {"code": 0, "signal": 0}},
    ]
