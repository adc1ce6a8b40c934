"""What an editor shows of the files of an Agent Zero project."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rules_lsp.checks.common.kinds import FileKind
from rules_lsp.features.completion import TRIGGERS, Completion, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.hover import hover
from rules_lsp.features.symbols import document_symbols
from rules_lsp.features.view import View
from rules_lsp.source.edits import TextEdit, apply_edits
from tests.features.known import known_view
from tests.features.support import CURSOR
from tests.features.test_any_text import PIECES

PROJECT = ".a0proj/project.json"
SERVERS = ".a0proj/mcp_servers.json"
KEYS = ["title", "description", "instructions", "include_agents_md", "color", "git_url", "file_structure"]
SAMPLE = """\
// the shop
{
  "title": "Shop \\u65e5 \U0001f600", /* a
  block */
  "git_url": "https://someone:hunter2@example.org/shop.git",
  "include_agents_md": true,
  "file_structure": {"enabled": true, "max_depth": 3,},
}
"""


def opened(root: Path, text: str, name: str = PROJECT) -> tuple[View, int]:
    offset = text.index(CURSOR)
    kind: FileKind = "a0-servers" if name == SERVERS else "a0-project"
    return known_view(root, text.replace(CURSOR, ""), name, kind=kind), offset


def asked(root: Path, text: str, trigger: str | None = None, name: str = PROJECT) -> Completion | None:
    view, offset = opened(root, text, name)
    found = completion(view, offset, trigger)
    for item in found.items if found is not None else ():
        assert offset in item.span
        assert "\n" not in view.subject.text.slice(item.span)
    return found


def labels(root: Path, text: str, trigger: str | None = None, name: str = PROJECT) -> list[str]:
    found = asked(root, text, trigger, name)
    return [] if found is None else [item.label for item in found.items]


def taken(root: Path, text: str, label: str) -> str:
    """The text with an item of the completion, its other edits included."""
    found = asked(root, text)
    assert found is not None
    item = next(item for item in found.items if item.label == label)
    return apply_edits(text.replace(CURSOR, ""), [TextEdit(item.span, item.text), *item.also])


@pytest.mark.parametrize(
    "text",
    [
        "{<|>}",
        "{<|>",
        '{"<|>"}',
        '{"ti<|>',
        "{ti<|>}",
        '{"title": "x", <|>}',
        '{"title": "x"\n  <|>\n}',
        '// a {\n{/* " */ <|>',
        '{"title": "x"} {<|>',
    ],
)
def test_keys_are_offered_also_in_half_a_text(tmp_path: Path, text: str) -> None:
    assert sorted(labels(tmp_path, text)) == sorted(KEYS)


@pytest.mark.parametrize(
    "text",
    [
        "<|>",
        "// <|>",
        "{/* <|> */}",
        '{"title" <|>}',
        '{"title": "a <|>"}',
        '{"title": <|>}',
        '{"color": {<|>}}',
        '{"title": "x"} <|>',
        "[<|>]",
    ],
)
def test_nothing_is_offered_elsewhere(tmp_path: Path, text: str) -> None:
    assert labels(tmp_path, text) == []


def test_values_are_those_that_a_key_takes(tmp_path: Path) -> None:
    assert labels(tmp_path, '{"include_agents_md": <|>}') == ["true", "false"]
    assert labels(tmp_path, '{"file_structure": {"enabled": t<|>}}') == ["true", "false"]
    assert labels(tmp_path, '{"file_structure": {"max_lines": <|>}}') == ["250"]
    assert labels(tmp_path, '{"include_agents_md": "<|>"}') == []


def test_a_key_that_is_written_comes_last(tmp_path: Path) -> None:
    found = asked(tmp_path, '{"title": "x", "<|>"}')
    assert found is not None
    assert (found.items[-1].label, found.items[-1].detail) == ("title", "already written")
    assert found.items[0].label == "description"


@pytest.mark.parametrize(
    ("text", "label", "written"),
    [
        ("{<|>}", "title", '{"title": ""}'),
        ("{ti<|>}", "title", '{"title": ""}'),
        ('{"ti<|>"}', "title", '{"title": ""}'),
        ('{"ti<|>": 1}', "title", '{"title": 1}'),
        ('{"ti<|>', "title", '{"title": ""'),
        ('{"color": ""\n  <|>}', "title", '{"color": "",\n  "title": ""}'),
        ('{"color": ""<|>}', "title", '{"color": "", "title": ""}'),
        ('{<|>"color": ""}', "include_agents_md", '{"include_agents_md": true,"color": ""}'),
        ('{"include_agents_md": <|> "color": ""}', "false", '{"include_agents_md": false, "color": ""}'),
        (
            "{\r\n<|>}",
            "file_structure",
            '{\r\n"file_structure": {\r\n  "enabled": true,\r\n  "max_depth": 5,\r\n  "max_files": 20,\r\n'
            '  "max_folders": 20,\r\n  "max_lines": 250,\r\n  "gitignore": ""\r\n}}',
        ),
    ],
)
def test_an_item_is_written_with_what_json_needs(tmp_path: Path, text: str, label: str, written: str) -> None:
    assert taken(tmp_path, text, label) == written


def test_the_cursor_stands_in_the_new_value(tmp_path: Path) -> None:
    found = asked(tmp_path, "{<|>}")
    assert found is not None
    snippets = {item.label: item.snippet for item in found.items}
    assert snippets["title"] == '"title": "$0"'
    assert snippets["include_agents_md"] == '"include_agents_md": true$0'
    assert (snippets["file_structure"] or "").endswith('"gitignore": ""\n\\}$0')


def test_a_key_is_documented(tmp_path: Path) -> None:
    view, offset = opened(tmp_path, '{\n"file_structure": {"max_d<|>epth": 1}}')
    told = "The levels of folders that are shown."
    shown = hover(view, offset)
    assert shown is not None
    assert shown.markdown == f"`file_structure.max_depth`\n\n{told}"
    items = completion(view, offset)
    assert items is not None
    topic = next(item.topic for item in items.items if item.label == "max_depth")
    assert topic is not None
    assert documentation(view, topic) == told


def test_the_first_line_shows_what_an_agent_is_told_and_no_secret(tmp_path: Path) -> None:
    view, offset = opened(tmp_path, f"{CURSOR}{SAMPLE}")
    shown = hover(view, offset)
    assert shown is not None
    lines = shown.markdown.split("\n")
    assert lines[0] == "what an agent is told while this project is active:"
    assert lines[2:6] == ["````markdown", "## Your project", f"- folder: {tmp_path}", "- title: Shop \u65e5 \U0001f600"]
    assert "- repository: https://example.org/shop.git" in lines
    assert "hunter2" not in shown.markdown
    assert "someone" not in shown.markdown


def test_a_server_is_shown_as_it_is_called(tmp_path: Path) -> None:
    view, offset = opened(tmp_path, '{"mcpServers": {"Git<|>Hub-x": {"command": "y"}}}', SERVERS)
    shown = hover(view, offset)
    assert shown is not None
    assert shown.markdown == "`GitHub-x`: its tools are called `github_x.<tool>`"
    assert view.subject.text.slice(shown.span) == "GitHub-x"
    key, at = opened(tmp_path, '{"mcpServers": {"x": {"com<|>mand": "y"}}}', SERVERS)
    beside = hover(key, at)
    assert beside is not None
    assert beside.markdown.startswith("`mcpServers.x.command`\n\n")


def test_the_keys_of_servers_are_offered(tmp_path: Path) -> None:
    assert labels(tmp_path, "{<|>}", name=SERVERS) == ["mcpServers"]
    assert labels(tmp_path, '{"mcpServers": {<|>}}', name=SERVERS) == []
    keys = ["name", "description", "args", "env", "url", "type", "headers", "disabled"]
    keys += ["init_timeout", "tool_timeout", "verify", "command"]
    assert labels(tmp_path, '{"mcpServers": {"x.y": {"command": "a", "<|>', name=SERVERS) == keys
    assert labels(tmp_path, '{"mcpServers": {"x": {"disabled": <|>}}}', name=SERVERS) == ["true", "false"]
    assert labels(tmp_path, '{"mcpServers": {"x": {"env": {"<|>"}}}}', name=SERVERS) == []


def test_no_text_makes_a_feature_fail(tmp_path: Path) -> None:
    chance = random.Random(8)
    texts = [SAMPLE[:end] for end in range(len(SAMPLE) + 1)]
    texts += [SAMPLE[:at] + chance.choice(PIECES) + SAMPLE[at:] for at in range(0, len(SAMPLE), 3)]
    for number, text in enumerate(texts):
        view, offset = opened(tmp_path, text + CURSOR, SERVERS if number % 7 == 0 else PROJECT)
        for at in (offset, offset // 2, 0):
            completion(view, at, TRIGGERS[number % len(TRIGGERS)])
            found = completion(view, at)
            for item in found.items if found is not None else ():
                assert 0 <= item.span.start <= item.span.end <= len(text)
            hover(view, at)
        document_symbols(view.subject)
