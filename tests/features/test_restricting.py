"""What is offered to be denied, and the texts that follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules_lsp.features.restricting import restrictions_at
from rules_lsp.features.view import View
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.text import Span
from tests.features.known import known_view

SERVERS = {"mcpServers": {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}}}
DESTRUCTIVE = ["files/edit_file", "files/move_file", "files/write_file"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".mcp.json").write_text(json.dumps(SERVERS))
    return tmp_path


def offered(view: View, at: int) -> list[tuple[str, str]]:
    """Each title, and the text that the edits make."""
    text = view.subject.text.content
    return [(found.title, apply_edits(text, found.edits)) for found in restrictions_at(view, Span(at, at))]


def test_tools_of_an_entry(root: Path) -> None:
    text = "# top\nallowed_tools:\n  - files/* # all\n  - Read\n"
    view = known_view(root, text)
    assert offered(view, text.index("files/")) == [
        *((f"add `{name}` to `denied_tools`", f"{text}denied_tools:\n  - {name}\n") for name in DESTRUCTIVE),
        (
            "add all 3 tools that destroy to `denied_tools`",
            f"{text}denied_tools:\n  - files/edit_file\n  - files/move_file\n  - files/write_file\n",
        ),
    ]
    assert offered(view, text.index("Read")) == []


@pytest.mark.parametrize(
    ("denied", "after"),
    [
        ("denied_tools: [] # 😀\r\n", "denied_tools: [files/edit_file, files/move_file, files/write_file] # 😀\r\n"),
        ("denied_tools: ['x']\r\n", "denied_tools: ['x', files/edit_file, files/move_file, files/write_file]\r\n"),
        (
            "denied_tools:\r\n- x # 😀",
            "denied_tools:\r\n- x # 😀\r\n- files/edit_file\r\n- files/move_file\r\n- files/write_file",
        ),
    ],
)
def test_all_of_them_in_every_form_of_a_list(root: Path, denied: str, after: str) -> None:
    text = f"# top\r\nallowed_tools: [files/*]\r\n{denied}"
    title, changed = offered(known_view(root, text), text.index("files/"))[-1]
    assert title == "add all 3 tools that destroy to `denied_tools`"
    assert changed == f"# top\r\nallowed_tools: [files/*]\r\n{after}"


def test_a_tool_that_is_named(root: Path) -> None:
    text = "# top\nallowed_tools:\n  - files/write_file\n  - files/read_text_file\n"
    view = known_view(root, text)
    assert offered(view, text.index("files/write")) == [
        ("remove `files/write_file`", "# top\nallowed_tools:\n  - files/read_text_file\n")
    ]
    assert offered(view, text.index("files/read")) == []


def test_what_is_denied_already(root: Path) -> None:
    text = "# top\nallowed_tools: [files/*]\ndenied_tools: [files/*]\n"
    assert offered(known_view(root, text), text.index("files/")) == []


def test_the_first_line(root: Path) -> None:
    text = "denied_tools: [files/*]\nfile_patterns:\n  exclude:\n    - '*.log'\n"
    view = known_view(root, text, files=[".env", "deploy/server.pem", "src/a.py"])
    assert offered(view, 0) == [
        ("add `.env` to `exclude`", f"{text}    - /.env\n"),
        ("add `deploy/server.pem` to `exclude`", f"{text}    - deploy/server.pem\n"),
        ("add all 2 files that look like secrets to `exclude`", f"{text}    - /.env\n    - deploy/server.pem\n"),
    ]
    assert offered(view, text.index("*.log")) == []


def test_markdown_with_its_line_ends(root: Path) -> None:
    text = "# 規則\r\n## File Patterns\r\n### Exclude\r\n- `*.log`\r\n\r\n## Denied Tools\r\n- `files/*`\r\n"
    view = known_view(root, text, ".coding-agent-rules.md", files=[".env", "src/a.py"])
    assert offered(view, 0) == [("add `.env` to `exclude`", text.replace("`*.log`\r\n", "`*.log`\r\n- `/.env`\r\n"))]


def test_nothing_of_what_is_not_known_or_not_in_force(root: Path) -> None:
    text = "denied_tools: [files/*]\n"
    assert offered(known_view(root, text, files=[".env", "a.py"], complete=False), 0) == []
    assert offered(known_view(root, "denied_tools: [files/*\n", files=[".env", "a.py"]), 0) == []
    (root / ".coding-agent-rules.yaml").write_text("")
    assert offered(known_view(root, "## Denied Tools\n- `x/y`\n", ".github/AGENTS.md", files=[".env", "a.py"]), 0) == []
