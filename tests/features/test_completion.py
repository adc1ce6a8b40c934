"""Completions as marker tests: the text with the cursor in it, and the text after the item that was chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_lsp.features.completion import Completion, CompletionItem, completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.view import View
from rules_lsp.source.edits import TextEdit, apply_edits
from tests.features.known import known_view
from tests.features.support import CURSOR, opened

YAML, MARKDOWN, CONFIG = ".coding-agent-rules.yaml", ".coding-agent-rules.md", "config.yaml"
FILES = (
    ".env",
    "README.md",
    "api/z.py",
    "docs/a.md",
    "docs/b.md",
    "my dir/a.txt",
    "src/api/x.py",
    "src/api/y.py",
    "src/main.py",
    "src/web/[id]/page.ts",
)
TOOLS = {"github": ["delete_file", "get_issue", "get_me"], "Azure MCP": ["list", "show"]}
MCP = '{"mcpServers": {"github": {"command": "g"}, "Azure MCP": {"command": "a"}, "other": {"command": "o"}}}'


def asked(root: Path, text: str, name: str = YAML, trigger: str | None = None) -> tuple[View, Completion | None, str]:
    (root / ".mcp.json").write_text(MCP)
    offset = text.index(CURSOR)
    content = text.replace(CURSOR, "")
    view = known_view(root, content, name, files=FILES, tools=TOOLS)
    found = completion(view, offset, trigger)
    for item in found.items if found is not None else ():
        assert offset in item.span
        assert "\n" not in content[item.span.start : item.span.end]
    return view, found, content


def labels(root: Path, text: str, name: str = YAML, trigger: str | None = None) -> list[str]:
    _, found, _ = asked(root, text, name, trigger)
    return [item.label for item in found.items] if found is not None else []


def applied(content: str, item: CompletionItem, *, snippet: bool = True) -> str:
    """The text after an item; where it is a snippet the cursor stands where its last tab stop is."""
    text = item.text
    if snippet and item.snippet is not None:
        text = re.sub(r"\\([\\$}])", r"\1", item.snippet.replace("$0", CURSOR).replace("$1", ""))
    return apply_edits(content, (TextEdit(item.span, text), *item.also))


def chosen(root: Path, text: str, label: str, name: str = YAML, *, snippet: bool = True) -> str:
    _, found, content = asked(root, text, name)
    assert found is not None
    item = next(item for item in found.items if item.label == label)
    return applied(content, item, snippet=snippet)


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("denied_tools:\n  - <|>", "github/", "denied_tools:\n  - github/"),
        ("denied_tools:\n  -<|>", "github/", "denied_tools:\n  - github/"),
        ("denied_tools:\n  <|>", "github/", "denied_tools:\n  - github/"),
        ("denied_tools: <|>", "github/", "denied_tools: [github/<|>]"),
        ("denied_tools:<|>", "github/", "denied_tools: [github/<|>]"),
        ("denied_tools:\n  - gi<|> # why", "github/", "denied_tools:\n  - github/ # why"),
        ("denied_tools:\n  - gi<|>x/get_me", "github/", "denied_tools:\n  - github/get_me"),
        ("denied_tools:\n  - github/<|>", "get_me", "denied_tools:\n  - github/get_me"),
        ("denied_tools:\n  - GitHub/<|>", "get_me", "denied_tools:\n  - github/get_me"),
        ("denied_tools:\n  - github/get<|>_issue", "get_me", "denied_tools:\n  - github/get_me"),
        ("denied_tools:\n  - <|>", "Azure MCP/", 'denied_tools:\n  - "Azure MCP/<|>"'),
        ("denied_tools:\n  - 'x'\n  - <|>", "Azure MCP/", "denied_tools:\n  - 'x'\n  - 'Azure MCP/<|>'"),
        ("denied_tools:\n  - Azure MCP/<|>", "list", 'denied_tools:\n  - "Azure MCP/list"'),
        ("denied_tools:\n  - 'Azure MCP/<|>", "list", "denied_tools:\n  - 'Azure MCP/list'"),
        ("denied_tools:\n  - 'gi<|>", "github/", "denied_tools:\n  - 'github/<|>'"),
        ("denied_tools: ['gi<|>', b]", "github/", "denied_tools: ['github/', b]"),
        ("denied_tools: ['github/<|>, b]", "*", "denied_tools: ['github/*', b]"),
        ("denied_tools: [a, <|>", "*", 'denied_tools: [a, "*"'),
        ("denied_tools: [*<|>]", "*/", 'denied_tools: ["*/<|>"]'),
        ("denied_tools:\n  - '*/<|>'", "get_*", "denied_tools:\n  - '*/get_*'"),
        ("deny_tools: [<|>]", "Bash", "deny_tools: [Bash]"),
        ("denied_tools: [\n  a,\n  gi<|>\n  b\n]", "github/", "denied_tools: [\n  a,\n  github/<|>,\n  b\n]"),
        ("denied_tools: [\n  <|>\n  b\n]", "Bash", "denied_tools: [\n  Bash,\n  b\n]"),
        ("denied_tools: [gi<|>\na:", "Bash", "denied_tools: [Bash\na:"),
        ("denied_tools: [gi<|>\nallowed_tools: []", "Bash", "denied_tools: [Bash\nallowed_tools: []"),
        ('{"denied_tools": ["<|>', "Bash", '{"denied_tools": ["Bash"'),
    ],
)
def test_a_tool_in_yaml(tmp_path: Path, text: str, label: str, after: str) -> None:
    assert chosen(tmp_path, text, label) == after


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("file_patterns:\n  include:\n    - <|>", "src/", "file_patterns:\n  include:\n    - src/"),
        ("file_patterns:\n  include:\n    - s<|>c/api/", "src/", "file_patterns:\n  include:\n    - src/api/"),
        ("file_patterns:\n  include:\n    - src/<|>", "api/", "file_patterns:\n  include:\n    - src/api/"),
        ("file_patterns:\n  include:\n    - /src/<|>", "api/", "file_patterns:\n  include:\n    - /src/api/"),
        ("file_patterns:\n  include:\n    - ./<|>", "src/", "file_patterns:\n  include:\n    - ./src/"),
        ("file_patterns:\n  include:\n    - src/<|>", "src/**", "file_patterns:\n  include:\n    - src/**"),
        ("file_patterns:\n  include:\n    - <|>", "**/*.py", 'file_patterns:\n  include:\n    - "**/*.py"'),
        ("file_patterns:\n  include:\n    - *<|>", "**/*.py", 'file_patterns:\n  include:\n    - "**/*.py"'),
        ("file_patterns:\n  include: ['*<|>']", "**/*.py", "file_patterns:\n  include: ['**/*.py']"),
        ("file_patterns:\n  include:\n    - '!<|>'", "!**/*.py", "file_patterns:\n  include:\n    - '!**/*.py'"),
        ("file_patterns:\n  include:\n    - **/<|>", "**/*.py", 'file_patterns:\n  include:\n    - "**/*.py"'),
        ("file_patterns:\n  include:\n    - src/*/<|>", "x.py", "file_patterns:\n  include:\n    - src/*/x.py"),
        ("file_patterns: {include: [src/web/<|>]}", "[id]/", "file_patterns: {include: ['src/web/\\[id]/<|>']}"),
        (
            'file_patterns:\n  include:\n    - "src/web/<|>"',
            "[id]/",
            'file_patterns:\n  include:\n    - "src/web/\\\\[id]/"',
        ),
        ("file_patterns:\n  exclude: <|>", "my dir/", 'file_patterns:\n  exclude: ["my dir/<|>"]'),
        ("x-unprotected: [<|>]", "README.md", "x-unprotected: [README.md]"),
    ],
)
def test_a_pattern_in_yaml(tmp_path: Path, text: str, label: str, after: str) -> None:
    assert chosen(tmp_path, text, label) == after


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("## Denied Tools\n- <|>", "github/", "## Denied Tools\n- `github/<|>`"),
        ("## Denied Tools\n-<|>", "github/", "## Denied Tools\n- `github/<|>`"),
        ("## Denied Tools\n- gi<|>", "github/", "## Denied Tools\n- `github/<|>`"),
        ("## Denied Tools\n1. [ ] `<|>`", "Bash", "## Denied Tools\n1. [ ] `Bash`"),
        ("## Denied Tools\n- `github/<|>`", "get_me", "## Denied Tools\n- `github/get_me`"),
        ("## Denied Tools\n- `github/<|>\n- `a/b`", "get_me", "## Denied Tools\n- `github/get_me`\n- `a/b`"),
        ("## Denied Tools\n- `a/b`, `Azure MCP/<|>`", "list", "## Denied Tools\n- `a/b`, `Azure MCP/list`"),
        ("## Denied Tools\n- a/b, <|>", "Bash", "## Denied Tools\n- a/b, Bash"),
        ("## Denied Tools\n\n| x |\n|---|\n| <|> |", "Bash", "## Denied Tools\n\n| x |\n|---|\n| `Bash` |"),
        ("## Denied Tools\n\n- Bash, Wri<|>", "Write", "## Denied Tools\n\n- Bash, Write"),
        ("## Allowed Tools\n* Bash, git<|>", "github/", "## Allowed Tools\n* Bash, github/"),
        ("## Allowed Tools\n* Bash, github/<|>", "get_me", "## Allowed Tools\n* Bash, github/get_me"),
        ("## Denied Tools\n- Wri<|>, Bash", "Write", "## Denied Tools\n- Write, Bash"),
        ("## Denied Tools\n- Wri<|>,\n  Bash", "Write", "## Denied Tools\n- Write,\n  Bash"),
        ("## Denied Tools\n- Bash, `Wri<|>", "Write", "## Denied Tools\n- `Bash`, `Write`"),
        ("## Denied Tools\n- a/b, Bash, `<|>`", "Write", "## Denied Tools\n- `a/b`, `Bash`, `Write`"),
        ("## Denied Tools\n- Bash, <|>", "Azure MCP/", "## Denied Tools\n- `Bash`, `Azure MCP/<|>`"),
        ("## Denied Tools\n- **Bash**, <|>", "*", "## Denied Tools\n- **`Bash`**, `*`"),
        ("## Denied Tools\n- Shell<|>: `rm`", "Bash", "## Denied Tools\n- Bash: `rm`"),
        ("## Denied Tools\n- Shell: `rm<|>`", "Bash", "## Denied Tools\n- Shell: `Bash`"),
        ("## Denied Tools\n- Bash\n- Wri<|>", "Write", "## Denied Tools\n- Bash\n- `Write`"),
        ("## Denied Tools\n- Bash\n  - Wri<|>", "Write", "## Denied Tools\n- Bash\n  - `Write`"),
        (
            "## Denied Tools\n\n| x |\n|---|\n| Bash, Wri<|> |",
            "Write",
            "## Denied Tools\n\n| x |\n|---|\n| Bash, Write |",
        ),
        (
            "## File Patterns\n\n| Include | Exclude |\n|---|---|\n| docs/ | <|> |",
            "src/",
            "## File Patterns\n\n| Include | Exclude |\n|---|---|\n| docs/ | `src/<|>` |",
        ),
        (
            "## File Patterns\n### Exclude\n- secrets/, do<|>",
            "docs/",
            "## File Patterns\n### Exclude\n- secrets/, docs/",
        ),
        (
            "## File Patterns\n### Exclude\n- secrets/, <|>",
            "**/*.py",
            "## File Patterns\n### Exclude\n- `secrets/`, `**/*.py`",
        ),
        ("## File Patterns\n- exclude: a/, do<|>", "docs/", "## File Patterns\n- exclude: a/, docs/"),
        ("## File Patterns\n- exclude: <|>", "docs/", "## File Patterns\n- exclude: `docs/<|>`"),
        ("## Denied Tools\n- <|>`github/get_issue`", "Bash", "## Denied Tools\n- `Bash`"),
        ("## Denied Tools\n- <|>`x/get_issue`", "github/", "## Denied Tools\n- `github/get_issue`"),
        ("## Denied Tools\n- `a`, <|>``b``, `c`", "Bash", "## Denied Tools\n- `a`, `Bash`, `c`"),
        ("## Denied Tools\n```yaml\n- 'gi<|>\n```\n", "github/", "## Denied Tools\n```yaml\n- 'github/<|>'\n```\n"),
        (
            "## File Patterns\n- Exclude:\n  - `<|>`",
            "**/*.py",
            "## File Patterns\n- Exclude:\n  - `**/*.py`",
        ),
        ("## File Patterns\n### Include\n- `src/<|>", "api/", "## File Patterns\n### Include\n- `src/api/<|>`"),
        (
            "## File Patterns\n```yaml\nexclude:\n  - <|>\n```",
            ".env",
            "## File Patterns\n```yaml\nexclude:\n  - .env\n```",
        ),
        ("## De<|>", "Denied Tools", "## Denied Tools"),
        ("#<|>", "Denied Tools", "# Denied Tools"),
        ("## File Patterns\n### In<|>", "Include", "## File Patterns\n### Include"),
        ("## Denied Tools\n\n<|>", "- `server/tool`", "## Denied Tools\n\n- `<|>`"),
        ("# x\n\n<|>", "## Denied Tools", "# x\n\n## Denied Tools\n\n- `<|>`"),
        ("# x\r\n\r\n<|>", "## Denied Tools", "# x\r\n\r\n## Denied Tools\r\n\r\n- `<|>`"),
        ("## File Patterns\n\n<|>", "### Exclude", "## File Patterns\n\n### Exclude\n\n- `<|>`"),
        ("## File Patterns\n### Exclude\n\n<|>", "- `pattern`", "## File Patterns\n### Exclude\n\n- `<|>`"),
    ],
)
def test_markdown(tmp_path: Path, text: str, label: str, after: str) -> None:
    assert chosen(tmp_path, text, label, MARKDOWN) == after


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ("<|>", "denied_tools", "denied_tools:\n  - <|>"),
        ("den<|>", "denied_tools", "denied_tools:\n  - <|>"),
        ("den<|>: [a]", "denied_tools", "denied_tools: [a]"),
        ("file_patterns:\n  <|>", "include", "file_patterns:\n  include:\n  - <|>"),
        (
            'file_patterns: {inc<|>lude: [src/, "docs/"], exclude: [a/]}',
            "exclude",
            'file_patterns: {exclude: [src/, "docs/"], exclude: [a/]}',
        ),
        ("file_patterns: {include: [b], ex<|>: [a/]}", "exclude", "file_patterns: {include: [b], exclude: [a/]}"),
        ("file_patterns: {'ex<|>': [a/]}", "exclude", "file_patterns: {'exclude': [a/]}"),
        ("file_patterns: {'ex<|>'}", "exclude", "file_patterns: {'exclude'}"),
        (
            'x-tool-paths: {"a/b": ["p"], git<|>: [q]}',
            "github/get_me",
            'x-tool-paths: {"a/b": ["p"], github/get_me: [q]}',
        ),
        ("den<|>\n\nallowed_tools:\n  - a", "denied_tools", "denied_tools:\n  - <|>\n\nallowed_tools:\n  - a"),
        ("file_patterns: {<|>}", "include", "file_patterns: {include: [<|>]}"),
        ("file_patterns: {include: [a], ex<|>", "exclude", "file_patterns: {include: [a], exclude: [<|>]"),
        ("x: [\n<|>", "system_prompt_extension", "x: [\nsystem_prompt_extension: |\n  <|>"),
    ],
)
def test_a_key(tmp_path: Path, text: str, label: str, after: str) -> None:
    assert chosen(tmp_path, text, label) == after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("project_agent_rules:\n  on_error: <|>", ["default", "deny", "last-good"]),
        ("project_agent_rules:\n  on_error: de<|>ny", ["default", "deny", "last-good"]),
        ("project_agent_rules: {enabled: <|>}", ["true", "false"]),
        ("project_agent_rules:\n  protect_rule_files:<|>", ["true", "false"]),
        ("project_agent_rules:\n  path_map:\n    - from: /a\n      <|>", ["to", "from"]),
        ("project_agent_rules:\n  path_map:\n    - <|>", ["from", "to"]),
        ("project_agent_rules:\n  default_rules:\n    file_patterns:\n      <|>", ["include", "exclude"]),
        ("project_agent_rules:\n  enabled: true\nother:\n  <|>", []),
        ("project_agent_rules:\n  read_roots: [<|>]", []),
        ("project_agent_rules: {}\nother: <|>", []),
    ],
)
def test_a_configuration(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert labels(tmp_path, text, CONFIG) == expected


def test_rule_files_are_named_first(tmp_path: Path) -> None:
    found = labels(tmp_path, "project_agent_rules:\n  rule_files:\n    - <|>", CONFIG)
    assert found[:5] == [".coding-agent-rules.yaml", ".coding-agent-rules.md", ".github/AGENTS.md", "api/", "docs/"]


def test_values_stand_without_quotes(tmp_path: Path) -> None:
    text = "project_agent_rules:\n  enabled:<|>"
    assert chosen(tmp_path, text, "true", CONFIG) == "project_agent_rules:\n  enabled: true"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# denied_<|>", YAML),
        ("system_prompt_extension: |\n  Use <|>", YAML),
        ("system_prompt_extension: |\n  - <|>", YAML),
        ("system_prompt_extension: <|>", YAML),
        ("allowed_tools:<|>\n  - Read\n", YAML),
        ("allowed_tools: <|>\n\n# why\n- Read\n", YAML),
        ("file_patterns:\n  include:<|>\n    - src/\n", YAML),
        ("x-tool-paths:<|>\n  a/b: [p]\n", YAML),
        ("file_patterns: {include: <|>[src/]}", YAML),
        ("file_patterns: {include: [src/]<|>, exclude: []}", YAML),
        ("denied_tools: [ <|> a]", YAML),
        ("denied_tools: [<|>'a']", YAML),
        ("allowed_tools: [\n  Read,\n  gi\n<|>]", YAML),
        ("allowed_tools: [\n  Read,\n  gi\n]<|>", YAML),
        ("allowed_tools: [\nRead,\ngi<|>\n]", YAML),
        ("denied_tools: &a [x]\nallowed_tools: *<|>a", YAML),
        ("system_prompt_extension: 'one\nden<|>'", YAML),
        ("file_patterns:\n\texclude:\n\t- sr<|>", YAML),
        ("project_agent_rules:\n  on_error:<|>\n    deny\n", CONFIG),
        ("denied_tools:\n  - a # <|>", YAML),
        ("denied_tools:\n  - a/b\n    <|>", YAML),
        ("x-mine:\n  - <|>", YAML),
        ("entirely_other: [<|>]", YAML),
        ("file_patterns:\n  include:\n    - nowhere/<|>", YAML),
        ("Some prose <|>", MARKDOWN),
        ("## Other\n- <|>", MARKDOWN),
        ("## Denied Tools\nprose <|>", MARKDOWN),
        ("## Denied Tools\nprose with `<|>` code", MARKDOWN),
        ("## Denied Tools\n- `a/b` - reads <|>", MARKDOWN),
        ("## Denied Tools\n- `a/b` and <|>", MARKDOWN),
        ("## Denied Tools\n- `a/b`<|>", MARKDOWN),
        ("## Denied Tools\n- Wri<|>`a/b`", MARKDOWN),
        ("## Denied Tools\n- Wri<|>`", MARKDOWN),
        ("## File Patterns\n- <|>exclude: `docs/`", MARKDOWN),
        ("## File Patterns\n- excl<|>ude:\n  - `docs/`", MARKDOWN),
        ("## Denied Tools\n<!-- <|> -->", MARKDOWN),
        ("## Denied Tools\n```sh\n- <|>\n```", MARKDOWN),
        ("## Allowed Tools\n> - <|>", MARKDOWN),
        ("---\ntitle: <|>\n---\n", MARKDOWN),
    ],
)
def test_nothing_is_offered(tmp_path: Path, text: str, name: str) -> None:
    assert asked(tmp_path, text, name)[1] is None


@pytest.mark.parametrize(
    ("text", "trigger", "first"),
    [
        ("denied_tools:\n  - <|>", " ", "github/"),
        ("denied_tools:\n  -<|>", "-", "github/"),
        ("denied_tools: [<|>]", "[", "github/"),
        ("denied_tools:\n  - '<|>'", "'", "github/"),
        ("denied_tools:\n  - github/<|>", "/", "delete_file"),
        ("denied_tools:\n  - Azure <|>", " ", "Azure MCP/"),
        ("file_patterns:\n  include:\n    - src/<|>", "/", "api/"),
    ],
)
def test_a_trigger_shows_what_goes_on(tmp_path: Path, text: str, trigger: str, first: str) -> None:
    assert labels(tmp_path, text, YAML, trigger)[0] == first


@pytest.mark.parametrize(
    ("text", "name", "trigger"),
    [
        (" <|>", YAML, " "),
        ("denied_tools:\n  <|>", YAML, " "),
        ("denied_tools:\n  - a <|>", YAML, " "),
        ("denied_tools:\n  - a-<|>", YAML, "-"),
        ("denied_tools:\n  - 'a'<|>", YAML, "'"),
        ("denied_tools:\n  - nowhere/<|>", YAML, "/"),
        ("## <|>", MARKDOWN, " "),
        ("## Denied Tools\n <|>", MARKDOWN, " "),
        ("## Denied Tools\n- one word and <|>", MARKDOWN, " "),
        ("## Denied Tools\n- `a/b`<|>", MARKDOWN, "`"),
    ],
)
def test_a_trigger_in_passing_shows_nothing(tmp_path: Path, text: str, name: str, trigger: str) -> None:
    assert labels(tmp_path, text, name, trigger) == []


def test_what_is_listed_comes_last_and_says_so(tmp_path: Path) -> None:
    text = "denied_tools:\n  - github/delete_file\n  - 'github/get_*'\n  - github/<|>\n"
    _, found, _ = asked(tmp_path, text)
    assert found is not None
    assert [(item.label, item.detail) for item in found.items] == [
        ("get_issue", "already denied by `github/get_*`"),
        ("get_me", "already denied by `github/get_*`"),
        ("*", "3 known tools"),
        ("delete_file", "already listed"),
        ("get_*", "already listed"),
    ]
    assert [item.sort_text for item in found.items] == ["00000", "00001", "00002", "00003", "00004"]
    assert found.items[0].filter_text == "github/get_issue"


def test_an_allowed_tool_that_stays_denied_says_so(tmp_path: Path) -> None:
    _, found, _ = asked(tmp_path, "allowed_tools: [github/<|>]\ndenied_tools: ['*/delete_*']\n")
    assert found is not None
    assert (found.items[0].label, found.items[0].detail) == ("delete_file", "denied by `*/delete_*`")


def test_the_entry_at_the_cursor_is_not_listed_already(tmp_path: Path) -> None:
    _, found, _ = asked(tmp_path, "denied_tools: [github/get_me<|>]")
    assert found is not None
    assert {item.label: item.detail for item in found.items}["get_me"] is None


def test_present_keys_and_sections_come_last(tmp_path: Path) -> None:
    assert labels(tmp_path, "file_patterns:\n  include: []\n  <|>") == ["exclude", "include"]
    assert labels(tmp_path, "## Allowed Tools\n- `a`\n\n## <|>", MARKDOWN) == [
        "Denied Tools",
        "File Patterns",
        "Allowed Tools",
    ]


def test_directories_come_first_then_patterns_each_with_its_number(tmp_path: Path) -> None:
    _, found, _ = asked(tmp_path, "file_patterns:\n  include:\n    - docs/\n    - <|>\n")
    assert found is not None
    assert [(item.label, item.kind, item.detail) for item in found.items] == [
        ("api/", "directory", "3 files"),
        ("my dir/", "directory", "1 file"),
        ("src/", "directory", "4 files"),
        ("**/*.py", "pattern", "4 files"),
        ("**/*.md", "pattern", "3 files"),
        ("**/*.env", "pattern", "1 file"),
        ("**/*.ts", "pattern", "1 file"),
        ("**/*.txt", "pattern", "1 file"),
        (".env", "file", "1 file"),
        ("README.md", "file", "1 file"),
        ("docs/", "directory", "already listed"),
    ]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x-tool-paths:\n  <|>", "x-tool-paths:\n  Azure MCP/list:\n  - <|>"),
        ("x-tool-paths:\n  az<|>", "x-tool-paths:\n  Azure MCP/list:\n  - <|>"),
        ("x-tool-paths:\n  az<|>: [path]", 'x-tool-paths:\n  "Azure MCP/list": [path]'),
        ("x-tool-paths: {<|>}", "x-tool-paths: {Azure MCP/list: [<|>]}"),
    ],
)
def test_tools_are_the_keys_of_their_paths(tmp_path: Path, text: str, after: str) -> None:
    assert chosen(tmp_path, text, "Azure MCP/list") == after


def test_tools_whose_paths_are_told_come_last(tmp_path: Path) -> None:
    _, found, _ = asked(tmp_path, "x-tool-paths:\n  github/get_me: [a]\n  <|>")
    assert found is not None
    assert [(item.label, item.detail) for item in found.items][-1] == ("github/get_me", "already written")
    assert len(found.items) == 5
    assert labels(tmp_path, "x-tool-paths:\n  github/get_me: [<|>]") == []


def test_behind_any_depth_come_the_names_that_there_are(tmp_path: Path) -> None:
    _, found, _ = asked(tmp_path, "file_patterns:\n  include: ['src/**/<|>']\n")
    assert found is not None
    assert [(item.label, item.kind, item.detail) for item in found.items] == [
        ("[id]/", "directory", "1 file"),
        ("api/", "directory", "2 files"),
        ("web/", "directory", "1 file"),
        ("src/**/*.py", "pattern", "3 files"),
        ("src/**/*.ts", "pattern", "1 file"),
        ("main.py", "file", "1 file"),
        ("page.ts", "file", "1 file"),
        ("x.py", "file", "1 file"),
        ("y.py", "file", "1 file"),
    ]
    assert found.items[0].text == "'src/**/\\[id]/'"[1:-1]
    assert found.complete
    typed = labels(tmp_path, "file_patterns:\n  include: ['**/A<|>']\n")
    assert typed == ["api/", "**/*.py", "**/*.md", "**/*.env", "**/*.ts", "**/*.txt", "a.md", "a.txt"]
    assert chosen(tmp_path, "file_patterns:\n  exclude:\n    - **/a<|>\n", "api/") == (
        'file_patterns:\n  exclude:\n    - "**/api/<|>"\n'
    )


@pytest.mark.parametrize("above", ["", "src/", "src/*/", "/", "**/", "src/**/"])
def test_numbers_are_those_of_the_pattern_that_is_written(tmp_path: Path, above: str) -> None:
    _, found, _ = asked(tmp_path, f"file_patterns:\n  include: ['{above}<|>']\n")
    assert found is not None
    assert found.items
    for item in found.items:
        written = known_view(tmp_path, f"file_patterns:\n  include: ['{item.filter_text}']\n", files=FILES)
        counts = written.file_counts
        assert counts is not None
        number = counts.of_list(written.subject.shown.include[0]).files
        assert (item.filter_text, item.detail) == (item.filter_text, f"{number} file{'' if number == 1 else 's'}")


def test_more_than_can_be_shown_is_incomplete_and_follows_what_is_typed(tmp_path: Path) -> None:
    files = [f"data/f{number:04}.csv" for number in range(500)]
    text = "file_patterns: {include: [data/<|>]}"
    view = known_view(tmp_path, text.replace(CURSOR, ""), files=files)
    found = completion(view, text.index(CURSOR))
    assert found is not None
    assert (len(found.items), found.complete) == (202, False)
    view = known_view(tmp_path, "file_patterns: {include: [data/f03]}", files=files)
    found = completion(view, text.index(CURSOR) + 3)
    assert found is not None
    assert [item.label for item in found.items[2:4]] == ["f0300.csv", "f0301.csv"]


def test_what_is_not_known_yet_is_incomplete(tmp_path: Path) -> None:
    view, offset = opened(tmp_path, "file_patterns: {include: [<|>]}")
    assert completion(view, offset) == Completion((), complete=False)
    view, offset = opened(tmp_path, "denied_tools: [<|>]")
    found = completion(view, offset)
    assert found is not None
    assert (found.items[0].label, found.complete) == ("*", False)


def test_without_tab_stops_an_entry_ends_with_its_last_step(tmp_path: Path) -> None:
    first = chosen(tmp_path, "denied_tools:\n  - <|>", "Azure MCP/", snippet=False)
    assert first == 'denied_tools:\n  - "Azure MCP/'
    assert chosen(tmp_path, first + CURSOR, "list", snippet=False) == 'denied_tools:\n  - "Azure MCP/list"'


@pytest.mark.parametrize(
    ("text", "label", "told"),
    [
        ("<|>", "denied_tools", "Tools that the agent may not use, whatever `allowed_tools` says.\n"),
        ("denied_tools: [<|>]", "github/", "configured in `.mcp.json`\n\n`github`, 3 tools"),
        (
            "denied_tools: [github/<|>]",
            "get_me",
            "in `denied_tools` it stands for the tool `get_me` of the server `github`",
        ),
        (
            "denied_tools: [github/get<|>, '*/x']",
            "get_me",
            "in `denied_tools` it stands for the tool `get_me` of the server `github`\n\n"
            "without it: `github/get_me` is restricted by no rule",
        ),
        ("denied_tools: [github/<|>]", "get_*", "in `denied_tools` it stands for every tool whose name begins with"),
        (
            "file_patterns: {include: [<|>]}",
            "docs/",
            "directories at any depth, with everything below them\n\n2 files\n\n- [`docs/a.md`](file://",
        ),
    ],
)
def test_the_documentation_of_an_item(tmp_path: Path, text: str, label: str, told: str) -> None:
    view, found, _ = asked(tmp_path, text)
    assert found is not None
    item = next(item for item in found.items if item.label == label)
    assert item.topic is not None
    shown = documentation(view, item.topic)
    assert shown is not None
    assert shown[: len(told)] == told


def test_the_documentation_of_a_value_and_a_section(tmp_path: Path) -> None:
    view, found, _ = asked(tmp_path, "project_agent_rules:\n  on_error: <|>", CONFIG)
    assert found is not None
    assert found.items[1].topic is not None
    assert documentation(view, found.items[1].topic) == "Everything is denied until the rule file parses."
    view, found, _ = asked(tmp_path, "## <|>", MARKDOWN)
    assert found is not None
    assert found.items[0].topic is not None
    assert (documentation(view, found.items[0].topic) or "").startswith("The only tools that the agent may use.")


WHOLE_DOCUMENTS = [
    (YAML, "denied_tools:\n  - <|>\n  - a/b # x\nfile_patterns:\n  include: [src/, '*.md']\n"),
    (YAML, "denied_tools: [a/b, '<|>']\n"),
    (YAML, 'denied_tools:\r\n- "<|>"\r\n- b\r\n'),
    (YAML, "file_patterns:\n  include:\n  - src/<|>\n  - 'x'\n"),
    (YAML, "file_patterns: {exclude: [src/web/<|>, b]}\n"),
    (YAML, "file_patterns:\n  exclude:\n    - '<|>'\n"),
    (MARKDOWN, "# 😀\n\n## Denied Tools\n\n- <|>\n- `a/b`\n"),
    (MARKDOWN, "## Denied Tools\n\n- `a/b`, `github/<|>` - why\n"),
    (MARKDOWN, "## File Patterns\n\n### Exclude\n\n- `src/<|>`\n"),
]


@pytest.mark.parametrize(("name", "text"), WHOLE_DOCUMENTS)
def test_every_item_is_read_back_as_what_it_offers(tmp_path: Path, name: str, text: str) -> None:
    _, found, content = asked(tmp_path, text, name)
    assert found is not None
    entries = [item for item in found.items if not item.again]
    assert entries
    for item in entries:
        after = known_view(tmp_path, applied(content, item), name, files=FILES, tools=TOOLS)
        assert after.subject.error is None
        texts = [entry.text for rules in after.subject.shown.lists() for entry in rules.entries]
        assert item.filter_text in texts


def steps(text: str) -> Iterator[str]:
    for length in range(len(text) + 1):
        yield text[:length]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            YAML,
            "denied_tools: ['a/*', \"b/c\", d e, 5]\nfile_patterns:\n  include:\n    - src/**/{a,b}?[!x-z].py\n"
            "  exclude: [!x, '[']\nsystem_prompt_extension: |\n  - a\n",
        ),
        (
            MARKDOWN,
            "## Allowed Tools\n- [ ] `a/b`, c\n\n## File Patterns\n\n| Include | Exclude |\n| --- | --- |\n| `src/**` "
            "| `[x` |\n\n```yaml\ninclude: [a]\n```\n> - `x`\n",
        ),
        (CONFIG, "project_agent_rules:\n  path_map: [{from: /a, to: /b}]\n  default_rules: {denied_tools: [a/b]}\n"),
    ],
)
def test_every_place_of_every_step_of_typing(tmp_path: Path, name: str, text: str) -> None:
    for typed in steps(text):
        view = known_view(tmp_path, typed, name, files=FILES, tools=TOOLS)
        for offset in range(max(0, len(typed) - 30), len(typed) + 1):
            found = completion(view, offset)
            for item in found.items if found is not None else ():
                assert offset in item.span
                assert item.span.end <= len(typed)


def test_code_marks_are_not_offered_where_others_cannot_get_them_too(tmp_path: Path) -> None:
    assert labels(tmp_path, "## Denied Tools\n- `Bash`, <|>", MARKDOWN)[:4] == ["github/", "Azure MCP/", "other/", "*"]
    assert labels(tmp_path, "## Denied Tools\n- ask first, <|>", MARKDOWN)[:3] == ["github/", "other/", "Bash"]
    assert labels(tmp_path, "## Denied Tools\n- Bash, `<|> and more", MARKDOWN) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Denied Tools\n\n<|>\n- a", ["- `server/tool`"]),
        ("## Denied Tools\n- a\n\n<|>", ["- `server/tool`", "## Allowed Tools", "## File Patterns"]),
        ("## Denied Tools\n- a\n\n<|>\n  - b", []),
        ("## File Patterns\n\n<|>\n### Exclude\n- a", ["### Include"]),
        ("## File Patterns\n\n<|>\n- a", []),
    ],
)
def test_a_heading_takes_no_entries_from_the_list_above_it(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert labels(tmp_path, text, MARKDOWN) == expected
