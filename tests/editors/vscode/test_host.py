"""The extension inside the real extension host of VS Code, with several folders open."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode.harness import PROJECT, Editor, build, drive
from tests.support.programs import find_program

HERE = Path(__file__).parent
RULES = ".coding-agent-rules.yaml"
FAULTY = """deny_tools: # 😀
  - github/delete_*
file_patterns:
  include:
    - src/**
  exclude:
    - "*.pem"
"""
MARKDOWN = "## Denied Tools\n\n- `Bash`\n"
Report = dict[str, Any]

pytestmark = pytest.mark.vscode


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """What one session in the extension host says, step by step."""
    home = tmp_path_factory.mktemp("vscode")
    workspace = home / "work" / "all.code-workspace"
    for name, content in {
        f"shop/{RULES}": FAULTY,
        "shop/README.md": "",
        "shop/src/a.py": "",
        "shop/src/k.pem": "",
        "docs/.coding-agent-rules.md": MARKDOWN,
        "empty/a.txt": "",
    }.items():
        path = workspace.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    workspace.write_text(json.dumps({"folders": [{"path": name} for name in ("shop", "docs", "empty")]}))
    answers = home / "report.json"
    environment = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
    environment |= {"PYTHONPATH": str(PROJECT), "RULES_LSP_STRICT": "1", "TEST_REPORT": str(answers)}
    build("build")
    editor = Editor(home, environment)
    editor.configure(user={}, machine={"rulesLsp.server.command": [sys.executable, "-m", "rules_lsp"]})
    with editor.serving("--enable-smoke-test-driver"):
        address = editor.address(workspace=workspace, tests=HERE / "host" / "index.js")
        values = {"PAGE_ADDRESS": address, "FAILURE_PICTURE": str(home / "failure.png")}
        drive(HERE / "host.mjs", home, BROWSER_PROGRAM=find_program("chromium") or "", **values)
    told: Report = json.loads(answers.read_text(encoding="utf-8"))
    assert "failure" not in told, told["failure"]
    return told


def test_what_it_offers(report: Report) -> None:
    offered = ["explainFile", "explainTool", "isFileAllowed", "isToolAllowed", "onDidChangePolicy"]
    assert report["api"] == [1, "apiVersion", *offered]
    names = "convert createRuleFile explainActiveFile explainFile explainTool explainToolNamed"
    names += " gate.approvals gate.beforeCompletion gate.beforeTools gate.claimJob gate.consume gate.release"
    names += " gate.status isFileAllowed isToolAllowed openAutoPrompterRule openDecidingRule overview"
    names += " preview previewPersona refreshPolicy refreshToolCatalogue restart serverState"
    names += " showFiles showOutput showPolicy showPrompt showTools"
    assert [name for name in report["commands"] if "policy." not in name] == [
        f"rulesLsp.{each}" for each in names.split()
    ]


def test_a_fault_is_shown_and_repaired_in_the_file(report: Report) -> None:
    assert report["diagnostics"] == [["rules-lsp", "unknown-key", 0, 0, 0, 10]]
    assert report["fixed"] == ["rename it to `denied_tools`", "denied_tools: # 😀"]
    assert report["cleared"] == 0


def test_what_is_shown_at_a_place(report: Report) -> None:
    assert report["hover"] == "what `*.pem` matches may be neither read nor changed"
    assert report["completion"] == ["allowed_tools", "denied_tools", "system_prompt_extension"]
    assert report["page"] == "**denied**: write `secrets/k.pem`"


def test_lenses_count_and_list(report: Report) -> None:
    assert report["lenses"] == [
        [0, "policy: 1 of 4 files writable", "rulesLsp.showFiles"],
        [3, "2 of 4 files", "rulesLsp.showFiles"],
        [4, "2 files · net +1", "rulesLsp.showFiles"],
        [5, "1 of 4 files", "rulesLsp.showFiles"],
        [6, "1 file · net −1", "rulesLsp.showFiles"],
    ]


def test_questions_about_files(report: Report) -> None:
    assert report["files"] == {
        "excluded": [False, "excluded", "*.pem"],
        "included": [True, "included", "src/**"],
        "read": [True, "unrestricted", None],
        "write": [False, "not-included", None],
        "other": [True, "unrestricted", None],
        "spaces": [True, "included", "src/**"],
        "spacesDenied": [False, "excluded", "*.pem"],
        "untitled": [False, "invalid-request", None],
        "git": [False, "invalid-request", None],
        "cell": [False, "invalid-request", None],
        "remote": [False, "invalid-request", None],
        "nothing": [False, "invalid-request", None],
    }


def test_questions_about_tools_ask_every_folder(report: Report) -> None:
    assert report["tools"] == {
        "denied": [False, "denied-tool", "github/delete_*"],
        "free": [True, "unrestricted", None],
        "otherFolder": [False, "denied-tool", "Bash"],
    }


def test_the_exported_interface(report: Report) -> None:
    assert report["exported"] == {
        "denied": False,
        "allowed": True,
        "deniedTool": False,
        "allowedTool": True,
        "deniedByArguments": False,
        "reason": "`src/k.pem` is excluded by `*.pem`",
    }


def test_tools_of_a_language_model(report: Report) -> None:
    assert report["modelTools"] == {
        "names": ["rules-lsp_isFileAllowed", "rules-lsp_isToolAllowed"],
        "file": {
            "allowed": False,
            "code": "excluded",
            "reason": "`src/k.pem` is excluded by `*.pem`",
            "pattern": "*.pem",
        },
        "tool": {
            "allowed": True,
            "code": "unrestricted",
            "reason": "`github/get_file` is restricted by no rule",
            "pattern": None,
        },
    }


def test_a_change_outside_of_the_editor_is_told(report: Report) -> None:
    assert report["changed"] == ["shop", [False, "excluded", "*.py"], [True, "unrestricted", None]]


def test_rule_files_are_converted_and_created(report: Report) -> None:
    assert report["converted"] == "denied_tools:\n  - Bash\n"
    assert report["created"] == ["empty/.coding-agent-rules.md", "# Rules for coding agents", False]


def test_the_deciding_rule_is_opened(report: Report) -> None:
    assert report["deciding"] == [f"shop/{RULES}", "*.py"]


def test_a_new_start(report: Report) -> None:
    assert report["restarted"] == [3, [False, "excluded", "*.py"]]


def test_a_server_that_is_killed_or_frozen(report: Report) -> None:
    assert report["killed"] == [[False, "excluded", "*.py"], True]
    assert report["frozen"] == [False, "the rules cannot be asked: Error: the server does not answer"]
    assert report["thawed"] == [True, "unrestricted", None]


def test_a_setting_that_names_no_server_and_its_repair(report: Report) -> None:
    sentence = '`rulesLsp.server.command` must be a list of texts, such as ["rules-lsp"]'
    assert report["nonsense"] == [False, f"the rules cannot be asked: Error: {sentence}"]
    assert report["repaired"] == [True, "unrestricted", None]


def test_without_a_server_everything_is_denied(report: Report) -> None:
    assert report["without"] == [False, "policy-error"]


def test_what_changed_while_no_server_ran_is_told_when_one_runs_again(report: Report) -> None:
    assert report["missed"] == ["shop", False]
