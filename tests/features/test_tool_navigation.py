"""Where names lead, where else they stand, and what becomes of them when they are renamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.navigation import definitions, highlights, references
from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.renaming import renamable, rename
from rules_lsp.features.view import View
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.text import Text
from tests.features.known import known_view
from tests.features.support import CURSOR

YAML = ".coding-agent-rules.yaml"
MARKDOWN = ".coding-agent-rules.md"
MCP = '{"mcpServers": {"github": {"command": "x"}, "Azure MCP": {"command": "y"}}}\n'
FILES = ("README.md", "docs/a.md", "src/a.py", "src/deep/Makefile")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".mcp.json").write_text(MCP)
    return tmp_path


def at(root: Path, text: str, name: str = YAML) -> tuple[View, ProjectFiles, int]:
    """The document open in its project, and the cursor in it."""
    view = known_view(root, text.replace(CURSOR, ""), name, files=FILES)
    return view, ProjectFiles(view.saved, (view.subject,)), text.index(CURSOR)


def drawn(root: Path, path: str, text: Text | None, start: int, end: int) -> tuple[str, str]:
    """The file of a place, and the line in which it is marked."""
    name = str(Path(path).relative_to(root))
    if text is None:
        return name, ""
    line = text.line_span(text.line_of(start))
    return name, f"{text.content[line.start : start]}«{text.content[start:end]}»{text.content[end : line.end]}".strip()


def defined(root: Path, text: str, name: str = YAML) -> list[tuple[str, str]]:
    places = definitions(*at(root, text, name))
    return [drawn(root, place.path, place.text, place.span.start, place.span.end) for place in places]


GITHUB = (".mcp.json", '{"mcpServers": {"«github»": {"command": "x"}, "Azure MCP": {"command": "y"}}}')
AZURE = (".mcp.json", '{"mcpServers": {"github": {"command": "x"}, "«Azure MCP»": {"command": "y"}}}')


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("allowed_tools: [<|>github/get_issue]", [GITHUB]),
        ("allowed_tools: [github/get_<|>issue]", [GITHUB]),
        ("allowed_tools: [github/<|>*]", [GITHUB]),
        ("allowed_tools: [GitHub/<|>x]", []),
        ("denied_tools: [GitHub/<|>x]", [GITHUB]),
        ("denied_tools: [git<|>hub]", [GITHUB]),
        ("allowed_tools: [git<|>hub]", []),
        ("denied_tools: [mcp__github__<|>x]", [GITHUB]),
        ("denied_tools: ['Azure MCP/<|>x']", [AZURE]),
        ("denied_tools: ['<|>*z*/x']", [AZURE]),
        ("denied_tools: ['<|>*/x']", []),
        ("denied_tools: [<|>Bash]", []),
        ("denied_tools: ['g<|>h", []),
        ("x: <|>", []),
        ("file_patterns: {include: [src/<|>a.py]}", [("src/a.py", "")]),
        ("file_patterns: {include: [<|>src/**]}", [("src", "")]),
        ("file_patterns: {include: ['src/<|>*.py']}", [("src", "")]),
        ("file_patterns: {include: ['!<|>/docs/']}", [("docs", "")]),
        ("file_patterns: {include: [<|>Makefile]}", [("src/deep/Makefile", "")]),
        ("file_patterns: {include: ['<|>*.py']}", []),
        ("file_patterns: {include: ['<|>none/x']}", []),
    ],
)
def test_what_an_entry_is_defined_by(root: Path, text: str, places: list[tuple[str, str]]) -> None:
    assert defined(root, text) == places


def test_a_file_that_another_one_switches_off_leads_to_it(root: Path) -> None:
    (root / YAML).write_text("denied_tools: [x]\n")
    assert defined(root, "# Gu<|>ide\n## Denied Tools\n- `a/b`\n", MARKDOWN) == [(YAML, "")]
    assert defined(root, "# Guide\n## Denied <|>Tools\n- `a/b`\n", MARKDOWN) == []
    assert defined(root, "# <|>x\n", YAML) == []


def test_a_rule_file_that_a_configuration_names_is_where_it_is(root: Path) -> None:
    (root / "rules.yaml").write_text("")
    text = "project_agent_rules:\n  rule_files: [rul<|>es.yaml, none.yaml]\n"
    assert defined(root, text, "config.yaml") == [("rules.yaml", "")]
    assert defined(root, text.replace("<|>", "").replace("none", "no<|>ne"), "config.yaml") == []


RULES = """\
allowed_tools:
  - git<|>hub/get_issue
  - github/*
  - GitHub/x
denied_tools: [GITHUB/delete_file, github, mcp__github__push, 'git*/x', other/github]
x-tool-paths:
  github/get_issue: [path]
