from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.links import document_links
from rules_lsp.features.view import View
from rules_lsp.features.workspace_symbols import workspace_symbols
from tests.features.known import known_view

FILES = ("README.md", "docs/a.md", "src/a.py")


def drawn(view: View, root: Path) -> list[tuple[str, str]]:
    """What is underlined, and what it leads to: a name below the root, an address, or a code."""
    text = view.subject.text
    return [
        (text.slice(link.span), link.url or link.code or str(Path(link.path or "").relative_to(root)))
        for link in document_links(view)
    ]


def test_the_files_that_patterns_name_literally(tmp_path: Path) -> None:
    text = "file_patterns:\n  include: [src/a.py, src/, src, none.py, '*.md', '!/docs/a.md', README.md]\n"
    assert drawn(known_view(tmp_path, text, files=FILES), tmp_path) == [
        ("src/a.py", "src/a.py"),
        ("!/docs/a.md", "docs/a.md"),
        ("README.md", "README.md"),
    ]
    markdown = "## File Patterns\n- exclude: `docs/a.md` 😀\n"
    view = known_view(tmp_path, markdown, ".coding-agent-rules.md", files=FILES)
    assert drawn(view, tmp_path) == [("docs/a.md", "docs/a.md")]
    unknown = View(view.subject.surrounded(view.saved), view.saved)
    assert drawn(unknown, tmp_path) == []


def test_before_the_files_are_listed_the_disk_is_asked(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").touch()
    (tmp_path / "gone").symlink_to("nowhere")
    text = "file_patterns:\n  include: [src/a.py, src, none.py, '*.py', gone]\n  exclude: [/src/a.py, '/a\\\0']\n"
    view = known_view(tmp_path, text)
    unknown = View(view.subject.surrounded(view.saved), view.saved)
    assert drawn(unknown, tmp_path) == [("src/a.py", "src/a.py"), ("gone", "gone"), ("/src/a.py", "src/a.py")]
    assert drawn(view, tmp_path) == []


@pytest.mark.parametrize(
    ("line", "links"),
    [
        ("# yaml-language-server: $schema=https://a.example/s.json", [("https://a.example/s.json",) * 2]),
        ("\ufeff# yaml-language-server: $schema=./s.json", [("./s.json", "s.json")]),
        ("# yaml-language-server: $schema=javascript:alert(1)", []),
        ("# yaml-language-server: $schema=", []),
        ("denied_tools: ['# yaml-language-server: $schema=https://a.example']", []),
    ],
)
def test_the_schema_that_a_comment_names(tmp_path: Path, line: str, links: list[tuple[str, str]]) -> None:
    assert drawn(known_view(tmp_path, f"{line}\n"), tmp_path) == links


def test_the_codes_that_a_comment_names(tmp_path: Path) -> None:
    text = "# rules-lsp: ignore[unknown-tool, no-such] because\ndenied_tools: [a/b]\n"
    assert drawn(known_view(tmp_path, text), tmp_path) == [
        ("unknown-tool", "unknown-tool"),
        ("no-such", "no-such"),
    ]
    markdown = "<!-- rules-lsp: ignore[unknown-tool] -->\n## Denied Tools\n- `a/b`\n"
    assert drawn(known_view(tmp_path, markdown, ".coding-agent-rules.md"), tmp_path) == [
        ("unknown-tool", "unknown-tool")
    ]


def test_the_rule_files_that_a_configuration_names(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("")
    text = "project_agent_rules:\n  rule_files: [rules.yaml, none.yaml]\n"
    assert drawn(known_view(tmp_path, text, "config.yaml"), tmp_path) == [("rules.yaml", "rules.yaml")]


def test_entries_are_found_by_their_letters(tmp_path: Path) -> None:
    first = known_view(tmp_path, "denied_tools: [github/delete_file, gitlab/drop]\nfile_patterns: {exclude: [dist/]}\n")
    second = known_view(tmp_path, "## Allowed Tools\n- `Github/get`, everything but `x`\n", ".coding-agent-rules.md")
    subjects = (first.subject, second.subject)

    def names(query: str) -> list[tuple[str, str, str]]:
        return [(found.name, found.kind, found.container) for found in workspace_symbols(subjects, query)]

    in_yaml, in_markdown = "in .coding-agent-rules.yaml", "in .coding-agent-rules.md"
    assert names("github") == [
        ("github/delete_file", "tool", f"denied_tools {in_yaml}"),
        ("Github/get", "tool", f"allowed_tools {in_markdown}"),
    ]
    assert names("g dr") == [("gitlab/drop", "tool", f"denied_tools {in_yaml}")]
    assert names("DI") == [
        ("dist/", "pattern", f"file_patterns.exclude {in_yaml}"),
        ("github/delete_file", "tool", f"denied_tools {in_yaml}"),
    ]
    assert len(names("")) == 5
    assert names("zz") == []
