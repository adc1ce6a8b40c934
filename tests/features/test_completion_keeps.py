"""Whichever item is accepted wherever: no rule is lost but the one at the cursor, and YAML that was read stays read."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from rules_lsp.features.completion import CompletionItem, completion
from rules_lsp.features.view import View
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.policy.model import Entry
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Span
from tests.features.known import known_view

YAML, MARKDOWN, CONFIG = ".coding-agent-rules.yaml", ".coding-agent-rules.md", "config.yaml"
FILES = ("a/z.py", "docs/a.md", "docs/b_c/x.md", "lib/_private.py", "src/web/[id]/page.ts")
TOOLS = {"github": ["get_issue", "get_me"], "Azure MCP": ["list"]}
MCP = '{"mcpServers": {"github": {"command": "g"}, "Azure MCP": {"command": "a"}}}'
WORD = re.compile(r"[\w-]+")

YAML_DOCUMENTS = [
    'file_patterns: {include: [src/, "docs/"], exclude: [a/]}\n',
    "file_patterns: { include: [src/] , 'exclude': ['a, b', c] } # all\n",
    '{"allowed_tools":["a/b","github/x"],"file_patterns":{"include":["a"],"exclude": []}}\n',
    'x-tool-paths: {"a/b": ["p"], c/d: [q]}\ndenied_tools: [a]\n',
    "x-tool-paths:\n  a/b: [p]\n  c/d:\n    - q\nx-unprotected: [a]\n",
    "allowed_tools:\n  - Read\n  - 'a/b' # why\n\n  - x\n    y\n",
    "allowed_tools: # why\n\n# more\n- Read\n- github/get_me\ndenied_tools:\n- Bash\n",
    "file_patterns:\n  include:\n    - docs/\n\n    # src\n    - 'src/**'\n  exclude:\n  - a/\n",
    "allowed_tools: [\n  Read,\n  gi\n]\ndenied_tools: [\nBash,\nWrite\n]\n",
    "file_patterns: {\n  include: [\n    docs/\n  ],\n  exclude: [a/] }\n",
    "denied_tools: []\nallowed_tools: ['a/b',c/d]\nsystem_prompt_extension: 'one\ndenied_\n\ntwo'\n",
    "denied_tools: Bash\nfile_patterns:\n  include: docs/\n  exclude:\n    - 'a\n      b'\n    - \"c\"\n",
    "denied_tools: &a\n  - Bash\n  - !!str x\nallowed_tools: *a\n",
    "denied_tools:\r\n  - Bash\r\n  - gi\r\nallowed_tools: [a,\r\n  b]\r\n",
]
CONFIG_DOCUMENTS = [
    "project_agent_rules:\n  enabled: true\n  on_error:\n    deny\n  rule_files:\n    - a\n  default_rules:\n"
    "    denied_tools: [a/b, 'c']\n    file_patterns: {exclude: [x]}\n",
    "project_agent_rules: {on_error: deny, path_map: [{from: /a, to: /b}], default_rules: {denied_tools: [a/b]}}\n",
]
MARKDOWN_DOCUMENTS = [
    "## Denied Tools\n\n- Bash, Wri\n- `a/b`, c, `github/get_me` and x\n* `x`, `y`\n\n\n1. Write\n",
    "## Denied Tools\n- Bash, `\n- Bash, ``\n- Bash, `Wri\n- Shell: `rm`, `ls`\n- a, b - no, not\n- **x**, *y*, _z_\n",
    "## Allowed Tools\n* Bash, git\n* [x] `github/x`, `y`\n* Read, Azure MCP/x,\n  Write, \n* a/b., c!\n* ✅ p, q\n",
    "## Allowed Tools\n\n- Read\n\n  - Write, gi\n\n\n## Denied Tools\n\n- Ba,`x`\n-`y`\n- ``a`b``, c\n- a、b，c\n",
    "## File Patterns\n\n- exclude: `docs/`\n- exclude: src/, do\n- include:\n\n  - a, b\n  - `c`\n",
    "## File Patterns\n\n### Exclude\n\n- secrets/, do\n- {a,b}/, c\n\n### Include\n\n- *.py, src/, a_b\n\n",
    "## File Patterns\n\n| Include | Exclude |\n|---|---|\n| a, b | `c`, `d` |\n| | e, f |\n| a\\|b, c | |\n\n- x\n",
    "# Rules\n\n## Denied Tools\n\n| n | tool | why |\n|---|---|---|\n| 1 | a, b | c, d |\n\ntext\n\n- c, d\n\n```yaml"
    "\n- a/b\n- [c]\n```\n",
    "## Denied Tools\r\n\r\n- Bash, Wri\r\n- `a`,\r\n  b\r\n\r\n## Allowed Tools\r\n\r\n- x, y\r\n",
]


def view_of(root: Path, text: str, name: str) -> View:
    return known_view(root, text, name, files=FILES, tools=TOOLS)


def entries_of(view: View) -> list[Entry]:
    reading = view.subject.reading
    if isinstance(reading, MarkdownRules):
        return [item.entry for section in reading.sections for item in section.entries if item.negation is None]
    return [entry for rules in view.subject.shown.lists() for entry in rules.entries]


def accepted(content: str, item: CompletionItem, *, snippet: bool) -> str:
    text = item.text
    if snippet and item.snippet is not None:
        text = re.sub(r"\\([\\$}])", r"\1", re.sub(r"(?<!\\)\$\d", "", item.snippet))
    line = content[max(content.rfind("\n", 0, item.span.start), content.rfind("\r", 0, item.span.start)) + 1 :]
    indent = line[: len(line) - len(line.lstrip(" "))] if line.strip() else ""
    text = re.sub(r"(\r?\n)", rf"\g<1>{indent}", text)
    return apply_edits(content, (TextEdit(item.span, text), *item.also))


def is_renaming(content: str, item: CompletionItem) -> bool:
    """Whether a key or a heading gets another name: what stands below it gets another meaning, as it should."""
    replaced, behind = content[item.span.start : item.span.end], content[item.span.end :].lstrip("\"' ")
    if item.kind == "section" or not replaced.strip():
        return item.kind == "section"
    return behind[:1] == ":" and ":" not in replaced and "," not in replaced and "[" not in replaced


def lost(before: View, after: View, item: CompletionItem, offset: int) -> list[str]:
    """The entries that are gone, without one that stood at the cursor."""
    left = Counter((entry.list, entry.text) for entry in entries_of(after))
    gone = []
    # Of entries that are alike the one at the cursor is gone.
    for entry in sorted(entries_of(before), key=lambda entry: -abs(entry.span.start - offset)):
        if left[entry.list, entry.text]:
            left[entry.list, entry.text] -= 1
        else:
            gone.append(entry)
    around = Span(min(item.span.start, offset - 1), max(item.span.end, offset + 1))
    own = [entry for entry in gone if entry.span.start <= around.end and around.start <= entry.span.end]
    readings = {entry.span for entry in own if entry.span.start <= own[0].span.end}
    return [entry.text for entry in gone if entry.span not in readings]


def same_kinds(items: tuple[CompletionItem, ...]) -> list[CompletionItem]:
    """One item of each way to be written."""
    found: dict[object, CompletionItem] = {}
    for item in items:
        if item.detail not in ("already written", "already in this file"):
            signs = WORD.sub("a", item.text)
            found.setdefault((item.kind, signs, item.again, bool(item.also), item.text.startswith("_")), item)
    return list(found.values())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((YAML, text) for text in YAML_DOCUMENTS),
        *((CONFIG, text) for text in CONFIG_DOCUMENTS),
        *((MARKDOWN, text) for text in MARKDOWN_DOCUMENTS),
    ],
)
def test_an_accepted_item_takes_no_rule_away(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / ".mcp.json").write_text(MCP)
    before = view_of(tmp_path, text, name)
    faults = []
    for offset in range(len(text) + 1):
        found = completion(before, offset)
        for item in same_kinds(found.items) if found is not None else ():
            # Without tab stops the quotes of YAML stay open for what is to follow.
            follows = item.again and (name != MARKDOWN or "```" in text)
            for snippet in (True,) if follows else (True, False):
                after = accepted(text, item, snippet=snippet)
                result = view_of(tmp_path, after, name)
                if is_renaming(text, item):
                    continue
                if lost(before, result, item, offset) or (
                    name != MARKDOWN and before.subject.error is None and result.subject.error is not None
                ):
                    faults.append((text[:offset] + "<|>" + text[offset:], item.label, after, result.subject.error))
    assert faults == []
