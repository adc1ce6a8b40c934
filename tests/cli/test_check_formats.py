"""`rules-lsp check --format sarif` and `--format github`, line by line and by the standard's own schema."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rules_lsp import __version__
from rules_lsp.checks import CHECKS
from rules_lsp.cli.main import main
from tests.support.projects import RULES, build

SCHEMA = Path(__file__).parent.parent / "data" / "sarif" / "sarif-schema-2.1.0.json"
VALIDATOR = jsonschema.Draft7Validator(
    json.loads(SCHEMA.read_text(encoding="utf-8")), format_checker=jsonschema.FormatChecker()
)
CODES = "unknown-key,invalid-glob,duplicate-key,unreadable-file,config-value"
RULES_TEXT = "deny_tools: [x]\r\nfile_patterns: {include: ['\U0001f600/*.a', '\U0001f600[a']}\r\ndeny_tools: [y]\r\n"


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["check", "--select", CODES, *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def sarif(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    _, printed, _ = output(capsys, "--format", "sarif", *arguments)
    log = json.loads(printed)
    assert [error.message for error in VALIDATOR.iter_errors(log)] == []
    return log


def region(line: int, start: int, end: int) -> dict[str, int]:
    return {"startLine": line, "startColumn": start, "endLine": line, "endColumn": end}


def test_sarif_says_everything(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {f"a b/\u65e5/{RULES}": RULES_TEXT})
    log = sarif(capsys)
    (run,) = log["runs"]
    place = {"uri": f"a%20b/%E6%97%A5/{RULES}", "uriBaseId": "ROOT"}
    artifact = {**place, "index": 0}
    assert log["version"] == "2.1.0"
    assert (run["columnKind"], run["newlineSequences"]) == ("utf16CodeUnits", ["\r\n", "\n", "\r"])
    assert run["originalUriBaseIds"] == {"ROOT": {"uri": f"file://{here}/"}}
    assert run["artifacts"] == [{"location": place, "roles": ["analysisTarget"]}]
    note = ".: the project has no rule file, so nothing is restricted inside it"
    assert run["invocations"] == [
        {"executionSuccessful": True, "toolExecutionNotifications": [{"level": "note", "message": {"text": note}}]}
    ]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("rules-lsp", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["duplicate-key", "invalid-glob", "unknown-key"]
    first, second, third = run["results"]
    assert first == {
        "ruleId": "unknown-key",
        "ruleIndex": 2,
        "level": "error",
        "message": {"text": "unknown key `deny_tools`; it is read as `denied_tools` meanwhile: rename it"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": artifact,
                    "region": {**region(1, 1, 11), "snippet": {"text": "deny_tools"}},
                }
            }
        ],
        "fixes": [
            {
                "description": {"text": "rename it to `denied_tools`"},
                "artifactChanges": [
                    {
                        "artifactLocation": artifact,
                        "replacements": [
                            {"deletedRegion": region(1, 1, 11), "insertedContent": {"text": "denied_tools"}}
                        ],
                    }
                ],
                "properties": {"safe": True},
            }
        ],
    }
    assert second["locations"][0]["physicalLocation"]["region"] == {**region(2, 40, 41), "snippet": {"text": "["}}
    assert second["fixes"][0]["properties"] == {"safe": False}
    assert second["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {"deletedRegion": region(2, 40, 40), "insertedContent": {"text": "\\"}}
    ]
    assert (third["ruleId"], third["ruleIndex"]) == ("duplicate-key", 0)
    assert third["relatedLocations"] == [
        {
            "id": 1,
            "physicalLocation": {"artifactLocation": artifact, "region": region(1, 1, 11)},
            "message": {"text": "`deny_tools` stands here first"},
        }
    ]


def test_a_sarif_rule_bears_the_documentation_of_its_check(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "deny_tools: [x]\n"})
    (rule,) = sarif(capsys)["runs"][0]["tool"]["driver"]["rules"]
    assert rule["name"] == "UnknownKey"
    assert rule["shortDescription"] == {"text": "A key that the file does not have."}
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["help"]["markdown"].startswith("A key that the file does not have.\n\n## What it finds\n\n")
    assert rule["help"]["markdown"].endswith("```yaml\ndenied_tools:\n  - github/delete_file\n```")


def test_sarif_names_files_from_the_root_and_others_as_they_are(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = here.parent / "outside"
    outside.mkdir()
    (outside / RULES).write_text("deny_tools: [x]\n")
    build(here.parent, {f"sub/{RULES}": "deny_tools: [x]\n"}, directories=[".git"])
    artifacts = sarif(capsys, "sub", str(outside))["runs"][0]["artifacts"]
    assert [artifact["location"] for artifact in artifacts] == [
        {"uri": f"sub/{RULES}", "uriBaseId": "ROOT"},
        {"uri": f"file://{outside}/{RULES}"},
    ]


def test_the_schema_would_tell(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: "deny_tools: [x]\n"})
    log = sarif(capsys)
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] = 0
    assert [error.message for error in VALIDATOR.iter_errors(log)] == ["0 is less than the minimum of 1"]


def test_sarif_of_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = ".: the project has no rule file, so nothing is restricted inside it"
    log = sarif(capsys)
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["invocations"] == [
        {
            "executionSuccessful": True,
            "toolExecutionNotifications": [{"level": "note", "message": {"text": note}}],
        }
    ]
    assert output(capsys, "--format", "sarif")[::2] == (0, f"{note}\n")


def test_sarif_of_a_file_that_cannot_be_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: b"\xff"})
    (result,) = sarif(capsys)["runs"][0]["results"]
    assert (result["level"], result["locations"][0]["physicalLocation"]["region"]) == ("error", region(1, 1, 1))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_sarif_is_valid_for_every_check(
    here: Path, capsys: pytest.CaptureFixture[str], check: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in check.documentation.example:
        path = here / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content.encode(file.encoding))
    monkeypatch.setattr("tests.cli.test_check_formats.CODES", check.code)
    results = sarif(capsys, "--root", ".")["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == {check.code}


def test_what_would_be_a_link_in_sarif_is_text(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {RULES: '"[a](b)": 1\n'})
    (result,) = sarif(capsys)["runs"][0]["results"]
    assert result["message"]["text"].startswith("unknown key `\\[a\\](b)`")


def test_github_commands(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(here.parent, {f"a,b:%/{RULES}": RULES_TEXT}, directories=[".git"])
    name = f"file=a%2Cb%3A%25/{RULES}"
    unknown = (
        "unknown key `deny_tools`; it is read as `denied_tools` meanwhile: rename it (fix: rename it to `denied_tools`)"
    )
    assert output(capsys, "--format", "github") == (
        1,
        f"::error {name},line=1,endLine=1,col=1,endColumn=10,title=unknown-key::{unknown}\n"
        f"::error {name},line=2,endLine=2,col=40,endColumn=40,title=invalid-glob::"
        "`\U0001f600[a` has a `[` that is never closed: add the `]`, or write `\\[` for a plain one\n"
        f"::error {name},line=3,endLine=3,col=1,endColumn=10,title=duplicate-key::"
        "the key `deny_tools` stands twice: put its entries in one place\n",
        ".: the project has no rule file, so nothing is restricted inside it\n",
    )


def test_github_levels_and_what_is_said_aside(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(here.parent, {f"sub/{RULES}": "'100%\\n': 1\n"})
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here / "sub"))
    for level, command in (("error", "error"), ("warning", "warning"), ("information", "notice")):
        printed = output(capsys, "--format", "github", "--severity", f"unknown-key={level}")[1]
        assert printed.startswith(f"::{command} file={RULES},line=1,endLine=1,col=2,endColumn=7,title=unknown-key::")
        assert "unknown key `100%25\\n`" in printed


def test_what_is_no_plain_text_commands_nothing_in_github(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.makedirs(b"a\x1b[31m\n::error::x\r\xff\xe6\x97\xa5")
    name = os.listdir()[0]
    (here / name / RULES).write_text("deny_tools: [x]\n")
    (here / ".git").mkdir()
    status, printed, _ = output(capsys, "--format", "github")
    assert status == 1
    assert printed.splitlines() == [
        f"::error file=a<U+001B>[31m%0A%3A%3Aerror%3A%3Ax%0D<U+DCFF>\u65e5/{RULES},"
        "line=1,endLine=1,col=1,endColumn=10,title=unknown-key::"
        "unknown key `deny_tools`; it is read as `denied_tools` meanwhile: rename it (fix: rename it to `denied_tools`)"
    ]


@pytest.mark.parametrize("form", ["text", "github"])
def test_a_name_in_a_note_commands_nothing(here: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    os.mkdir(b"a\x1b\n::error::x\xff")
    status, *printed = output(capsys, "--format", form, os.listdir()[0])
    note = "a<U+001B><U+000A>::error::x<U+DCFF>: the project has no rule file, so nothing is restricted inside it\n"
    expected = {"text": [note, ""], "github": ["", note]}
    assert (status, printed) == (0, expected[form])