"""


def found(root: Path, text: str, name: str = YAML, *, declarations: bool = True) -> list[tuple[str, str]]:
    places = references(*at(root, text, name), declarations=declarations)
    return [drawn(root, place.path, place.text, place.span.start, place.span.end) for place in places]


def test_the_places_of_a_server_in_all_files(root: Path) -> None:
    (root / MARKDOWN).write_text("## Denied Tools\n- `github/a`, github/b\n")
    expected = [
        GITHUB,
        (YAML, "- «github»/get_issue"),
        (YAML, "- «github»/*"),
        (YAML, "denied_tools: [«GITHUB»/delete_file, github, mcp__github__push, 'git*/x', other/github]"),
        (YAML, "denied_tools: [GITHUB/delete_file, «github», mcp__github__push, 'git*/x', other/github]"),
        (YAML, "denied_tools: [GITHUB/delete_file, github, mcp__«github»__push, 'git*/x', other/github]"),
        (YAML, "«github»/get_issue: [path]"),
        (MARKDOWN, "- `«github»/a`, github/b"),
    ]
    assert found(root, RULES) == expected
    assert found(root, RULES, declarations=False) == expected[1:]


def test_the_places_of_a_tool(root: Path) -> None:
    text = RULES.replace(CURSOR, "").replace("get_issue\n", "get_<|>issue\n", 1)
    assert found(root, text) == [(YAML, "- github/«get_issue»"), (YAML, "github/«get_issue»: [path]")]
    assert found(root, "denied_tools: [<|>Bash, bash, x/Bash]\nallowed_tools: [Bash, bash]\n") == [
        (YAML, "denied_tools: [«Bash», bash, x/Bash]"),
        (YAML, "denied_tools: [Bash, «bash», x/Bash]"),
        (YAML, "allowed_tools: [«Bash», bash]"),
    ]


def test_the_places_of_a_server_from_where_it_is_configured(root: Path) -> None:
    (root / YAML).write_text(RULES.replace(CURSOR, ""))
    assert found(root, MCP.replace("github", "git<|>hub"), ".mcp.json")[:2] == [GITHUB, (YAML, "- «github»/get_issue")]
    assert found(root, MCP.replace("command", "comm<|>and"), ".mcp.json") == []


def test_no_places_of_what_is_no_name(root: Path) -> None:
    assert found(root, "file_patterns: {include: [<|>github]}") == []
    assert found(root, "denied_tools: ['<|>git*/x']") == []
    assert found(root, "<|>") == []


def highlighted(root: Path, text: str, name: str = YAML) -> str:
    view, files, offset = at(root, text, name)
    content = view.subject.text.content
    for span in sorted(highlights(view, files, offset), reverse=True):
        content = f"{content[: span.start]}«{content[span.start : span.end]}»{content[span.end :]}"
    return content


def test_the_places_of_a_document_that_name_the_same(root: Path) -> None:
    assert highlighted(root, "denied_tools: [github/<|>a, github/b]\nallowed_tools: [github/a, x/a]\n") == (
        "denied_tools: [github/«a», github/b]\nallowed_tools: [github/«a», x/a]\n"
    )
    assert highlighted(root, "file_patterns:\n  include: [<|>src/]\n  exclude: ['src/', src]\n") == (
        "file_patterns:\n  include: [«src/»]\n  exclude: ['«src/»', src]\n"
    )
    assert highlighted(root, MCP.replace("github", "git<|>hub"), ".mcp.json") == MCP.replace("github", "«github»")
    assert highlighted(root, "x<|>: y\n") == "x: y\n"


def renamed(root: Path, text: str, new: str, name: str = YAML) -> dict[str, str] | str:
    """The files after a rename, or why there is none."""
    view, files, offset = at(root, text, name)
    done = rename(files, view.subject, offset, new)
    if done.refusal:
        assert done.files == ()
        return done.refusal
    return {str(Path(each.path).relative_to(root)): apply_edits(each.text.content, each.edits) for each in done.files}


def test_a_server_is_renamed_everywhere(root: Path) -> None:
    (root / MARKDOWN).write_text("## Denied Tools\r\n- `github/a` 😀\r\n- github/b - no\r\n")
    (root / ".codex").mkdir()
    (root / ".codex/config.toml").write_text('[mcp_servers.github]\ncommand = "x"\n')
    (root / "config.yaml").write_text("mcp_servers:\n  github: {command: x}\n")
    text = "denied_tools:\n  - git<|>hub/a   # why\n  - 'github/b'\n  - \"GitHub\"\nx-tool-paths: {github/a: [p]}\n"
    assert renamed(root, text, "Git Hub") == {
        ".mcp.json": MCP.replace("github", "Git Hub"),
        ".codex/config.toml": '[mcp_servers."Git Hub"]\ncommand = "x"\n',
        "config.yaml": 'mcp_servers:\n  "Git Hub": {command: x}\n',
        YAML: 'denied_tools:\n  - "Git Hub/a"   # why\n  - \'Git Hub/b\'\n  - "Git Hub"\n'
        'x-tool-paths: {"Git Hub/a": [p]}\n',
        MARKDOWN: "## Denied Tools\r\n- `Git Hub/a` 😀\r\n- `Git Hub/b` - no\r\n",
    }


def test_a_tool_is_renamed_with_its_server_alone(root: Path) -> None:
    text = "denied_tools: [github/<|>a, other/a, GITHUB/A, mcp__github__a]\nallowed_tools: ['github/a', github/A]\n"
    assert renamed(root, text, "b2") == {
        YAML: "denied_tools: [github/b2, other/a, GITHUB/b2, mcp__github__b2]\nallowed_tools: ['github/b2', github/A]\n"
    }


def test_a_server_is_renamed_from_where_it_is_configured(root: Path) -> None:
    (root / YAML).write_text("allowed_tools: [github/a]\n")
    assert renamed(root, MCP.replace("github", "git<|>hub"), "gh", ".mcp.json") == {
        ".mcp.json": MCP.replace("github", "gh"),
        YAML: "allowed_tools: [gh/a]\n",
    }


@pytest.mark.parametrize(
    ("text", "new", "refusal"),
    [
        ("denied_tools: [<|>github/a]", "gh*", "a name must not hold `*` or `?`: they would stand for others as well"),
        ("denied_tools: [<|>github/a]", "", "`` is no server's name: there is no server before the `/`"),
        ("denied_tools: [github/<|>a]", "b c", "`b c` is no tool's name: letters, digits and `_.-` only"),
        ("denied_tools: [github/<|>a]", "b\u200b", "a name must not hold an invisible character (U+200B)"),
        ("denied_tools: [<|>Bash]", "x/y", "a built-in tool's name holds no `/`"),
        ("x: <|>y", "z", "no server and no tool is named here"),
        ("denied_tools: ['git*/<|>a']", "b", "no server and no tool is named here"),
        (
            "denied_tools: [<|>github/a, 'git*/delete_?']",
            "hub",
            f"`git*/delete_?` (line 1 of `{YAML}`) denies it under the old name alone: deny the new name first",
        ),
        (
            "denied_tools: ['*/push_*']\nallowed_tools: [github/<|>push_files]",
            "send_files",
            f"`*/push_*` (line 1 of `{YAML}`) denies it under the old name alone: deny the new name first",
        ),
        (
            "denied_tools: [push]\nallowed_tools: [github/<|>push]",
            "send",
            f"`push` (line 1 of `{YAML}`) denies it under the old name alone: deny the new name first",
        ),
    ],
)
def test_a_rename_that_is_refused(root: Path, text: str, new: str, refusal: str) -> None:
    assert renamed(root, text, new) == refusal


TAKEN = "there is a server `Azure MCP` already: two servers cannot have one name"


@pytest.mark.parametrize(
    ("text", "new", "name"),
    [
        (MCP.replace("github", "git<|>hub"), "Azure MCP", ".mcp.json"),
        ("denied_tools: [<|>github/a]", "Azure MCP", YAML),
        ("denied_tools: [<|>GitHub/a]", "azure mcp", YAML),
    ],
)
def test_a_server_is_not_renamed_to_another_one(root: Path, text: str, new: str, name: str) -> None:
    assert renamed(root, text, new, name) == TAKEN


def test_a_server_of_another_file_has_its_name_too(root: Path) -> None:
    (root / ".cursor").mkdir()
    (root / ".cursor/mcp.json").write_text('{"mcpServers": {"jira": {"command": "j"}}}')
    assert renamed(root, "denied_tools: [<|>github/a]", "jira") == TAKEN.replace("Azure MCP", "jira")


def test_a_server_may_be_written_in_another_case(root: Path) -> None:
    assert renamed(root, "denied_tools: [<|>github/a]", "GitHub") == {
        ".mcp.json": MCP.replace("github", "GitHub"),
        YAML: "denied_tools: [GitHub/a]",
    }


def test_a_misspelt_server_may_become_the_one_that_is_meant(root: Path) -> None:
    text = "denied_tools: [<|>gihub/a, github/b]"
    assert renamed(root, text, "github") == {YAML: "denied_tools: [github/a, github/b]"}


@pytest.mark.parametrize(
    ("text", "new", "refusal"),
    [
        (
            "allowed_tools: [<|>github/a, github/b]".replace("<|>github/", "github/<|>"),
            "b",
            f"`b` is listed already (line 1 of `{YAML}`): two tools cannot have one name",
        ),
        (
            "allowed_tools: [<|>Bash]\ndenied_tools: [read]",
            "Read",
            f"`read` is listed already (line 2 of `{YAML}`): two tools cannot have one name",
        ),
        (
            "denied_tools: [<|>gihub/a]\nx-tool-paths: {gihub/a: [p], github/a: [q]}",
            "github",
            f"`x-tool-paths` has a key `github/a` already (line 2 of `{YAML}`)",
        ),
    ],
)
def test_a_name_that_is_taken_in_the_rules(root: Path, text: str, new: str, refusal: str) -> None:
    assert renamed(root, text, new) == refusal


@pytest.mark.parametrize(
    ("tool", "new", "expected"),
    [
        ("get_me", "get_issue", "`github` has a tool `get_issue` already: two tools cannot have one name"),
        ("get_me", "GET_ISSUE", "`github` has a tool `get_issue` already: two tools cannot have one name"),
        ("get_isue", "get_issue", {YAML: "allowed_tools: [github/get_issue, github/get_issue]"}),
        ("get_me", "whoami", {YAML: "allowed_tools: [github/whoami, github/get_issue]"}),
    ],
)
def test_a_tool_that_is_known(root: Path, tool: str, new: str, expected: object) -> None:
    text = f"allowed_tools: [github/{tool}, github/get_issue]"
    view = known_view(root, text, files=FILES, tools={"github": ["get_issue", "get_me"]})
    done = rename(ProjectFiles(view.saved, (view.subject,)), view.subject, text.index(tool), new)
    edited = {Path(each.path).name: apply_edits(each.text.content, each.edits) for each in done.files}
    assert (done.refusal or edited) == expected


def test_a_rename_that_no_pattern_stands_against(root: Path) -> None:
    assert renamed(root, "denied_tools: [<|>github/a, '*hub/b']", "myhub") == {
        ".mcp.json": MCP.replace("github", "myhub"),
        YAML: "denied_tools: [myhub/a, '*hub/b']",
    }


def test_a_place_that_cannot_be_rewritten_refuses_the_rename(root: Path) -> None:
    (root / MARKDOWN).write_text("## Denied Tools\n- github/a, github/b\n")
    assert renamed(root, "denied_tools: [<|>github/a]", "hub") == (
        f"line 2 of `{root / MARKDOWN}` cannot be rewritten with this name: change it by hand"
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("denied_tools: [git<|>hub/a]", "github"),
        ("denied_tools: [github/a<|>]", "a"),
        ("denied_tools: [GitHub/<|>*]", None),
        ("denied_tools: ['*/<|>a']", None),
        ("denied_tools: [Bash<|>(rm)]", "Bash"),
        ("denied_<|>tools: [a]", None),
    ],
)
def test_what_can_be_renamed(root: Path, text: str, name: str | None) -> None:
    view, files, offset = at(root, text)
    named = renamable(files, view.subject, offset)
    assert (None if named is None else named.name) == name
