"""Which file governs, what is in force when it cannot be read, and what an answer says of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp import ProjectAgentRulesLoader
from rules_lsp.policy.policy import Policy
from rules_lsp.schemas import violations
from rules_lsp.workspace.project import Project
from tests.support.projects import MARKDOWN, RULES, code, project

AGENTS = ".github/AGENTS.md"
YAML = "denied_tools: [yaml]\n"
DOCUMENT = "## Denied Tools\n- markdown\n"
GITHUB = "## Denied Tools\n- github-file\n"


def governing(found: Project) -> str | None:
    policy = found.policy()
    return None if policy.rule_file is None else policy.rule_file.name


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ([RULES, MARKDOWN, AGENTS], RULES),
        ([MARKDOWN, AGENTS], MARKDOWN),
        ([AGENTS], AGENTS),
        ([], None),
    ],
)
def test_the_first_that_exists_governs_alone(tmp_path: Path, files: list[str], name: str | None) -> None:
    texts = {RULES: YAML, MARKDOWN: DOCUMENT, AGENTS: GITHUB}
    found = project(tmp_path, {file: texts[file] for file in files})
    assert governing(found) == name
    denied = [tool for tool in ("yaml", "markdown", "github-file") if code(found, tool=tool) == "denied-tool"]
    assert denied == {RULES: ["yaml"], MARKDOWN: ["markdown"], AGENTS: ["github-file"], None: []}[name]


def test_one_that_does_not_parse_still_stands_before_the_next(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "a: [", MARKDOWN: DOCUMENT})
    assert governing(found) == RULES
    assert code(found, tool="markdown") == "unrestricted"
    assert found.policy().degraded


@pytest.mark.parametrize(
    "name", ["agents.yml", "AGENTS.MD", "docs/rules.markdown", "rules", "a b/\u3042.yaml", "./x/../r.yaml"]
)
def test_an_order_of_its_own(tmp_path: Path, name: str) -> None:
    text = DOCUMENT if name.lower().endswith(("md", "markdown")) else "denied_tools: [markdown]\n"
    config = f"project_agent_rules: {{rule_files: [none.yaml, '{name}', {RULES}]}}\n"
    found = project(tmp_path, {name.replace("./x/../", ""): text, RULES: YAML, "config.yaml": config})
    assert (code(found, tool="markdown"), code(found, tool="yaml")) == ("denied-tool", "unrestricted")
    assert found.policy().errors == ()


def test_a_name_outside_the_root_is_skipped_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "app-evil").mkdir()
    (tmp_path / "app-evil" / "r.yaml").write_text("denied_tools: [evil]\n")
    config = f"project_agent_rules:\n  rule_files: [../app-evil/r.yaml, /etc/hostname, '', ., \"a\\0b\", {RULES}]\n"
    found = project(tmp_path, {RULES: YAML, "config.yaml": config})
    assert (code(found, tool="yaml"), code(found, tool="evil")) == ("denied-tool", "unrestricted")
    errors = found.answer({"tool": "x"})["policy"]["errors"]
    assert [error["code"] for error in errors] == ["unknown-rule-file"] * 5
    assert errors[0]["message"] == "`../app-evil/r.yaml` is no file inside the project: it is skipped"
    assert errors[0]["range"] == {"start": {"line": 1, "character": 15}, "end": {"line": 1, "character": 33}}
    absolute = f"project_agent_rules: {{rule_files: ['{found.root.real}/mine.yaml']}}\n"
    inside = project(tmp_path, {"mine.yaml": "denied_tools: [mine]\n", "config.yaml": absolute})
    assert code(inside, tool="mine") == "denied-tool"


def test_default_rules_stand_in(tmp_path: Path) -> None:
    config = "project_agent_rules:\n  default_rules:\n    denied_tools: [standard]\n    file_patterns: {exclude: [s]}\n"
    found = project(tmp_path, {"config.yaml": config})
    answer = found.answer({"tool": "standard"})
    assert (answer["code"], answer["policy"]["degraded"], answer["policy"]["errors"]) == ("denied-tool", False, [])
    assert answer["rule"] == {
        "uri": f"file://{found.root.real}/config.yaml",
        "range": {"start": {"line": 2, "character": 19}, "end": {"line": 2, "character": 27}},
        "list": "denied_tools",
        "index": 0,
        "pattern": "standard",
    }
    assert answer["policy"]["uri"] == f"file://{found.root.real}/config.yaml"
    assert code(found, path="s") == "excluded"
    # A rule file replaces them; one that does not parse does not.
    rules = Path(found.root.real) / RULES
    rules.write_text("denied_tools: [own]\n")
    assert (code(found, tool="standard"), code(found, tool="own")) == ("unrestricted", "denied-tool")
    rules.write_text("denied_tools: [own\n")
    assert (code(found, tool="standard"), code(found, tool="own")) == ("denied-tool", "unrestricted")
    assert found.policy().degraded


def test_an_error_is_told_with_its_place(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "allowed_tools: [a]\ndenied_tools:\n  - *.pem\n"})
    policy = found.answer({"path": "a"})["policy"]
    assert policy == {
        "uri": f"file://{found.root.real}/{RULES}",
        "version": found.policy().version,
        "enabled": True,
        "degraded": True,
        "errors": [
            {
                "code": "unquoted-glob",
                "message": "`*.pem` begins with a character that YAML gives a meaning of its own: put it in quotes; "
                "the rules of this file, its deny list included, are not in force",
                "uri": f"file://{found.root.real}/{RULES}",
                "range": {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 9}},
            }
        ],
    }


def test_a_wrong_entry_is_no_error_of_the_policy(tmp_path: Path) -> None:
    found = project(tmp_path, {RULES: "denied_tools: [a: b]\nunknown: 1\n"})
    policy = found.answer({"path": "a"})["policy"]
    assert (policy["degraded"], policy["errors"]) == (False, [])


def test_no_rules_restrict_nothing(tmp_path: Path) -> None:
    found = project(tmp_path)
    answer = found.answer({"path": "a"})
    assert violations("decision", answer) == []
    assert (answer["code"], answer["rule"], answer["policy"]["uri"]) == ("unrestricted", None, None)
    policy: Policy = found.policy()
    assert (policy.rules.system_prompt_extension, policy.protected, policy.parsed) == ("", frozenset(), False)


def test_an_unreadable_configuration_refuses_where_no_rule_file_decides(tmp_path: Path) -> None:
    broken = {"config.yaml": "project_agent_rules: {enabled: false\n"}
    found = project(tmp_path, broken)
    assert (code(found, path="a"), code(found, tool="a")) == ("policy-error", "policy-error")
    assert code(found, path="../a") == "outside-root"
    # With a rule file that parses it is that which decides, and the error is told.
    ruled = project(tmp_path, {**broken, RULES: YAML})
    assert (code(ruled, path="a"), code(ruled, tool="yaml"), code(ruled, path=RULES)) == (
        "unrestricted",
        "denied-tool",
        "protected",
    )
    assert [error.code for error in ruled.policy().errors] == ["syntax-error"]
    (Path(ruled.root.real) / RULES).write_text("a: [")
    assert code(ruled, path="a") == "policy-error"


@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("name", [RULES, MARKDOWN])
def test_a_byte_order_mark_moves_no_place(tmp_path: Path, name: str, form: str) -> None:
    text = "denied_tools: [Bash]\n" if name == RULES else "# Denied Tools\n- Bash\n"
    found = project(tmp_path, {name: text.encode(form)})
    answer = found.answer({"tool": "Bash"})
    place = {"line": 0, "character": 15} if name == RULES else {"line": 1, "character": 2}
    assert (answer["code"], answer["rule"]["range"]["start"]) == ("denied-tool", place)


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp932"])
def test_another_encoding_does_not_parse(tmp_path: Path, form: str) -> None:
    found = project(tmp_path, {RULES: "denied_tools: [Bash, \u3042]\n".encode(form)})
    assert found.policy().degraded
    assert [error.code for error in found.policy().errors] == ["unreadable-file"]


def test_a_rule_file_of_one_mebibyte_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    text = b"denied_tools: [Bash]\n"
    found = project(tmp_path, {RULES: text + b"#" * ((1 << 20) - len(text))})
    assert (code(found, tool="Bash"), found.policy().degraded) == ("denied-tool", False)
    larger = project(tmp_path, {RULES: text + b"#" * ((1 << 20) - len(text) + 1)})
    assert (code(larger, tool="Bash"), larger.policy().degraded) == ("unrestricted", True)


def test_servers_of_the_project_are_known(tmp_path: Path) -> None:
    rules = {RULES: "allowed_tools: [github/x]\n"}
    servers = {
        ".mcp.json": '{"mcpServers": {"Git_Hub": {"command": "x"}}}',
        ".vscode/mcp.json": '{"servers": {"two": {}}}',
    }
    found = project(tmp_path, {**rules, **servers})
    assert found.policy().known_servers == frozenset({"Git_Hub", "two"})


@pytest.mark.parametrize("kind", ["absent", "file"])
def test_where_there_is_no_directory_nothing_is_allowed(tmp_path: Path, kind: str) -> None:
    top = tmp_path / "x"
    if kind == "file":
        top.write_text("")
    loader = ProjectAgentRulesLoader(top)
    answer = loader.explain_tool("Bash")
    assert (answer.allowed, answer.code) == (False, "policy-error")
    assert answer.reason == f"`{top}` is no directory, so there is no project to ask about"
    assert not loader.is_file_allowed("a")
    (tmp_path / "y").mkdir()
    assert ProjectAgentRulesLoader(tmp_path / "y").is_file_allowed("a")


def test_a_configured_server_is_known_in_any_case(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"Azure MCP": {"command": "azmcp"}}}')
    (tmp_path / ".coding-agent-rules.md").write_text("## Denied Tools\n\n- Azure MCP/documentation\n")
    loader = ProjectAgentRulesLoader(tmp_path)
    assert loader.explain_tool("Azure MCP/documentation").code == "denied-tool"
    assert loader.explain_tool("Azure MCP/storage").code == "unrestricted"


def test_a_backslash_that_double_quotes_made_a_control_character_is_a_separator_in_an_exclude(tmp_path: Path) -> None:
    rules = 'file_patterns:\n  exclude: ["src\\app", "lib\\tmp/**"]\n'
    (tmp_path / ".coding-agent-rules.yaml").write_text(rules)
    loader = ProjectAgentRulesLoader(tmp_path)
    assert [loader.explain_file(path).code for path in ("src/app", "src/app/x", "lib/tmp/x", "src/apple", "lib/x")] == [
        "excluded",
        "excluded",
        "excluded",
        "unrestricted",
        "unrestricted",
    ]
