"""A real Emacs against the server, by eglot and by lsp-mode."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.policy.file_names import DEFAULT_RULE_FILES
from tests.editors.home import EDITORS, Home
from tests.support.programs import find_program

pytestmark = pytest.mark.emacs

SESSION = Path(__file__).parent / "emacs" / "session.el"
PACKAGE = EDITORS / "emacs" / "rules-lsp.el"
FILES = {
    ".coding-agent-rules.yaml": (
        'denied_tools:\n  - github/*\nfile_patterns: # 😀\n  "exclud":   # 😀\n    - "*.pem"\n'
    ),
    ".git/HEAD": "",
    ".mcp.json": '{"mcpServers": {"github": {"command": "npx", "args": ["@modelcontextprotocol/server-github"]}}}',
    "src/a.py": "",
    "k.pem": "",
}
MESSAGE = "unknown key `exclud`; it is read as `exclude` meanwhile: rename it"


def emacs() -> str:
    program = find_program("emacs")
    assert program is not None
    return program


def session(home: Home, client: str) -> list[dict[str, Any]]:
    home.write(FILES)
    return home.run(
        *(emacs(), "-q", "--batch", "-l", SESSION),
        talks=True,
        TEST_CLIENT=client,
        TEST_PACKAGE=str(PACKAGE),
    )


def expected(message: str, *of_client: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"mode": "rules-lsp-yaml-mode"},
        {"diagnostic": [message, "exclud"]},
        {"action": "rename it to `exclude`"},
        {"repaired": '  "exclude":   # 😀'},
        {"hover": "in `denied_tools` it stands for every tool of the server `github"},
        {"answers": [None, True, None, True]},
        {"completion": ["file_patterns"]},
        {"cleared": True},
        *of_client,
        {"without": None},
    ]


def test_a_session_by_eglot(home: Home) -> None:
    assert session(home, "eglot") == expected(f"rules-lsp [unknown-key]: {MESSAGE}")


def test_a_session_by_lsp_mode(home: Home) -> None:
    listed = ({"tool": "denied  github/add_issue_comment"}, {"lens": "1 file · net −1"}, {"file": "k.pem"})
    assert session(home, "lsp-mode") == expected(MESSAGE, *listed)


def test_it_is_compiled_without_a_warning(home: Home) -> None:
    home.project.mkdir()
    copied = shutil.copy(PACKAGE, home.project)
    strictly = "(setq byte-compile-error-on-warn t)"
    assert home.run(emacs(), "-Q", "--batch", "--eval", strictly, "-f", "batch-byte-compile", copied) == []
    assert home.project.joinpath("rules-lsp.elc").exists()


def test_rule_files_have_modes_of_their_own(home: Home) -> None:
    home.project.mkdir()
    told = {
        ".auto-prompter.yaml": "rules-lsp-yaml-mode",
        "AGENTS.md": "rules-lsp-markdown-mode",
        "docs/AGENTS.override.md": "rules-lsp-markdown-mode",
        ".a0proj/instructions/1.md": "rules-lsp-markdown-mode",
        ".a0proj/project.json": "rules-lsp-json-mode",
        ".a0proj/mcp_servers.json": "rules-lsp-json-mode",
        ".shaft/a/templates/b/c.json": "rules-lsp-json-mode",
    }
    others = ["config.yaml", "x.coding-agent-rules.yaml", "MYAGENTS.md", "project.json", ".shaft/x.json"]
    shown = " ".join(f'(show "/app/{name}")' for name in [*DEFAULT_RULE_FILES, *told, *others])
    program = f"""(progn (load "{PACKAGE}" nil t)
      (defun show (name) (print (format "%s" (assoc-default name auto-mode-alist #'string-match))))
      {shown})"""
    modes = home.run(emacs(), "-Q", "--batch", "--eval", program)
    of_rules = ["rules-lsp-yaml-mode", "rules-lsp-markdown-mode", "rules-lsp-markdown-mode", *told.values()]
    assert [mode for mode in modes if mode.startswith("rules-lsp")] == modes[: len(of_rules)] == of_rules
