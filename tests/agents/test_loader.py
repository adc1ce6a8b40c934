"""The Python API: the same answers, no exceptions, and nothing heavy imported for them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules_lsp.agents.loader import ProjectAgentRulesLoader
from rules_lsp.schemas import violations
from tests.support.projects import MARKDOWN, RULES, build

TEXT = """\
system_prompt_extension: Be kind.
allowed_tools: [github/*, Write]
denied_tools: [github/delete_file]
file_patterns: {include: [src/**], exclude: ['*.pem']}
"""


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)


def test_questions_and_answers(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: TEXT})
    loader = ProjectAgentRulesLoader(root)
    assert loader.get_system_prompt_extension() == "Be kind."
    assert [entry.text for entry in loader.load_rules().allowed_tools[0].entries] == ["github/*", "Write"]
    assert loader.is_tool_allowed("github/get_issue") is True
    assert loader.is_tool_allowed("github/delete_file") is False
    assert loader.is_tool_allowed("Bash") is False
    assert loader.is_tool_allowed("Write", {"file_path": "src/a"}) is True
    assert loader.is_tool_allowed("Write", {"file_path": "b"}) is False
    assert loader.is_tool_allowed("Write", {}) is False
    assert loader.is_file_allowed("src/a") is True
    assert loader.is_file_allowed(root / "src" / "a") is True
    assert loader.is_file_allowed("b") is False
    assert loader.is_file_allowed("b", "read") is True
    assert loader.is_file_allowed("b.pem", operation="read") is False
    assert loader.is_file_allowed(RULES) is False


def test_whole_answers(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: TEXT}, directories=["src"])
    loader = ProjectAgentRulesLoader(str(root))
    renamed = loader.explain_file("a", "rename", new_path=Path("b"), cwd=root / "src")
    assert (renamed.allowed, renamed.code, renamed.path, renamed.new_path) == (True, "included", "src/a", "src/b")
    assert loader.explain_file("src/a", "rename").code == "invalid-request"
    assert loader.explain_tool("Write", {"file_path": "a"}).code == "not-included"
    assert loader.explain_tool("Write", {"file_path": "a"}, cwd=root / "src").code == "allowed-tool"
    for answer in (renamed, loader.explain_tool("github/delete_file")):
        assert violations("decision", json.loads(json.dumps(answer.as_json()))) == []


@pytest.mark.parametrize("value", [None, 3, b"a", [], {}, "", "\0", "\ud800", "a" * 5000, object()])
def test_nothing_that_is_asked_raises(tmp_path: Path, value: Any) -> None:
    loader = ProjectAgentRulesLoader(build(tmp_path))
    assert loader.explain_file(value).code == "invalid-request"
    assert loader.explain_tool(value).code == "invalid-request"
    assert loader.is_file_allowed(value, "read") is False
    assert loader.is_tool_allowed(value) is False
    if value is not None:
        assert loader.explain_file("a", value).code == "invalid-request"
        assert loader.explain_file("a", cwd=value).code == "invalid-request"
        assert loader.explain_file("a", "rename", new_path=value).code == "invalid-request"
        assert loader.explain_tool("Write", {"file_path": "a"}, cwd=value).code == "invalid-request"
    if value is not None and not isinstance(value, dict):
        assert loader.explain_tool("Write", value).code == "invalid-request"


def test_it_reloads_when_a_file_changes(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: TEXT})
    loader = ProjectAgentRulesLoader(root)
    first = loader.load_rules()
    assert loader.load_rules() is first
    (root / RULES).write_text("system_prompt_extension: Be brief.\n")
    assert loader.load_rules() is not first
    assert loader.get_system_prompt_extension() == "Be brief."
    (root / RULES).unlink()
    assert loader.get_system_prompt_extension() == ""
    (root / MARKDOWN).write_text("# Rules\n\nBe bold.\n")
    assert loader.get_system_prompt_extension() == "# Rules\n\nBe bold.\n"
    (root / "config.yaml").write_text("project_agent_rules: {enabled: false}\n")
    assert loader.get_system_prompt_extension() == ""
    assert loader.explain_tool("Bash").code == "disabled"


def test_the_configuration_is_named_or_that_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = build(tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(f"project_agent_rules: {{default_rules: {{denied_tools: [{name}]}}}}\n")
    monkeypatch.setenv("RULES_LSP_CONFIG", str(tmp_path / "two.yaml"))
    named = ProjectAgentRulesLoader(root, config=tmp_path / "one.yaml")
    assert (named.is_tool_allowed("one"), named.is_tool_allowed("two")) == (False, True)
    other = ProjectAgentRulesLoader(root)
    assert (other.is_tool_allowed("one"), other.is_tool_allowed("two")) == (True, False)
    missing = ProjectAgentRulesLoader(root, config=str(tmp_path / "none.yaml"))
    assert missing.explain_tool("one").code == "policy-error"


def test_it_needs_neither_the_protocol_nor_the_schema_library(tmp_path: Path) -> None:
    root = build(tmp_path, {RULES: TEXT})
    script = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(['pygls', 'lsprotocol', 'jsonschema', 'pathspec', 'markdown_it']))\n"
        "from rules_lsp.agents.loader import ProjectAgentRulesLoader\n"
        f"loader = ProjectAgentRulesLoader({str(root)!r})\n"
        "print(loader.is_file_allowed('src/a'), loader.is_tool_allowed('github/delete_file'))\n"
    )
    package = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=package, timeout=60, check=False)
    assert (done.stdout, done.stderr) == (b"True False\n", b"")
