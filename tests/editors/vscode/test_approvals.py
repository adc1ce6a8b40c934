"""An agent in the real extension host asks the gate, and a person before the real page approves and reads."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.editors.vscode.harness import PROJECT, Editor, build, drive
from tests.support.programs import find_program

HERE = Path(__file__).parent
RULES = """version: 1
rules:
  - id: look
    name: Audit everything
    when: tool.before
    action: audit_only
  - id: ask
    name: Confirm deletions
    when: tool.before
    condition: {command: {kinds: [deletes]}}
    action: request_approval
  - id: tip
    name: Read with care
    when: tool.before
    target: {categories: [file_read]}
    action: inject_instruction
    instruction: Read with care.
    limit: {fires: 1, per: task}
"""

pytestmark = pytest.mark.vscode


def test_an_agent_waits_for_the_person_and_what_it_did_is_listed(tmp_path: Path) -> None:
    folder, answers = tmp_path / "shop", tmp_path / "report.json"
    folder.mkdir()
    (folder / ".auto-prompter.yaml").write_text(RULES, encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
    environment |= {"PYTHONPATH": str(PROJECT), "RULES_LSP_STRICT": "1", "TEST_REPORT": str(answers)}
    build("build")
    editor = Editor(tmp_path, environment)
    store = str(tmp_path / "state" / "prompter.db")
    command = [sys.executable, "-m", "rules_lsp"]
    editor.configure(user={}, machine={"rulesLsp.server.command": command, "rulesLsp.autoPrompter.store": store})
    with editor.serving("--enable-smoke-test-driver"):
        address = editor.address(folder=folder, tests=HERE / "host" / "approvals.js")
        values = {"PAGE_ADDRESS": address, "FAILURE_PICTURE": str(tmp_path / "failure.png")}
        shown = drive(HERE / "approvals.mjs", tmp_path, BROWSER_PROGRAM=find_program("chromium") or "", **values)
    assert shown == [
        {"question": "Confirm deletions: may this run once? Bash: rm a"},
        {"buttons": ["Approve once", "Deny"]},
        {
            "activity": [
                "Read with carenot run: an instruction goes first · Read",
                "Confirm deletionsdenied · Bash, deletes",
                "Confirm deletionsasked for approval · Bash, deletes",
                "Confirm deletionsdenied · Bash, deletes",
                "Confirm deletionsasked for approval · Bash, deletes",
                "Confirm deletionsapproved once · Bash, deletes",
                "Confirm deletionsasked for approval · Bash, deletes",
            ]
        },
        {"timed": True},
    ]
    assert json.loads(answers.read_text(encoding="utf-8")) == {
        "claimed": [True, 3],
        "rm a": ["held", "approved", "allow"],
        "consumed": [True, False],
        "rm b": ["held", "denied", "deny"],
        "rm c": ["held", "denied", "deny"],
        "read": "held",
        "opened": [".auto-prompter.yaml", "id: ask", 6],
    }
