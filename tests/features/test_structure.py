"""The outline of a document, its folds, and what a growing selection takes in."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.folding import folds
from rules_lsp.features.selection import selection_spans
from rules_lsp.features.symbols import Symbol, document_symbols
from rules_lsp.features.view import View
from tests.features.known import known_view
from tests.features.support import CURSOR, opened

MARKDOWN = ".coding-agent-rules.md"
YAML = """\
# one
# two
allowed_tools:
  - github/*   # remark

  # a comment
denied_tools: [a/b,
  "c/d"]
file_patterns:
  include:
    - src/
  exclude: []
system_prompt_extension: |
  # no comment
  # at all
# end
"""
GUIDE = """\
# A guide
Words.
## Allowed Tools
- `a/b`, `c/*`
- everything but `d`
## File Patterns
- `loose`
### Include
- `src/`
### Exclude
| Exclude |
| --- |
| `*.pem` |
# Another
```sh
run
```
<!-- a
comment -->
"""


def outline(view: View, symbols: tuple[Symbol, ...], depth: int = 0) -> list[str]:
    """Each symbol on a line; a child must lie inside, and the text of a name where it stands."""
    lines: list[str] = []
    for symbol in symbols:
        assert symbol.span.start <= symbol.selection.start <= symbol.selection.end <= symbol.span.end
        assert all(
            symbol.span.start <= child.span.start and child.span.end <= symbol.span.end for child in symbol.children
        )
        written = view.subject.text.slice(symbol.selection)
        lines.append(f"{'  ' * depth}{symbol.kind} {written} {symbol.detail}".rstrip())
        lines += outline(view, symbol.children, depth + 1)
    return lines


def test_the_outline_of_a_yaml_file(tmp_path: Path) -> None:
    view = known_view(tmp_path, YAML)
    assert outline(view, document_symbols(view.subject)) == [
        "key allowed_tools",
        "  tool github/*",
        "key denied_tools",
        "  tool a/b",
        '  tool "c/d"',
        "key file_patterns",
        "  key include",
        "    pattern src/",
        "  key exclude",
        "key system_prompt_extension # no comment # at all",
    ]


def test_the_outline_of_a_markdown_file(tmp_path: Path) -> None:
    view = known_view(tmp_path, GUIDE, MARKDOWN)
    found = document_symbols(view.subject)
    assert [symbol.name for symbol in found] == ["Allowed Tools", "File Patterns"]
    assert outline(view, found) == [
        "section Allowed Tools",
        "  tool a/b",
        "  tool c/*",
        "  tool d has the word `but` beside its code",
        "section File Patterns",
        "  pattern loose",
        "  section Include",
        "    pattern src/",
        "  section Exclude",
        "  section Exclude",
        "    pattern *.pem",
    ]


def test_only_our_section_of_a_configuration_is_outlined(tmp_path: Path) -> None:
    text = "model: {a: [b]}\nproject_agent_rules:\n  enabled: true\n  default_rules: {denied_tools: [a/b]}\n"
    view = known_view(tmp_path, text, "config.yaml")
    assert outline(view, document_symbols(view.subject)) == [
        "key project_agent_rules",
        "  key enabled true",
        "  key default_rules",
        "    key denied_tools",
        "      tool a/b",
    ]


@pytest.mark.parametrize("text", ["", "[a", "- a\n- b\n", "? [a]\n: b\n", "&a [*a]", "a: &a\n  b: *a\n", "'': x\n"])
def test_odd_documents_have_an_outline_all_the_same(tmp_path: Path, text: str) -> None:
    view = known_view(tmp_path, text)
    outline(view, document_symbols(view.subject))
    folds(view.subject)


def test_what_is_whole_in_a_broken_document_is_outlined(tmp_path: Path) -> None:
    view = known_view(tmp_path, "denied_tools:\n  - a/b\nallowed_tools: ['x\n")
    assert outline(view, document_symbols(view.subject))[:2] == ["key denied_tools", "  tool a/b"]


def test_the_folds_of_a_yaml_file(tmp_path: Path) -> None:
    found = folds(known_view(tmp_path, YAML).subject)
    assert [(fold.first, fold.last, fold.kind) for fold in found] == [
        (0, 1, "comment"),
        (2, 3, "region"),
        (6, 7, "region"),
        (8, 11, "region"),
        (9, 10, "region"),
        (12, 14, "region"),
    ]


def test_the_folds_of_a_markdown_file(tmp_path: Path) -> None:
    found = folds(known_view(tmp_path, GUIDE, MARKDOWN).subject)
    assert [(fold.first, fold.last, fold.kind) for fold in found] == [
        (0, 12, "region"),
        (2, 4, "region"),
        (5, 12, "region"),
        (7, 8, "region"),
        (9, 12, "region"),
        (10, 12, "region"),
        (13, 18, "region"),
        (14, 16, "region"),
        (17, 18, "comment"),
    ]


def grown(root: Path, text: str, name: str = ".coding-agent-rules.yaml") -> list[str]:
    view, offset = opened(root, text, name)
    return [view.subject.text.slice(span) for span in selection_spans(view.subject, offset)]


def test_a_selection_grows_through_a_yaml_file(tmp_path: Path) -> None:
    text = "a: b\nfile_patterns:\n  include: ['src/<|>x/*', y]\n"
    whole = text.replace(CURSOR, "")
    assert grown(tmp_path, text) == [
        "x",
        "src/x/*",
        "'src/x/*'",
        "['src/x/*', y]",
        "include: ['src/x/*', y]",
        "  include: ['src/x/*', y]",
        "file_patterns:\n  include: ['src/x/*', y]",
        whole.rstrip("\n"),
        whole,
    ]


def test_a_selection_grows_from_a_tools_server(tmp_path: Path) -> None:
    assert grown(tmp_path, "denied_tools:\n  - Azure <|>MCP/list\n")[:4] == [
        "Azure MCP",
        "Azure MCP/list",
        "- Azure MCP/list",
        "  - Azure MCP/list",
    ]


def test_a_selection_grows_through_a_markdown_file(tmp_path: Path) -> None:
    assert grown(tmp_path, "# T\n## Denied Tools\n- `a/<|>b` - 😀\n- `c`\n\n# U\n", MARKDOWN) == [
        "b",
        "a/b",
        "`a/b`",
        "- `a/b` - 😀",
        "- `a/b` - 😀\n- `c`",
        "\n- `a/b` - 😀\n- `c`\n\n",
        "Denied Tools\n- `a/b` - 😀\n- `c`\n\n",
        "# T\n## Denied Tools\n- `a/b` - 😀\n- `c`\n\n# U\n",
    ]


def test_a_selection_in_an_empty_document_is_empty(tmp_path: Path) -> None:
    assert grown(tmp_path, "<|>") == [""]
