"""`rules-lsp edits`."""

from __future__ import annotations

import io
import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.cli.main import main
from rules_lsp.prompt.edits.journal import Journal, write_journal
from rules_lsp.prompt.edits.places import journal_directory
from rules_lsp.schemas import validate

README = Path(__file__).resolve().parents[2] / "README.md"
BATCH = [
    {"file_path": "a.txt", "search_block": "two", "replace_block": "2"},
    {"file_path": "new/b.txt", "search_block": "", "replace_block": "b\n", "explanation": "a new one"},
    {"file_path": "gone.txt", "search_block": "all\n", "replace_block": ""},
]


@pytest.fixture
def project(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (here / ".coding-agent-rules.yaml").write_text("file_patterns:\n  exclude: ['*.pem']\n", encoding="utf-8")
    (here / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    (here / "gone.txt").write_text("all\n", encoding="utf-8")
    (here / "edits.json").write_text(json.dumps(BATCH), encoding="utf-8")
    return here


def given(monkeypatch: pytest.MonkeyPatch, batch: Any) -> None:
    text = batch if isinstance(batch, str) else json.dumps(batch)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_check_says_what_would_become_of_each_edit(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edits", "edits.json"]) == 1
    assert capsys.readouterr().out == (
        "edit 0: ready: changes a.txt:2\n"
        "edit 1: ready: creates new/b.txt\n"
        "edit 2: deletion-not-allowed: to leave nothing of `gone.txt` deletes it, and deletions are not allowed here\n"
        "1 of 3 edits cannot be applied, so nothing is changed\n"
    )
    assert main(["edits", "--check", "edits.json", "--allow-delete"]) == 0
    assert capsys.readouterr().out == (
        "edit 0: ready: changes a.txt:2\n"
        "edit 1: ready: creates new/b.txt\n"
        "edit 2: ready: deletes gone.txt:1\n"
        "3 edits can be applied\n"
        "run again with --apply to make them\n"
    )
    assert (project / "a.txt").read_text(encoding="utf-8") == "one\ntwo\n"


def test_apply(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edits", "--apply", "edits.json", "--allow-delete"]) == 0
    assert capsys.readouterr().out == (
        "edit 0: applied: changes a.txt:2\n"
        "edit 1: applied: creates new/b.txt\n"
        "edit 2: applied: deletes gone.txt:1\n"
        "3 edits applied\n"
    )
    assert (project / "a.txt").read_text(encoding="utf-8") == "one\n2\n"
    assert sorted(os.listdir(project)) == [".coding-agent-rules.yaml", "a.txt", "edits.json", "new"]
    assert os.listdir(project / "new") == ["b.txt"]


def test_a_batch_in_the_answer_of_a_model(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = f"Here are they:\n\n```json\n{json.dumps(BATCH[:2])}\n```\n"
    given(monkeypatch, answer)
    assert main(["edits", "--apply", "--answer"]) == 0
    assert capsys.readouterr().out == (
        "edit 0: applied: changes a.txt:2\nedit 1: applied: creates new/b.txt\n2 edits applied\n"
    )
    assert (project / "a.txt").read_text(encoding="utf-8") == "one\n2\n"
    given(monkeypatch, answer)
    assert main(["edits"]) == 2
    given(monkeypatch, "I cannot.")
    capsys.readouterr()
    assert main(["edits", "--answer"]) == 2
    assert capsys.readouterr().err == "rules-lsp: the answer holds no JSON array of edits\n"


def test_a_denied_and_a_foreign_file_change_nothing(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, [*BATCH[:2], {"file_path": "k.pem", "search_block": "", "replace_block": "k"}])
    assert main(["edits", "--apply", "--target", "a.txt", "--target", "*.pem", "--format", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert validate("edit-answers", answer) == []
    assert (answer["allowed"], answer["applied"]) == (False, False)
    assert [(each["edit"], each["status"], each["code"]) for each in answer["answers"]] == [
        (0, "ready", "unrestricted"),
        (1, "not-a-target", "invalid-request"),
        (2, "denied", "excluded"),
    ]
    assert (project / "a.txt").read_text(encoding="utf-8") == "one\ntwo\n"
    assert not (project / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "batch", "error"),
    [
        ([], "{}", "a batch of edits is a JSON array of objects with `file_path`, `search_block` and `replace_block`"),
        ([], '[{"a": 1, "a": 2}]', "the key `a` is written twice in one object"),
        (
            ["--target", ""],
            "[]",
            "a target is a path or a pattern, and one of these is empty or holds a null character",
        ),
        (["--cwd", "nowhere"], "[]", "--cwd nowhere: there is no such directory"),
        (["missing.json"], "[]", "no such file or directory: missing.json"),
        (
            ["--recover", "--allow-delete"],
            "",
            "--recover takes no batch and no options of one: they are in its journal",
        ),
    ],
)
def test_a_wrong_call(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    batch: str,
    error: str,
) -> None:
    given(monkeypatch, batch)
    assert main(["edits", *arguments]) == 2
    assert capsys.readouterr() == ("", f"rules-lsp: {error}\n")


def test_an_unfinished_apply_is_to_be_recovered_first(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = journal_directory(str(project), str(tmp_path / "state" / "rules-lsp"))
    os.makedirs(directory)
    write_journal(directory, Journal(str(project), "preparing", (), ()))
    assert main(["edits", "--apply", "edits.json"]) == 2
    assert capsys.readouterr() == ("", "an earlier apply was cut short: run `rules-lsp edits --recover` first\n")
    assert main(["edits", "--recover", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "recovered": "undone",
        "reason": "every file has its old text",
        "files": [],
        "left": [],
    }
    assert main(["edits", "--recover"]) == 0
    assert capsys.readouterr().out == "there is nothing to recover\n"


def test_relative_paths_start_where_they_are_said_to(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "src").mkdir()
    (project / "src" / "a.txt").write_text("two\n", encoding="utf-8")
    for options, line in (([], 2), (["--cwd", "src"], 1)):
        given(monkeypatch, BATCH[:1])
        assert main(["edits", *options]) == 0
        name = "src/a.txt" if options else "a.txt"
        assert capsys.readouterr().out.splitlines()[0] == f"edit 0: ready: changes {name}:{line}"


def test_the_readme_shows_what_is_printed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    section = README.read_text(encoding="utf-8").partition("\n## Structured edits\n")[2].partition("\n## ")[0]
    console = section.partition("```console\n")[2].partition("```\n")[0]
    batch, command = console.removeprefix("$ cat edits.json\n").split("\n\n$ rules-lsp ")
    call, _, printed = command.partition("\n")
    (project / ".coding-agent-rules.yaml").write_text("file_patterns: {exclude: [secrets/]}\n", encoding="utf-8")
    (project / "edits.json").write_text(batch, encoding="utf-8")
    (project / "src").mkdir()
    (project / "src" / "app.py").write_text("import app\ndebug = True\n", encoding="utf-8")
    assert main(shlex.split(call)) == 1
    assert capsys.readouterr().out == printed
