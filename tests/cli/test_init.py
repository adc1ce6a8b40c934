from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rules_lsp.checks import CHECKS, Subject, run_checks
from rules_lsp.cli.main import main
from rules_lsp.features.starter import MARKDOWN_STARTER, YAML_STARTER
from rules_lsp.policy.yaml.read_yaml import read_yaml
from rules_lsp.source.text import Text
from tests.support.projects import MARKDOWN, RULES, build

EVERY = frozenset(check.code for check in CHECKS) - {"missing-schema-line"}
EXCLUDED = [".env", ".env.*", "*.pem", "*.key"]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["init", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize(
    ("arguments", "name"), [([], RULES), (["--format", "yaml"], RULES), (["--format", "md"], MARKDOWN)]
)
def test_the_file_is_written_and_clean(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], name: str
) -> None:
    assert output(capsys, *arguments) == (0, f"wrote {name}\n", "")
    assert os.listdir(here) == [name]
    assert (
        main(
            ["check", *(f"--severity={check.code}=warning" for check in CHECKS if not check.on and check.code in EVERY)]
        )
        == 0
    )
    assert capsys.readouterr().out == "nothing to report in 1 file\n"
    assert main(["explain", "file", "config/.env"]) == 1
    assert main(["explain", "file", "src/a.py"]) == 0
    assert main(["explain", "tool", "Bash"]) == 0


def test_the_examples_of_the_yaml_file_are_right(here: Path) -> None:
    lines = YAML_STARTER.splitlines()
    uncommented = [re.sub(r"^( *)# (?= *-|[a-z_]+:|  )", r"\1", line) for line in lines[1:]]
    content = "\n".join([lines[0], *uncommented]) + "\n"
    reading = read_yaml(Text(content))
    assert reading.rules is not None
    assert [(each.name, [entry.text for entry in each.entries]) for each in reading.rules.lists()] == [
        ("allowed_tools", ["Read", "Edit", "github/get_*"]),
        ("denied_tools", ["Bash", "github/delete_*"]),
        ("file_patterns.include", ["/src/**", "/tests/**"]),
        ("file_patterns.exclude", EXCLUDED),
    ]
    assert reading.rules.system_prompt_extension == "Write a test for every change.\n"
    assert run_checks(Subject.of_text(RULES, content), also=EVERY) == []


@pytest.mark.parametrize("name", [RULES, MARKDOWN])
def test_what_exists_is_left_alone(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    build(here.parent, {name: "mine"})
    message = f"rules-lsp: {name}: it exists, and is left as it is\n"
    assert output(capsys, "--format", "md" if name == MARKDOWN else "yaml") == (2, "", message)
    assert (here / name).read_text() == "mine"


def test_a_dangling_link_is_left_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, links={RULES: "elsewhere"})
    assert output(capsys)[0] == 2
    assert os.listdir(here) == [RULES]


@pytest.mark.parametrize(
    ("files", "arguments", "note"),
    [
        ({RULES: ""}, ["--format", "md"], f"it is not read: `{RULES}` stands above it and stays in force"),
        (
            {".github/AGENTS.md": "x"},
            [],
            "it stands above `.github/AGENTS.md`, whose rules are no longer in force: move them here",
        ),
        (
            {"config.yaml": "project_agent_rules: {rule_files: [RULES.md]}\n"},
            [],
            f"it is not read: `rule_files` of the configuration does not name `{RULES}`",
        ),
    ],
)
def test_how_it_stands_to_others_is_said(
    here: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], arguments: list[str], note: str
) -> None:
    build(here.parent, files)
    status, printed, errors = output(capsys, *arguments)
    assert (status, printed.splitlines()[1:], errors) == (0, [note], "")


def test_a_directory_that_may_not_be_written(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, content: bytes) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("rules_lsp.cli.init.create", refuse)
    assert output(capsys) == (2, "", f"rules-lsp: {RULES}: it cannot be written (permission denied)\n")


def test_the_markdown_file_is_read_by_people_too() -> None:
    assert [line for line in MARKDOWN_STARTER.splitlines() if line.startswith("- ")] == [
        f"- `{pattern}`" for pattern in EXCLUDED
    ]
