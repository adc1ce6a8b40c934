"""`rules-lsp context` and `rules-lsp persona`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from rules_lsp.schemas import validate

RULES = "file_patterns:\n  exclude: ['*.pem']\n"


@pytest.fixture
def app(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a denied file; the home directory is empty."""
    monkeypatch.setenv("HOME", str(here.parent))
    for name, text in (
        (".coding-agent-rules.yaml", RULES),
        ("src/a.py", "a = 1\n"),
        ("src/k.pem", "KEY"),
        ("docs/x.md", "日本"),
    ):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    return here


def test_the_files_as_text(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", "-f", "src/**/*.py", "-r", "docs"]) == 0
    assert capsys.readouterr() == (
        "target     src/a.py           6 bytes        2 tokens  matches `src/**/*.py`\n"
        "reference  docs/x.md          6 bytes        2 tokens  in the folder `docs`\n"
        "2 files, 12 bytes, about 4 tokens\n",
        "",
    )


def test_what_is_refused_or_missing_ends_with_one(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", "-f", "src", "-f", "none.py", "--count-by-dir"]) == 1
    assert capsys.readouterr() == (
        "     1          6 bytes        2 tokens  src\n1 file, 6 bytes, about 2 tokens\n",
        "refused: write src/k.pem: `src/k.pem` is excluded by `*.pem`\nmissing: there is no `none.py`\n",
    )


def test_the_files_as_json(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", "-f", "src", "-r", "docs", "--format", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert validate("context-files", answer) == []
    assert [file["path"] for file in answer["files"]] == ["src/a.py", "docs/x.md"]
    assert answer["refused"][0]["answer"]["rule"]["pattern"] == "*.pem"
    assert answer["totals"] == {"files": 2, "size": 12, "tokens": 4}


def test_a_list_from_the_input(app: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"# c\r\nsrc/a.py\r\n")))
    assert main(["context", "-F", "-"]) == 0
    assert "src/a.py" in capsys.readouterr().out
    assert main(["context", "-F", "-", "-F", "-"]) == 2
    assert capsys.readouterr().err == "rules-lsp: -F - reads the input, which is there only once\n"


def test_a_persona_for_a_file(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (app / "p.json").write_text(
        '{"user_content": ["{{ task_description }}:", "{{ target_contents.values() | list }}"]}'
    )
    assert main(["persona", "p.json", "--for", "src/a.py", "--task", "Double it"]) == 0
    assert capsys.readouterr() == ("--- user ---\nDouble it:\n['a = 1\\n']\n", "")
    assert main(["persona", "p.json", "--for", "src/k.pem", "--task", "Double it"]) == 1
    out, err = capsys.readouterr()
    assert "KEY" not in out
    assert err == "refused: write src/k.pem: `src/k.pem` is excluded by `*.pem`\n"


def test_a_persona_that_cannot_be_rendered_ends_with_two(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (app / "p.json").write_text('{"user_content": [\n "{{ task_description }}{{ cwdd }}"]}')
    assert main(["persona", "p.json"]) == 2
    assert capsys.readouterr() == (
        "",
        "p.json:2:28: error[undefined-variable] the variable `cwdd` is defined nowhere: did you mean `cwd`?\n",
    )
    assert main(["persona", "none"]) == 2
    assert capsys.readouterr().err == (
        "rules-lsp: none: there is no such file and no persona of this name: `rules-lsp persona` lists all\n"
    )


def test_a_persona_of_the_package_as_json(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["persona", "editor", "--for", "src/a.py", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"]["items"]["required"] == ["file_path", "search_block", "replace_block"]
    assert "### src/a.py\n\n~~~~\na = 1\n" in answer["user"]
    assert answer["schemaText"].startswith("Answer with a JSON array and nothing else")
    assert (answer["problems"], answer["context"]["complete"]) == ([], True)


def test_the_personas_are_listed(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = app / ".shaft" / "shaft" / "templates" / "task"
    folder.mkdir(parents=True)
    (folder / "mine.json").write_text("{}")
    assert main(["persona", "--format", "json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)] == ["task/mine", "editor", "reviewer"]
