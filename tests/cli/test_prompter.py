"""`rules-lsp prompter`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.cli.main import main
from tests.prompter.support import ASKING, ROOT, Place, bash, claimed
from tests.prompter.vectors import VECTORS, lay_out, run

# The clock of another process goes on by itself.
TIMELESS = [vector for vector in VECTORS if all(step["do"] != "wait" for step in vector["steps"])]


@pytest.mark.parametrize("vector", TIMELESS, ids=lambda vector: vector["id"])
def test_a_vector_through_the_command(vector: dict[str, Any], tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    lay_out(vector, root)
    command = [sys.executable, "-m", "rules_lsp", "prompter", "gate"]
    options = ["--root", str(root), "--store", str(tmp_path / "state" / "prompter.db")]
    process = subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def ask(method: str, arguments: dict[str, Any]) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"do": method, "with": arguments}) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())["answer"]

    run(vector, ask)
    process.communicate(timeout=30)
    assert process.returncode == 0


def prompter(place: Place, *arguments: str) -> int:
    return main(["prompter", *arguments, "--root", str(place.root), "--store", str(place.store)])


def test_status_shows_the_switch_and_every_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place(tmp_path, ASKING + "  - {id: off, enabled: false, when: tool.before, action: audit_only}\n")
    assert prompter(place, "status") == 0
    assert capsys.readouterr().out == (
        "Auto Prompter is on\n"
        "  ask: Confirm deletions (on; tool.before, request_approval)\n"
        "  off: off (off; tool.before, audit_only)\n"
    )
    assert not place.store.exists()


def test_status_of_a_file_that_is_off_or_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place(tmp_path, ASKING + "enabled: false\n")
    assert prompter(place, "status") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Auto Prompter is off",
        "  ask: Confirm deletions (off; tool.before, request_approval)",
    ]
    place.write("version: 2\n")
    assert prompter(place, "status") == 2
    assert capsys.readouterr().err == "  the file cannot be read: `version` must be 1\n"


def test_an_approval_is_listed_and_decided_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place(tmp_path)
    # The command's clock is the real one.
    from rules_lsp.prompter.gate import PolicyGate

    gate = PolicyGate.open(str(place.root), str(place.store))
    claimed(gate)
    request = gate.before_tools("j", [bash("rm a")])["approval"]["requestId"]
    assert prompter(place, "approvals") == 0
    assert capsys.readouterr().out == f"{request}  Confirm deletions: Bash: rm a\n"
    assert prompter(place, "approvals", "--approve", request) == 0
    assert prompter(place, "approvals", "--deny", request) == 1
    assert capsys.readouterr().out == "done\nnot done: there is nothing of that kind any more\n"
    assert prompter(place, "approvals") == 0
    assert capsys.readouterr().out == ""
    assert gate.before_tools("j", [bash("rm a")])["batch"] == "run"


def test_the_audit_for_people_and_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place(tmp_path)
    gate = place.gate()
    claimed(gate)
    gate.before_tools("j", [bash("rm a")])
    assert prompter(place, "audit") == 0
    assert capsys.readouterr().out == "1970-01-12T13:46:40Z  waiting_for_approval  Confirm deletions  Bash, deletes\n"
    assert prompter(place, "audit", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["ruleId"] == "ask"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("no", "a request is a JSON object with `do` and `with`"),
        (
            '{"do": "close"}',
            "`do` must be one of claim_job, before_tools, before_completion, decide, consume, release, approvals, "
            "status",
        ),
        ('{"do": "release", "with": []}', "`with` must be an object"),
        ('{"do": "release", "with": {}}', "`job` is missing"),
        ('{"do": "release", "with": {"job": 1}}', "`job` is of the wrong kind"),
        ('{"do": "release", "with": {"job": "j", "x": 1}}', "`release` takes no `x`"),
    ],
)
def test_a_request_that_makes_no_sense(line: str, error: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    command = [sys.executable, "-m", "rules_lsp", "prompter", "gate", "--root", str(place.root)]
    answer = subprocess.run(command, input=line + "\n", capture_output=True, text=True, check=True, cwd=ROOT)
    assert json.loads(answer.stdout) == {"error": error}


def test_an_empty_request_is_not_approved_and_no_other_action_approves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(tmp_path)
    options = ["--root", str(place.root), "--store", str(place.store)]
    assert main(["prompter", "approvals", *options, "--approve", ""]) == 1
    assert capsys.readouterr().out == "not done: there is nothing of that kind any more\n"
    assert main(["prompter", "status", *options, "--approve", "a"]) == 2
    assert "--approve and --deny go with `approvals` only" in capsys.readouterr().err
