"""What a hover says of the files and tools that exist: numbers, links, what else decides, the whole policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.hover import hover
from rules_lsp.features.view import View
from rules_lsp.workspace.catalogue import Catalogue, KnownTool
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.server_files import ConfiguredServer, read_server_files
from tests.features.known import known_view
from tests.features.support import CURSOR, opened
from tests.support.learnt import learnt_by_name

FILES = ("README.md", "docs/a.md", "keys/a.pem", "src/a.py", "src/b c.py", "src/keys/c.pem", "src/x/d.py", "src/x/e.py")
TOOLS = {"github": ["delete_file", "get_issue", "get_me"], "jira": ["delete_issue"]}
MCP = '{"mcpServers": {"github": {"command": "g"}, "jira": {"command": "j"}}}'


def shown(root: Path, text: str, name: str = ".coding-agent-rules.yaml", *, complete: bool = True) -> str:
    """The hover at the cursor in a project of known files and tools, its links told from the project's folder on."""
    (root / ".mcp.json").write_text(MCP)
    offset = text.index(CURSOR)
    view = known_view(root, text.replace(CURSOR, ""), name, files=FILES, tools=TOOLS, complete=complete)
    found = hover(view, offset)
    assert found is not None
    return found.markdown.replace(root.as_uri(), "ROOT")


def test_an_include_tells_what_it_takes_and_adds(tmp_path: Path) -> None:
    text = "file_patterns:\n  include:\n    - <|>src/**\n    - src/x/\n  exclude:\n    - '*.pem'\n"
    assert shown(tmp_path, text).split("\n\n")[3:] == [
        "it takes **5 of 8 files** now, net effect **+2**: without it 2 files could no longer be changed",
        "- [`src/a.py`](ROOT/src/a.py)\n"
        "- [`src/b c.py`](ROOT/src/b%20c.py)\n"
        "- [`src/keys/c.pem`](ROOT/src/keys/c.pem)\n"
        "- [`src/x/d.py`](ROOT/src/x/d.py)\n- [`src/x/e.py`](ROOT/src/x/e.py)",
        "- also taken by `src/x/` of `file_patterns.include` (line 4): 2 files\n"
        "- but `*.pem` of `file_patterns.exclude` (line 6): 1 file",
    ]


def test_an_exclude_tells_what_it_takes_away(tmp_path: Path) -> None:
    text = "file_patterns:\n  exclude:\n    - <|>'*.pem'\n    - /keys/\n".replace("<|>'*", "'<|>*")
    assert shown(tmp_path, text).split("\n\n")[3:] == [
        "it takes **2 of 8 files** now, net effect **\N{MINUS SIGN}1**: "
        "without it 1 more file could be read and changed",
        "- [`keys/a.pem`](ROOT/keys/a.pem)\n- [`src/keys/c.pem`](ROOT/src/keys/c.pem)",
        "- also taken by `/keys/` of `file_patterns.exclude` (line 4): 1 file",
    ]


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        (
            "file_patterns: {exclude: [<|>/keys/, keys/]}",
            "it takes **1 of 8 files** now, net effect **±0**: without it nothing would change",
        ),
        ("file_patterns: {include: [<|>lib/]}", "it takes **0 of 8 files** now"),
        (
            "file_patterns: {include: [<|>docs/]}",
            "it takes **1 of 8 files** now, net effect **+1**: without it 1 file could no longer be changed",
        ),
        (
            "file_patterns: {include: [src/, '<|>!src/x/']}",
            "it takes **2 of 8 files** now, net effect **\N{MINUS SIGN}2**: "
            "without it 2 more files could be read and changed",
        ),
        (
            "file_patterns: {include: [src/], exclude: [<|>docs/]}",
            "it takes **1 of 8 files** now, net effect **±0**: without it 1 more file could be read, none changed",
        ),
        (
            "file_patterns: {include: [src/], exclude: [<|>keys/]}",
            "it takes **2 of 8 files** now, net effect **\N{MINUS SIGN}1**: "
            "without it 2 more files could be read, 1 of them changed",
        ),
    ],
)
def test_the_net_effect(tmp_path: Path, text: str, effect: str) -> None:
    assert effect in shown(tmp_path, text).split("\n\n")


def test_many_files_are_cut_and_counted(tmp_path: Path) -> None:
    lines = shown(tmp_path, "file_patterns: {include: [<|>'**']}".replace("<|>'", "'<|>")).splitlines()
    assert [line for line in lines if line.startswith("- ")][-1] == "- and 3 more"


