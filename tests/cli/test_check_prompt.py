"""`rules-lsp check` on a project with files that an agent is told: found, told, repaired, and no secret shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_lsp.cli.main import main

SECRET = "geheim"
PROJECT = f"""\
{{"tittle": "Shop", "git_url": "https://me:{SECRET}@git.example.org/shop.git", "include_agents_md": "nope"}}
"""
SHOWN = f"""\
.a0proj/project.json:1:32: error[secret-in-address] this address holds a secret that everyone sees who reads the file: \
remove it, and change it
    {{"tittle": "Shop", "git_url": "{"*" * 42}", "include_agents_md": "nope"}}
                                   {"^" * 42}
    fix: remove the secret from the address (a guess)
"""
FILES = {
    ".coding-agent-rules.yaml": "denied_tools:\n  - Bash\n",
    "AGENTS.md": 'Prompts begin with {{ include "head.md" }}.\n',
    "web/AGENTS.md": "Run the tests.\r\n",
    "web/AGENTS.override.md": "",
    "docs/AGENT.md": "規則\n",
    "src/AGENTS.md": "---\nname: sources\n---\nRun the linter.\n",
    ".a0proj/project.json": PROJECT,
    ".a0proj/mcp_servers.json": '{"mcpServers": {"a.b": {"command": "x"}, /* ours */}}\n',
    ".a0proj/instructions/style.md": "{{ include '../../etc/passwd' }}\n",
    ".shaft/a/templates/b.json": '{"user_content": ["{{ task_description }} {{ target_content }}"]}\n',
    ".shaft/a/templates/c.json": '{"user_content": ["{{ task_description',
}
FOUND = {
    (".a0proj/instructions/style.md", "include-escapes"),
    (".a0proj/mcp_servers.json", "unusable-server-name"),
    (".a0proj/project.json", "dropped-key"),
    (".a0proj/project.json", "secret-in-address"),
    (".a0proj/project.json", "text-for-switch"),
    (".shaft/a/templates/b.json", "undefined-variable"),
    (".shaft/a/templates/c.json", "syntax-error"),
    ("AGENTS.md", "include-in-instructions"),
    ("docs/AGENT.md", "misnamed-instructions"),
    ("web/AGENTS.md", "masked-instructions"),
    ("web/AGENTS.override.md", "masked-instructions"),
}
TOLD = {code for _, code in FOUND}


@pytest.fixture
def project(here: Path) -> Path:
    for name, content in FILES.items():
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return here


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(["check", *arguments])
    written = capsys.readouterr()
    assert SECRET not in written.err
    return status, written.out


def test_every_file_is_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, told = run(capsys, "--format", "json")
    found = [(each["path"], each["code"]) for each in json.loads(told) if each["path"] != ".coding-agent-rules.yaml"]
    assert status == 1
    assert set(found) == FOUND
    assert len(found) == len(FOUND)
    assert SECRET not in told


def test_no_secret_is_in_the_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told = run(capsys, "--select", "secret-in-address")
    assert told.startswith(SHOWN)
    _, everything = run(capsys)
    assert SECRET not in everything


def test_no_secret_is_in_the_text_of_a_file_that_does_not_parse(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".a0proj/project.json").write_text(PROJECT.replace(", ", " ", 1))
    for format in ("text", "json", "sarif", "github"):
        _, told = run(capsys, "--format", format)
        assert "syntax-error" in told
        assert SECRET not in told


def test_as_sarif(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told = run(capsys, "--format", "sarif")
    results = json.loads(told)["runs"][0]["results"]
    assert {each["ruleId"] for each in results} >= TOLD
    (secret,) = [each for each in results if each["ruleId"] == "secret-in-address"]
    region = secret["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 32, "endLine": 1, "endColumn": 74, "snippet": {"text": "*" * 42}}
    assert SECRET not in told


def test_safe_fixes_repair_slips_and_leave_the_secret(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "--fix")
    assert (project / ".a0proj/project.json").read_text() == PROJECT.replace("tittle", "title")
    persona = (project / ".shaft/a/templates/b.json").read_text()
    assert persona == '{"user_content": ["{{ task_description }} {{ target_contents }}"]}\n'
    assert (project / "docs/AGENT.md").exists()


def test_guesses_take_the_secret_out_and_rename_the_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "--fix", "--unsafe")
    repaired = PROJECT.replace("tittle", "title").replace(f"me:{SECRET}@", "")
    assert (project / ".a0proj/project.json").read_text() == repaired
    assert not (project / "docs/AGENT.md").exists()
    assert (project / "docs/AGENTS.md").read_bytes() == "規則\n".encode()
