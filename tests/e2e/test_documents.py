"""Diagnostics, hovers and quick fixes as an editor sees them, in both position encodings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e.editor import Editor

VALID = "denied_tools:\n  - github/delete_file\nfile_patterns:\n  exclude:\n    - '*.pem'\n"
UNQUOTED = "file_patterns:\n  exclude:\n    - *.pem\n"


pytestmark = pytest.mark.asyncio(loop_scope="module")
Edit = Callable[[Path], Editor]


@pytest.fixture
def editor(edit: Edit, project: Path) -> Editor:
    return edit(project / ".coding-agent-rules.yaml")


async def test_a_valid_document_has_no_diagnostics(editor: Editor) -> None:
    assert await editor.open(VALID) == []


async def test_a_fault_is_shown_and_goes_when_it_is_repaired(editor: Editor) -> None:
    assert await editor.open(UNQUOTED) == [("unquoted-glob", (2, 6, 2, 11))]
    assert await editor.edit((2, 6, 2, 11), '"*.pem"') == []
    assert await editor.edit((2, 6, 2, 13), "*.pem") == [("unquoted-glob", (2, 6, 2, 11))]
    assert await editor.close() == []


async def test_every_step_of_typing_is_answered_with_its_own_version(editor: Editor) -> None:
    assert await editor.open("") == []
    found = []
    for column, letter in enumerate("denied_tools: ['a/b'"):
        found = await editor.edit((0, column, 0, column), letter)
    assert (editor.version, found) == (20, [("syntax-error", (0, 14, 0, 15))])
    assert await editor.edit((0, 20, 0, 20), "]") == []


async def test_a_half_typed_document_keeps_the_sections_that_are_whole(editor: Editor) -> None:
    text = "denied_tools:\n  - github/*\nallowed_tools:\n  - 'gith"
    assert await editor.open(text) == [("syntax-error", (3, 4, 3, 5))]
    shown = await editor.hover(1, 6)
    assert shown is not None
    assert shown[0].startswith(
        "in `denied_tools` it stands for every tool of the server `github`\n\n_this file does not"
    )
    assert shown[1] == (1, 4, 1, 12)


async def test_places_behind_an_emoji_and_a_crlf(editor: Editor, encoding: str) -> None:
    text = "allowed_tools: []\r\nfile_patterns: # 😀\r\n  exclude: ['😀', '[a']\r\n"
    column = {"utf-16": 19, "utf-8": 21}[encoding]
    fault = ("invalid-glob", (2, column, 2, column + 1))
    assert fault in await editor.open(text)
    assert fault not in await editor.edit((2, column, 2, column + 2), "b")
    assert await editor.hover(2, column) == (
        "what `b` matches may be neither read nor changed\n\n"
        "files and directories at any depth, with everything below them\n\n- `b`: the name `b`",
        (2, column, 2, column + 1),
    )


async def test_changes_of_one_notification_count_on_each_other(editor: Editor) -> None:
    await editor.open("denied_tools:\n")
    steps = [((1, 0, 1, 0), "  - 😀\n"), ((0, 0, 0, 12), "deny_tools"), ((9, 9, 9, 9), "# end\r\n")]
    changes = [
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(place[0], place[1]), types.Position(place[2], place[3])), text
        )
        for place, text in steps
    ]
    assert await editor.change(changes) == [
        ("unknown-key", (0, 0, 0, 10)),
        ("malformed-tool-name", (1, 4, 1, {"utf-16": 6, "utf-8": 8}[editor.encoding])),
    ]


async def test_positions_past_the_end_are_taken_as_the_end(editor: Editor) -> None:
    await editor.open("#\ndenied_tools: [a/b]")
    assert await editor.hover(1, 999) is None
    assert await editor.hover(999, 0) is None
    assert await editor.edit((1, 500, 700, 3), "\nx: 1\n") == [("unknown-key", (2, 0, 2, 1))]


async def test_hover_on_a_key_a_tool_and_a_glob(editor: Editor) -> None:
    await editor.open(VALID)
    key = await editor.hover(0, 3)
    assert key is not None
    assert key[0].startswith(
        "`denied_tools`\n\n**1 entry**\n\nTools that the agent may not use, whatever `allowed_tools` says.\n"
    )
    assert key[1] == (0, 0, 0, 12)
    assert await editor.hover(1, 10) == (
        "**denied**: `github/delete_file` is denied by `github/delete_file` (line 2)\n\n"
        "in `denied_tools` it stands for the tool `delete_file` of the server `github`",
        (1, 4, 1, 22),
    )
    assert await editor.hover(4, 9) == (
        "what `*.pem` matches may be neither read nor changed\n\n"
        "files and directories at any depth, with everything below them\n\n- `*.pem`: a name that ends in `.pem`",
        (4, 7, 4, 12),
    )
    assert await editor.hover(1, 2) is None


async def test_a_quick_fix_gives_the_exact_text(editor: Editor) -> None:
    text = "# 😀\r\nfile_patterns:\r\n  exclude:\r\n    - *.pem # 😀\r\n"
    assert await editor.open(text) == [("unquoted-glob", (3, 6, 3, 11))]
    (action,) = await editor.actions((3, 8, 3, 8), only=["quickfix"])
    assert (action.title, action.kind, action.is_preferred) == ('write "*.pem"', types.CodeActionKind.QuickFix, True)
    assert [found.code for found in action.diagnostics or []] == ["unquoted-glob"]
    repaired = '# 😀\r\nfile_patterns:\r\n  exclude:\r\n    - "*.pem" # 😀\r\n'
    assert editor.applied(text, action) == repaired
    assert await editor.replace(repaired) == []
    assert await editor.actions((3, 8, 3, 8), only=["quickfix"]) == []


async def test_quick_fixes_are_offered_where_they_are_asked_for(editor: Editor) -> None:
    await editor.open("deny_tools: []\nallow_tools: [Read]\n")
    assert [action.title for action in await editor.actions((0, 0, 0, 0), only=["quickfix"])] == [
        "rename it to `denied_tools`",
        "ignore `unknown-key` here",
    ]
    assert len(await editor.actions((0, 0, 1, 5), only=["quickfix"])) == 4
    assert await editor.actions((0, 12, 0, 14), only=["quickfix"]) == []
    assert await editor.actions((0, 0, 1, 5), only=["refactor"]) == []
    assert len(await editor.actions((0, 0, 1, 5), only=["quickfix.none"])) == 0


async def test_related_places_are_linked(editor: Editor) -> None:
    await editor.open("denied_tools: [a/b]\ndenied_tools: [c/d]\n")
    (shown,) = editor.client.diagnostics[editor.uri]
    assert (shown.code, shown.source, shown.severity) == ("duplicate-key", "rules-lsp", types.DiagnosticSeverity.Error)
    (related,) = shown.related_information or []
    assert related.message == "`denied_tools` stands here first"
    assert related.location == types.Location(editor.uri, types.Range(types.Position(0, 0), types.Position(0, 12)))


async def test_markdown(edit: Edit, project: Path, encoding: str) -> None:
    (project / ".github").mkdir()
    editor = edit(project / ".github" / "AGENTS.md")
    text = "# 😀\n\n## Denied Tools\n\n- `😀 x` and so on\n- `github/*`\n"
    width = {"utf-16": 4, "utf-8": 6}[encoding]
    assert await editor.open(text, "markdown") == [("malformed-tool-name", (4, 3, 4, 3 + width))]
    assert await editor.hover(5, 5) == (
        "in `denied_tools` it stands for every tool of the server `github`",
        (5, 3, 5, 11),
    )
    heading = await editor.hover(2, 5)
    assert heading is not None
    assert heading[0].startswith("`denied_tools`\n\n**2 entries**\n\nTools that the agent may not use")
    broken = await editor.hover(4, 4)
    assert broken is not None
    assert broken[0].endswith("until it is repaired, `denied_tools` denies every tool")


async def test_configurations_and_named_rule_files(edit: Edit, project: Path) -> None:
    (project / "config.yaml").write_text("project_agent_rules:\n  rule_files: [rules/agent.yaml]\n")
    named = edit(project / "rules" / "agent.yaml")
    assert await named.open("deny_tools: []\n") == [("unknown-key", (0, 0, 0, 10))]
    config = edit(project / "config.yaml")
    assert await config.open("project_agent_rules:\n  enabled: maybe\n") == [("config-value", (1, 2, 1, 9))]
    assert await config.replace("enabled: maybe\n") == []


async def test_other_files_are_left_alone(edit: Edit, project: Path) -> None:
    for name in ("a.yaml", "GUIDE.md", "docs/rules.yaml"):
        editor = edit(project / name)
        assert await editor.open("deny_tools: [\n") == []
        assert await editor.hover(0, 3) is None
        assert await editor.actions((0, 0, 0, 5)) == []


async def test_a_document_that_is_not_open_has_no_answers(editor: Editor) -> None:
    assert await editor.hover(0, 0) is None
    assert await editor.actions((0, 0, 9, 9)) == []


async def test_a_document_that_is_no_file_has_no_diagnostics(editor: Editor) -> None:
    editor.uri = "untitled:.coding-agent-rules.yaml"
    assert await editor.open(UNQUOTED) == []
    assert await editor.hover(2, 7) is None
