from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.code_lens import Lens, lens_at, lens_files, lens_text, lens_tools, lenses
from rules_lsp.features.hover_policy import policy_in_markdown
from rules_lsp.features.inlay_hints import inlay_hints
from rules_lsp.features.view import View
from rules_lsp.source.text import Span
from tests.features.known import known_view

FILES = ("README.md", "docs/a.md", "docs/b.md", "keys/a.pem", "src/a.py", "src/b.py", "src/keys/c.pem")
TOOLS = {"github": ["get_issue", "delete_file"]}
YAML = """\
allowed_tools:
  - github/*
denied_tools: ["*/delete_*"]
file_patterns:
  include:
    - src/
    - "*.md"  # prose
    - '*.pem'
    - '!docs/b.md'
  exclude: ["*.pem", keys/]
"""
MARKDOWN = """\
# A guide

## File Patterns
### Include
- `src/`, `docs/`
- `*.md`
### Exclude
- `*.pem`
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"github": {"command": "x"}}}')
    return tmp_path


def told(view: View) -> list[tuple[str, int, str, bool]]:
    """Each lens: its kind, its line, what it says, and whether it has files."""
    found: list[tuple[str, int, str, bool]] = []
    for lens in lenses(view):
        text = lens_text(view, lens)
        assert text is not None
        assert text.lists_files == bool(lens_files(view, lens))
        assert not text.lists_tools or lens_tools(view, lens)
        found.append((lens.kind, view.subject.text.line_of(lens.span.start), text.title, text.lists_files))
    return found


def test_the_lenses_of_a_yaml_file(root: Path) -> None:
    assert told(known_view(root, YAML, files=FILES, tools=TOOLS)) == [
        ("policy", 0, "policy: 4 of 7 files writable · 1 of 2 tools allowed", True),
        ("list", 0, "2 of 2 tools", False),
        ("list", 2, "1 of 2 tools", False),
        ("list", 4, "7 of 7 files", True),
        ("entry", 5, "3 files · net +2", True),
        ("entry", 6, "3 files · net +2", True),
        ("entry", 7, "2 files · net ±0", True),
        ("entry", 8, "1 file · net −1", True),
        ("list", 9, "2 of 7 files", True),
    ]


def test_the_lenses_of_a_markdown_file(root: Path) -> None:
    assert told(known_view(root, MARKDOWN, ".coding-agent-rules.md", files=FILES, tools=TOOLS)) == [
        ("policy", 0, "policy: 5 of 7 files writable · 2 of 2 tools allowed", True),
        ("list", 3, "6 of 7 files", True),
        ("entry", 5, "3 files · net +1", True),
        ("list", 6, "2 of 7 files", True),
        ("entry", 7, "2 files · net −1 · read −2", True),
    ]


def test_the_files_of_a_lens(root: Path) -> None:
    view = known_view(root, YAML, files=FILES, tools=TOOLS)
    found = {(lens.kind, view.subject.text.line_of(lens.span.start)): lens for lens in lenses(view)}
    assert lens_files(view, found["entry", 5]) == ("src/a.py", "src/b.py", "src/keys/c.pem")
    assert lens_files(view, found["list", 9]) == ("keys/a.pem", "src/keys/c.pem")
    assert lens_files(view, found["policy", 0]) == ("README.md", "docs/a.md", "src/a.py", "src/b.py")
    assert lens_files(view, found["list", 0]) == ()


def test_the_tools_of_a_lens(root: Path) -> None:
    view = known_view(root, YAML, files=FILES, tools=TOOLS)
    found = {(lens.kind, view.subject.text.line_of(lens.span.start)): lens for lens in lenses(view)}
    both = [("github/delete_file", False), ("github/get_issue", True)]

    def listed(lens: Lens) -> list[tuple[str, bool]]:
        return [(each.name, each.allowed) for each in lens_tools(view, lens)]

    assert listed(found["list", 0]) == both
    assert listed(found["list", 2]) == both[:1]
    assert listed(found["policy", 0]) == both[1:]
    assert listed(lens_at(view, YAML.index("github/*"))) == both
    assert listed(found["list", 4]) == []
    text = lens_text(view, found["list", 2])
    assert text is not None
    assert text.lists_tools


def test_nothing_is_said_while_the_document_does_not_parse(root: Path) -> None:
    view = known_view(root, YAML + "  - [", files=FILES, tools=TOOLS)
    assert lenses(view) == ()
    assert inlay_hints(view, Span(0, 1000)) == ()


def test_what_is_not_known_is_not_counted(tmp_path: Path) -> None:
    view = known_view(tmp_path, YAML, files=FILES)
    assert [(kind, line) for kind, line, _, _ in told(view)][:2] == [("policy", 0), ("list", 4)]
    assert told(view)[0][2] == "policy: 4 of 7 files writable"
    unknown = View(view.subject.surrounded(view.saved), view.saved)
    assert lenses(unknown) == ()
    assert inlay_hints(unknown, Span(0, 1000)) == ()


def test_entries_without_an_effect_have_no_lens(root: Path) -> None:
    view = known_view(root, "file_patterns:\n  exclude:\n    - '!a'\n    - '[a'\n    - b\n", files=FILES)
    assert told(view) == [
        ("policy", 0, "policy: 0 of 7 files writable", False),
        ("list", 1, "0 of 7 files", False),
        ("entry", 4, "0 files", False),
    ]


def test_numbers_are_least_ones_where_the_scan_was_cut_off(root: Path) -> None:
    view = known_view(root, "file_patterns:\n  include:\n    - src/\n", files=FILES, complete=False)
    assert [title for _, _, title, _ in told(view)] == [
        "policy: at least 3 files writable",
        "at least 3 files",
        "at least 3 files",
    ]


def test_the_policy_says_that_there_are_more_files_than_are_counted(root: Path) -> None:
    view = known_view(root, "file_patterns:\n  include: [src/]\n", files=FILES, complete=False, capped=True)
    title = "policy: at least 3 files writable · only the first 7 files are counted"
    assert told(view)[0] == ("policy", 0, title, True)
    assert policy_in_markdown(view).startswith(
        "**effective policy**: at least 3 files writable · the project has more files: only the first 7 are counted\n"
    )


def test_a_file_that_is_not_in_force_says_so(root: Path) -> None:
    (root / ".coding-agent-rules.yaml").write_text("denied_tools: [x]\n")
    view = known_view(root, MARKDOWN, ".coding-agent-rules.md", files=FILES)
    assert told(view)[0] == (
        "policy",
        0,
        "this file is not in force: `.coding-agent-rules.yaml` stands above it",
        False,
    )


def test_a_configuration_counts_at_its_default_rules_unless_a_rule_file_takes_their_place(root: Path) -> None:
    text = "model: x\nproject_agent_rules:\n  default_rules:\n    file_patterns:\n      include:\n        - src/\n"
    (root / "config.yaml").write_text(text)
    expected = [("list", 4, "3 of 7 files", True), ("entry", 5, "3 files · net +3", True)]
    assert told(known_view(root, text, "config.yaml", files=FILES)) == [
        ("policy", 2, "policy: 3 of 7 files writable", True),
        *expected,
    ]
    (root / ".coding-agent-rules.yaml").write_text("denied_tools: [x]\n")
    assert told(known_view(root, text, "config.yaml", files=FILES)) == expected


def test_switched_off_rules_say_so(root: Path) -> None:
    (root / "config.yaml").write_text("project_agent_rules: {enabled: false}\n")
    view = known_view(root, "file_patterns: {include: [src/]}\n", files=FILES)
    assert told(view)[0][2] == "policy: the rules of this project are switched off"


def test_a_lens_of_another_version_says_nothing(root: Path) -> None:
    view = known_view(root, YAML, files=FILES, tools=TOOLS)
    for kind in ("list", "entry"):
        lens = Lens(kind, Span(3, 4))
        assert lens_text(view, lens) is None
        assert lens_files(view, lens) == ()


def hints(view: View, within: Span) -> list[str]:
    """The lines that a hint stands in, as they would be shown."""
    content = view.subject.text.content
    return [f"{content[: at.offset].splitlines()[-1]} <{at.label}>" for at in inlay_hints(view, within)]


def test_hints_stand_behind_the_quotes_of_each_pattern(root: Path) -> None:
    view = known_view(root, YAML, files=FILES, tools=TOOLS)
    assert hints(view, Span(0, len(YAML))) == [
        "    - src/ <3 files · net +2>",
        '    - "*.md" <3 files · net +2>',
        "    - '*.pem' <2 files · net ±0>",
        "    - '!docs/b.md' <1 file · net −1>",
        '  exclude: ["*.pem" <2 files · net ±0>',
        '  exclude: ["*.pem", keys/ <2 files · net ±0>',
    ]
    at = YAML.index('"*.md"')
    assert hints(view, Span(at, at + 6)) == ['    - "*.md" <3 files · net +2>']


def test_hints_stand_behind_the_code_marks_of_markdown(root: Path) -> None:
    view = known_view(root, MARKDOWN, ".coding-agent-rules.md", files=FILES)
    assert hints(view, Span(0, len(MARKDOWN)))[:2] == [
        "- `src/` <3 files · net +2>",
        "- `src/`, `docs/` <2 files · net ±0>",
    ]
