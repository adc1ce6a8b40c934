"""No text and no cursor makes a feature about entries and names raise, or point out of the document."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rules_lsp.features.code_lens import lens_at, lens_files, lens_text, lenses
from rules_lsp.features.folding import folds
from rules_lsp.features.inlay_hints import inlay_hints
from rules_lsp.features.links import document_links
from rules_lsp.features.navigation import definitions, highlights, references
from rules_lsp.features.project_files import ProjectFiles
from rules_lsp.features.renaming import renamable, rename
from rules_lsp.features.selection import selection_spans
from rules_lsp.features.semantic_tokens import semantic_tokens
from rules_lsp.features.symbols import Symbol, document_symbols
from rules_lsp.source.text import Span
from tests.features.known import known_view

FILES = ("README.md", "src/a.py", "src/\U0001f600.md")
YAML = """\
# yaml-language-server: $schema=./s.json
allowed_tools: [github/*, 'Azure MCP/x', "mcp__github__y", *a]
denied_tools: &a
  - GitHub/delete_file # rules-lsp: ignore[unknown-tool]
  - Bash(rm *)
file_patterns:
  include: ['src/{a,b}/**', "\U0001f600.md", '!README.md']
  exclude: [src/[a-z]/, '**']
x-tool-paths: {github/x: ['a']}
"""
MARKDOWN = """\
## Allowed Tools
- `github/*`, `a/b` \U0001f600
- everything but `x`
## File Patterns
### Include
| Include | Exclude |
| --- | --- |
| `src/**` | `*.pem` |
```yaml
exclude: [a, "b"]
```
"""
SERVERS = '{"mcpServers": {"github": {"command": "x"}, "a\\u002fb": {}}}'
PIECES = (
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "`",
    "- ",
    "*",
    "!",
    "/",
    ":",
    "#",
    "\n",
    "\r\n",
    "&a ",
    "\U0001f600",
    "\u2028",
    "",
)


def within(symbols: tuple[Symbol, ...], end: int) -> bool:
    return all(symbol.span.end <= end and within(symbol.children, end) for symbol in symbols)


@pytest.mark.parametrize(
    ("name", "text"),
    [(".coding-agent-rules.yaml", YAML), (".coding-agent-rules.md", MARKDOWN), (".mcp.json", SERVERS)],
)
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_written(tmp_path: Path, name: str, text: str, seed: int) -> None:
    (tmp_path / ".mcp.json").write_text(SERVERS)
    choose = random.Random(seed)
    for _ in range(10):
        start = choose.randrange(len(text) + 1)
        text = text[:start] + choose.choice(PIECES) + text[start + choose.choice((0, 0, 1, 5)) :]
        view = known_view(tmp_path, text, name, files=FILES)
        files = ProjectFiles(view.saved, (view.subject,))
        size = len(view.subject.text.content)
        subject = view.subject
        for lens in lenses(view):
            assert lens.span.end <= size
            assert lens_text(view, lens) is not None
        assert all(token.span.end <= size for token in semantic_tokens(view))
        assert all(hint.offset <= size for hint in inlay_hints(view, Span(0, size)))
        assert all(link.span.end <= size for link in document_links(view))
        assert all(fold.last < subject.text.line_count for fold in folds(subject))
        assert within(document_symbols(subject), size)
        for offset in choose.sample(range(size + 1), min(size + 1, 12)):
            assert all(offset in span and span.end <= size for span in selection_spans(subject, offset))
            assert all(span.end <= size for span in highlights(view, files, offset))
            assert set(lens_files(view, lens_at(view, offset))) <= set(FILES)
            named = renamable(files, subject, offset)
            assert named is None or references(view, files, offset)
            assert bool(rename(files, subject, offset, "new").refusal) or named is not None
            definitions(view, files, offset)
