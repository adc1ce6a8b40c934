"""Agents in a newer VS Code find the MCP server by themselves: the extension tells the editor of it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.editors.vscode.harness import NEWER_SERVER, PROJECT, Editor, build, drive
from tests.support.programs import find_program

HERE = Path(__file__).parent
RULES = "file_patterns:\n  exclude:\n    - secrets/\n"
WITHOUT_MCP = """\
import sys
sys.modules["mcp"] = None
from rules_lsp.cli.entry import main
sys.exit(main())
"""

pytestmark = pytest.mark.vscode


def test_agents_of_the_editor_have_the_tools_of_the_mcp_server(tmp_path: Path) -> None:
    project = tmp_path / "日本 shop"
    project.mkdir()
    (project / ".coding-agent-rules.yaml").write_text(RULES, encoding="utf-8")
    answers, without = tmp_path / "report.json", tmp_path / "without.py"
    without.write_text(WITHOUT_MCP, encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
    environment |= {
        "PYTHONPATH": str(PROJECT),
        "TEST_REPORT": str(answers),
        "TEST_WITHOUT_MCP": json.dumps([sys.executable, str(without)]),
    }
    build("build")
    editor = Editor(tmp_path, environment, NEWER_SERVER)
    editor.configure(user={}, machine={"rulesLsp.server.command": [sys.executable, "-m", "rules_lsp"]})
    with editor.serving("--enable-smoke-test-driver"):
        address = editor.address(folder=project, tests=HERE / "mcp" / "index.js")
        values = {"PAGE_ADDRESS": address, "FAILURE_PICTURE": str(tmp_path / "failure.png")}
        drive(HERE / "host.mjs", tmp_path, BROWSER_PROGRAM=find_program("chromium") or "", **values)
    said = json.loads(answers.read_text(encoding="utf-8"))
    assert "failure" not in said, said["failure"]
    names = ["check_edits", "check_file", "check_tool", "effective_policy", "explain", "filter_paths"]
    assert said["tools"] == [f"mcp_rules_for_cod_{name}" for name in names]
    assert said["denied"] == [False, "`secrets/key.pem` is excluded by `secrets/`"]
    assert said["allowed"] == [True, "`src/app.py` is restricted by no rule"]
    assert said["without"] == [[], True]