def test_what_is_not_known_whole_is_a_least_number(tmp_path: Path) -> None:
    paragraphs = shown(tmp_path, "file_patterns: {include: [<|>src/]}", complete=False).split("\n\n")
    assert "it takes **at least 5 files** now" in paragraphs


def test_a_tool_pattern_tells_which_tools_it_matches(tmp_path: Path) -> None:
    text = "allowed_tools:\n  - <|>github/*\n  - github/get_me\ndenied_tools:\n  - '*/delete_*'\n"
    assert shown(tmp_path, text).split("\n\n") == [
        "in `allowed_tools` it stands for every tool of the server `github`; what a denying entry matches stays denied",
        "it matches **3 of 4 known tools**, of which 1 is allowed by it alone",
        "- `github/delete_file`: denied by `*/delete_*` (line 5)\n- `github/get_issue`\n- `github/get_me`",
    ]


def test_what_overrules_a_pattern_of_many_tools_is_named(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text(MCP)
    names = [*(f"do_{number}" for number in range(9)), "get_a", "get_b", "put_a"]

    def others(text: str) -> str:
        offset = text.index(CURSOR)
        view = known_view(tmp_path, text.replace(CURSOR, ""), tools={"github": names})
        found = hover(view, offset)
        assert found is not None
        return found.markdown.split("\n\n")[-1]

    allowing = "allowed_tools:\n  - <|>github/*\ndenied_tools:\n  - '*/put_*'\n  - '*/get_*'\n"
    assert others(allowing) == (
        "- but `*/get_*` of `denied_tools` (line 5): 2 tools\n- but `*/put_*` of `denied_tools` (line 4): 1 tool"
    )
    assert others(allowing.replace("put", "drop").replace("get", "send")).endswith("- and 4 more")
    denying = "denied_tools:\n  - <|>github/*\n  - '*/put_*'\n"
    assert others(denying) == "- also denied by `*/put_*` of `denied_tools` (line 3): 1 tool"


def test_a_denying_pattern_tells_what_else_denies(tmp_path: Path) -> None:
    text = "denied_tools:\n  - '<|>*/delete_*'\n  - jira\n"
    assert shown(tmp_path, text).split("\n\n")[1:] == [
        "it matches **2 of 4 known tools**, of which 1 is denied by it alone",
        "- `github/delete_file`\n- `jira/delete_issue`: also denied by `jira` (line 3)",
    ]


def test_a_pattern_without_a_tool_says_so(tmp_path: Path) -> None:
    assert shown(tmp_path, "denied_tools: ['<|>*/drop_*']").split("\n\n")[1:] == ["it matches **0 of 4 known tools**"]


@pytest.mark.parametrize("entry", ["Bash", "Bash(rm)", "nowhere/x", "nowhere/*"])
def test_of_tools_that_nobody_tells_nothing_is_said(tmp_path: Path, entry: str) -> None:
    assert "known tool" not in shown(tmp_path, f"denied_tools: ['<|>{entry}']")


def test_a_tool_that_its_server_lacks_is_told(tmp_path: Path) -> None:
    found = shown(tmp_path, "denied_tools: [<|>github/drop]").split("\n\n")
    assert found[-1] == "it matches **0 of 4 known tools**"


def test_one_known_tool_is_told_by_its_server(tmp_path: Path) -> None:
    assert shown(tmp_path, "denied_tools: [<|>github/get_me]").split("\n\n")[2:] == [
        "a known tool of `github`; the server was asked at 2026-01-02T03:04:05Z"
    ]


def test_a_server_that_was_asked_tells_of_its_tool_in_plain_text(tmp_path: Path) -> None:
    told = KnownTool("drop", destructive=True, description="[drops](http://x) `it` <b>")
    (tmp_path / ".mcp.json").write_text(MCP)
    view, offset = opened(tmp_path, "denied_tools: [<|>jira/drop]")
    (server,) = (server for server in view_servers(tmp_path) if server.name == "jira")
    learnt = learnt_by_name({"jira": [told]})([server])
    catalogue = Catalogue.of([server], learnt)
    subject = view.subject.surrounded(view.policy, FileInventory((), ()), catalogue)
    found = hover(View(subject, view.policy), offset)
    assert found is not None
    assert found.markdown.split("\n\n")[2:] == [
        "a known tool of `jira`; its server states that it may destroy; the server was asked at 2026-01-02T03:04:05Z",
        "\\[drops\\](http://x) `it` \\<b\\>",
    ]


@pytest.mark.parametrize("entry", ["jira/drop", "jira/*"])
def test_what_another_command_told_is_told(tmp_path: Path, entry: str) -> None:
    (tmp_path / ".mcp.json").write_text(MCP)
    learnt = learnt_by_name({"jira": [KnownTool("drop")]})(view_servers(tmp_path))
    (tmp_path / ".mcp.json").write_text(MCP.replace('"j"', '"other"'))
    view, offset = opened(tmp_path, f"denied_tools: ['<|>{entry}']")
    catalogue = Catalogue.of(view_servers(tmp_path), learnt)
    subject = view.subject.surrounded(view.policy, FileInventory((), ()), catalogue)
    found = hover(View(subject, view.policy), offset)
    assert found is not None
    assert found.markdown.split("\n\n")[-1] == (
        "the server `jira` was asked for its tools when its command was another: "
        "`rules-lsp tools refresh jira` asks it again"
    )


def view_servers(root: Path) -> list[ConfiguredServer]:
    return [server for file in read_server_files(str(root)) for server in file.servers]


@pytest.mark.parametrize(
    ("text", "contribution"),
    [
        ("denied_<|>tools: [jira, '*/get_*']", "**2 entries**, matching 3 of 4 known tools"),
        ("file_patterns:\n  inc<|>lude: [src/, docs/]", "**2 entries**, taking 6 of 8 files"),
        ("file_patterns:\n  exc<|>lude: []", "**no entries**, taking 0 of 8 files"),
        (
            "file_<|>patterns:\n  include: [src/]\n  exclude: ['*.pem', docs/]",
            "include: 1 entry; exclude: 2 entries; **4 of 8 files** may be changed",
        ),
    ],
)
def test_a_key_tells_what_its_list_contributes(tmp_path: Path, text: str, contribution: str) -> None:
    assert shown(tmp_path, text).split("\n\n")[1] == contribution


def test_the_first_line_shows_the_whole_policy(tmp_path: Path) -> None:
    text = "# ru<|>les\nallowed_tools: ['github/*']\nfile_patterns:\n  include: [src/]\n  exclude: ['*.pem', '[']\n"
    assert shown(tmp_path, text) == (
        "**effective policy**: 0 of 8 files writable · 3 of 4 known tools allowed\n\n"
        "| rules | effect now |\n| --- | --- |\n"
        "| `allowed_tools` | 1 entry, matching 3 of 4 known tools |\n"
        "| `denied_tools` | not specified: no tool is denied |\n"
        "| `file_patterns.include` | 1 entry, taking 5 of 8 files |\n"
        "| `file_patterns.exclude` | 2 entries, taking 2 of 8 files; 1 cannot be read |"
    )


def test_a_key_on_the_first_line_shows_both(tmp_path: Path) -> None:
    parts = shown(tmp_path, "denied_<|>tools: [jira]\n").split("\n\n---\n\n")
    assert parts[0].startswith("`denied_tools`\n\n**1 entry**, matching 1 of 4 known tools\n\nTools that")
    assert parts[1].startswith("**effective policy**: 8 of 8 files writable · 3 of 4 known tools allowed\n\n")


def test_the_first_heading_shows_the_policy(tmp_path: Path) -> None:
    text = "\nprose\n\n# The <|>project\n\n## Denied Tools\n- `jira`\n"
    found = shown(tmp_path, text, ".coding-agent-rules.md")
    assert found.startswith("**effective policy**: 8 of 8 files writable · 3 of 4 known tools allowed\n\n")
    assert "| `denied_tools` | 1 entry, matching 1 of 4 known tools |" in found


def test_what_is_protected_stands_in_the_policy(tmp_path: Path) -> None:
    (tmp_path / ".coding-agent-rules.yaml").write_text("denied_tools: []\n")
    found = shown(tmp_path, "<|>denied_tools: []\n")
    assert "| protected | `.auto-prompter.yaml`, `.coding-agent-rules.md`" in found


def test_without_an_inventory_the_meaning_stands_alone(tmp_path: Path) -> None:
    view, offset = opened(tmp_path, "# <|>x\nfile_patterns: {include: [src/]}\n")
    found = hover(view, offset)
    assert found is not None
    assert found.markdown.startswith("**effective policy**\n\n| rules |")
    assert "| `file_patterns.include` | 1 entry |" in found.markdown
