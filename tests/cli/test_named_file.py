"""`rules-lsp check FILE`: which files are taken for one to check, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from rules_lsp.cli.named_file import WHAT_IS_ONE
from tests.support.projects import RULES, build

SECTION = "# X\n\n## Denied Tools\n\n- `Bash`\n"


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["check", *arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("src/app.py", "denied_tools = []\n"),
        ("src/app.py", "denied_tools: [Bash]\n"),
        ("README.md", "# A project\n\n## Install\n\n- `pip install x`\n"),
        ("compose.yaml", "services:\n  web: {image: x}\n"),
        ("compose.yaml", "services:\n  denied_tools: []\n"),
        ("rules.yaml", ""),
        ("rules.json", '{"denied_tools": []}\n'),
        ("Makefile", "denied_tools:\n"),
    ],
)
def test_another_file_is_refused(here: Path, capsys: pytest.CaptureFixture[str], name: str, content: str) -> None:
    build(here.parent, {RULES: "deny_tools: []\n", name: content})
    assert checked(capsys, name) == (2, "", f"rules-lsp: {name}: this is no rule file: {WHAT_IS_ONE}\n")
    assert checked(capsys, ".", name) == (2, "", f"rules-lsp: {name}: this is no rule file: {WHAT_IS_ONE}\n")
    assert checked(capsys, "--fix", name)[0] == 2
    assert (here / name).read_text() == content


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        (".coding-agent-rules.yml", "deny_tools: []\n", "unknown-key"),
        ("docs/coding-agent-rules.yaml", "deny_tools: []\n", "unknown-key"),
        (".coding-agent-rules.md", "deny_tools: []\n# X\n\n## Denied Tool\n\n- `Bash`\n", "near-miss-heading"),
        ("templates/strict.yaml", "deny_tools: []\n", "unknown-key"),
        ("templates/broken.yaml", "file_patterns:\n  include: [a\n", "syntax-error"),
        ("config.yaml", "project_agent_rules: {enabld: true}\n", "config-value"),
    ],
)
def test_what_is_misnamed_superseded_or_broken_is_checked(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, code: str
) -> None:
    build(here.parent, {RULES: "denied_tools: [Bash]\n", name: content})
    status, output, errors = checked(capsys, name)
    assert (status, errors) == (1, "")
    assert f"[{code}]" in output


@pytest.mark.parametrize("name", ["AGENTS.md", "docs/agents.md", ".github/AGENTS.md", "docs/rules.md", ".mcp.json"])
def test_what_bears_the_name_or_holds_rules_is_checked(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    content = "{}" if name.endswith("json") else SECTION if name == "docs/rules.md" else "# Text alone\n"
    build(here.parent, {name: content})
    assert checked(capsys, "--ignore", "bypassing-tool", name) == (0, "nothing to report in 1 file\n", "")


def test_what_a_link_or_the_configuration_names_is_checked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = "project_agent_rules: {rule_files: [policy/agents.txt]}\n"
    files = {"policy/agents.txt": "# nothing\n", "policy/other.txt": "# nothing\n", "config.yaml": config}
    build(here.parent, files, directories=[".git"])
    assert checked(capsys, "policy/agents.txt")[0] != 2
    assert checked(capsys, "policy/other.txt")[0] == 2
    linked = here / "linked"
    linked.mkdir()
    (linked / "shared.yaml").write_text("# nothing\n")
    (linked / RULES).symlink_to("shared.yaml")
    assert checked(capsys, "--root", "linked", "linked/shared.yaml")[0] != 2
    assert checked(capsys, "--root", ".", "linked/shared.yaml")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([""], "an empty PATH names nothing: leave it out for the project of the working directory"),
        (["nowhere.yaml"], "nowhere.yaml: there is no such file or directory"),
        (["a" * 5000], f"{'a' * 5000}: there is no such file or directory"),
        (["a\0b"], "a<U+0000>b: there is no such file or directory"),
        (["\x1b[31m"], "<U+001B>[31m: there is no such file or directory"),
    ],
)
def test_what_does_not_exist_is_told(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert checked(capsys, *arguments) == (2, "", f"rules-lsp: {message}\n")
