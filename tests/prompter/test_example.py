"""The README's section about rules that act does what it says: its file, its loop and what that prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.source.text import Text
from tests.editors.recipes import fenced_blocks
from tests.prompter.support import ROOT, Place, bash, claimed

LOOP = Path(__file__).parent / "example_loop.py"
HEADING = "Rules that act while an agent works"


def block(language: str) -> str:
    (found,) = fenced_blocks(ROOT / "README.md", language, HEADING)
    return found


def printed(place: Place) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(LOOP), str(place.root), str(place.store)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_file_has_no_fault() -> None:
    found = read_auto_prompter(Text(block("yaml")))
    assert (found.problems, found.rules.refusal, len(found.rules.active)) == ((), None, 5)


def test_the_loop_is_that_of_the_example() -> None:
    assert f"\n\n\n{block('python')}\n\n" in LOOP.read_text(encoding="utf-8")


def test_the_loop_prints_what_the_readme_shows(tmp_path: Path) -> None:
    output = printed(Place(tmp_path, block("yaml")))
    assert output == block("console")
    assert output == (
        "system: Say in plain words what you do.\n"
        "result: Error: not run: the rule `Look first` gives an instruction first\n"
        "result: Error: denied by the rule `Keep the secrets`: nobody reads these\n"
        "user: Read docs/deploying.md first.\n"
        "runs: {'command': 'terraform plan'}\n"
        "result: Error: denied by the rule `Keep the secrets`: nobody reads these\n"
        "result: Error: not run: the rule `Confirm deletions` asks for approval first\n"
        "user: Say what would be lost.\n"
        "another process: done\n"
        "runs: {'command': 'rm -r build'}\n"
        "user: 日本語で答えてください。\n"
        "accepted: 完了しました。\n"
    )


@pytest.mark.parametrize("rules", ["off", "no file"])
def test_the_loop_where_auto_prompter_is_off(rules: str, tmp_path: Path) -> None:
    place = Place(tmp_path, block("yaml").replace("enabled: true", "enabled: false") if rules == "off" else None)
    assert printed(place) == (
        "system: \n"
        "runs: {'command': 'terraform plan'}\n"
        "runs: {'file_path': 'secrets/key.pem'}\n"
        "runs: {'command': 'terraform plan'}\n"
        "runs: {'file_path': 'secrets/key.pem'}\n"
        "runs: {'command': 'rm -r build'}\n"
        "runs: {'command': 'rm -r build'}\n"
        "accepted: All done.\n"
    )
    assert not place.store.parent.exists()


def test_an_agent_that_would_approve_for_itself_is_held_back(tmp_path: Path) -> None:
    place = Place(tmp_path, block("yaml"))
    gate = place.gate()
    claimed(gate)
    for command in ("rules-lsp prompter approvals --approve 1", "cd /; sudo rules-lsp prompter approvals --approve 1"):
        answer = gate.before_tools("j", [bash(command)])
        assert answer["approval"]["ruleId"] == "confirm-deletions", command
    assert gate.before_tools("j", [bash("rules-lsp check")])["batch"] == "run"
