"""The other file, word for word, and that it decides as the first one did."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.converting import Conversion, conversion
from rules_lsp.features.view import View
from rules_lsp.policy.load import with_rules
from rules_lsp.policy.model import Rules
from rules_lsp.policy.policy import Document, Policy
from rules_lsp.policy.query import answer
from rules_lsp.source.text import Text
from tests.features.support import CURSOR, opened
from tests.support.projects import MARKDOWN, RULES, project

FULL_YAML = """\
# of the project
system_prompt_extension: |
  # Be careful

  Ask first.
allowed_tools:
  - github/* # reads and writes
  - Read
denied_tools: ["github/delete_*"]
file_patterns:
  include:
    - "src/**"
  exclude:
    - '*.pem' # keys
    - "a # b"
"""
FULL_MARKDOWN = """\
# Be careful

Ask first.

## Allowed Tools

- `github/*` — reads and writes
- `Read`

## Denied Tools

- `github/delete_*`

## File Patterns

### Include

- `src/**`

### Exclude

- `*.pem` — keys
- `a # b`
"""


def other(root: Path, text: str, name: str = RULES) -> Conversion | None:
    view, _ = opened(root, text + CURSOR, name)
    return conversion(view)


def test_yaml_as_markdown(tmp_path: Path) -> None:
    found = other(tmp_path, FULL_YAML)
    assert found == Conversion(
        MARKDOWN,
        str(tmp_path / MARKDOWN),
        f"<!-- of the project -->\n\n{FULL_MARKDOWN}",
        "write these rules into a new `.coding-agent-rules.md`, which is in force once this file is gone",
    )


def test_markdown_as_yaml(tmp_path: Path) -> None:
    text = FULL_MARKDOWN.replace("Ask first.\n", "Ask first.\n\n# Tail\n\nSee `docs/`.\n", 1)
    found = other(tmp_path, text, MARKDOWN)
    assert found == Conversion(
        RULES,
        str(tmp_path / RULES),
        """\
system_prompt_extension: |
  # Be careful

  Ask first.

  # Tail

  See `docs/`.
allowed_tools:
  - "github/*" # reads and writes
  - Read
denied_tools:
  - "github/delete_*"
file_patterns:
  include:
    - "src/**"
  exclude:
    - "*.pem" # keys
    - "a # b"
""".replace('"github/*"', "github/*")
        .replace('"github/delete_*"', "github/delete_*")
        .replace('"src/**"', "src/**"),
        "write these rules into a new `.coding-agent-rules.yaml`, which takes the place of this file",
    )


def test_line_ends_are_those_of_the_file(tmp_path: Path) -> None:
    found = other(tmp_path, "denied_tools: [a/b]\r\n")
    assert found is not None
    assert found.text == "## Denied Tools\r\n\r\n- `a/b`\r\n"


def test_an_empty_list_stays_one(tmp_path: Path) -> None:
    found = other(tmp_path, "allowed_tools: []\nfile_patterns: {include: []}\n")
    assert found is not None
    assert found.text == "## Allowed Tools\n\n## File Patterns\n\n### Include\n"
    back = other(tmp_path, found.text, MARKDOWN)
    assert back is not None
    assert back.text == "allowed_tools: []\nfile_patterns:\n  include: []\n"


def test_a_remark_that_would_count_becomes_a_comment(tmp_path: Path) -> None:
    found = other(tmp_path, "allowed_tools:\n  - a/b # no\n  - c/d # fine\n")
    assert found is not None
    assert found.text == "## Allowed Tools\n\n<!-- no -->\n- `a/b`\n<!-- fine -->\n- `c/d`\n"


COMMENTED_YAML = """\
# yaml-language-server: $schema=x
# the head
# in two lines
system_prompt_extension: | # about the text
  Text # no comment
allowed_tools: # behind a key
  # above an entry
  - "a # b/c" # beside it
  # rules-lsp: ignore[unknown-server] a finding
  - d/e
# above a key
denied_tools: [f/g, # first
  h/i]
file_patterns: # of patterns
  # of includes
  include: [src/] # an include
  exclude:
    - x
    # last
# the end
"""
COMMENTED_MARKDOWN = """\
<!-- the head -->
<!-- in two lines -->
<!-- about the text -->

Text # no comment

## Allowed Tools

<!-- behind a key -->

<!-- above an entry -->
- `a # b/c` — beside it
- `d/e`

<!-- above a key -->

## Denied Tools

- `f/g` — first
- `h/i`

## File Patterns

<!-- of patterns -->

<!-- of includes -->

### Include

- `src/` — an include

### Exclude

- `x`

<!-- last -->
<!-- the end -->
"""


def test_comments_go_where_they_stood(tmp_path: Path) -> None:
    found = other(tmp_path, COMMENTED_YAML)
    assert found is not None
    assert found.text == COMMENTED_MARKDOWN


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (RULES, "denied_tools: [a/b\n"),
        (RULES, "denied_tools: ['a b']\n"),
        (RULES, "deny_tools: [a/b]\n"),
        (RULES, "denied_tools: [a/b]\nx-unprotected: [config.yaml]\n"),
        (RULES, "denied_tools: [a/b]\nx-tool-paths: {a/b: [path]}\n"),
        (RULES, "file_patterns: {exclude: ['a`b']}\n"),
        (RULES, "# a --> b\ndenied_tools: [a/b]\n"),
        (RULES, "system_prompt_extension: |\n  ## Denied Tools\n  - `c/d`\ndenied_tools: [a/b]\n"),
        (MARKDOWN, "## Denied Tools\n\n- `a b`\n"),
        (MARKDOWN, "## Allowed Tools\n\n- ~~`a/b`~~\n- `c/d`\n"),
        (MARKDOWN, "## Allowed Tools\n\n- `a/b`\n\n## Allowed Tools\n\n- `a/*`\n"),
        ("config.yaml", "project_agent_rules:\n  default_rules:\n    denied_tools: [a/b]\n"),
    ],
)
def test_what_the_other_format_cannot_say(tmp_path: Path, name: str, text: str) -> None:
    assert other(tmp_path, text, name) is None


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / MARKDOWN).write_text("")
    assert other(tmp_path, "denied_tools: [a/b]\n") is None


def test_the_order_of_the_configuration_counts(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("project_agent_rules: {rule_files: [rules.md, .coding-agent-rules.yaml]}\n")
    found = other(tmp_path, "denied_tools: [a/b]\n")
    assert found is not None
    assert (found.name, found.title) == (
        "rules.md",
        "write these rules into a new `rules.md`, which takes the place of this file",
    )
    (tmp_path / "config.yaml").write_text("project_agent_rules: {rule_files: [.coding-agent-rules.yaml]}\n")
    assert other(tmp_path, "denied_tools: [a/b]\n") is None


TOOLS = ["github/*", "github/get_issue", "*/delete_*", "Read", "Azure MCP/docs", "*", "Bash", "日本/x"]
GLOBS = ["src/**", "*.pem", "/a b/", "docs/[id]/*", "{a,b}.md", "secrets/", "あ*", "#x", "no", "010", "!src/x", "*"]
REMARKS = ["", "why", "never mind", "no", "see `x`", "# twice", "not allowed — really", "- x: y"]
PROBED_TOOLS = ["github/get_issue", "github/delete_file", "Read", "Bash", "Azure MCP/docs", "mcp__github__x", "日本/x"]
PROBED_PATHS = ["src/a.py", "src/x", "k.pem", "a b/c", "docs/[id]/x", "docs/i/x", "a.md", "secrets", "あい", "#x", "no"]


def entries(texts: list[str]) -> st.SearchStrategy[list[tuple[str, str]] | None]:
    pairs = st.tuples(st.sampled_from(texts), st.sampled_from(REMARKS))
    return st.none() | st.lists(pairs, max_size=4)


LISTS = st.fixed_dictionaries(
    {
        "allowed_tools": entries(TOOLS),
        "denied_tools": entries(TOOLS),
        "include": entries(GLOBS),
        "exclude": entries([glob for glob in GLOBS if not glob.startswith("!")]),
    }
)
PROSE = st.sampled_from(
    ["", "Be careful.\n", "# A\n\n- b\n\n    code\n", "  indented\n", "- [ ] x: y # z\n", "日本\n\nx"]
)
Lists = dict[str, list[tuple[str, str]] | None]


def as_yaml(lists: Lists, prose: str) -> str:
    quoted = {
        name: None if found is None else [f"'{text}'" + (f" # {remark}" if remark else "") for text, remark in found]
        for name, found in lists.items()
    }

    def block(name: str, indentation: str) -> str:
        found = quoted[name]
        if found is None:
            return ""
        items = "".join(f"{indentation}  - {item}\n" for item in found)
        return f"{indentation}{name}:\n{items}" if found else f"{indentation}{name}: []\n"

    patterns = block("include", "  ") + block("exclude", "  ")
    text = "".join(f"  {line}\n" if line else "\n" for line in prose.splitlines())
    extension = f"system_prompt_extension: |2\n{text}" if prose else ""
    return (
        extension
        + block("allowed_tools", "")
        + block("denied_tools", "")
        + (f"file_patterns:\n{patterns}" if patterns else "")
    )


def as_markdown(lists: Lists, prose: str) -> str:
    def section(title: str, name: str) -> str:
        found = lists[name]
        if found is None:
            return ""
        items = "".join(f"- `{text}`{f' - {remark}' if remark else ''}\n" for text, remark in found)
        return f"{title}\n\n{items}\n"

    patterns = section("### Include", "include") + section("### Exclude", "exclude")
    files = f"## File Patterns\n\n{patterns}" if patterns else ""
    return (
        f"{prose}\n\n{section('## Allowed Tools', 'allowed_tools')}{section('## Denied Tools', 'denied_tools')}{files}"
    )


def decisions(policy: Policy, rules: Rules) -> list[tuple[bool, str]]:
    asked = with_rules(policy, rules, Document(str(policy.root.absolute("rules")), Text("")))
    found = answer(asked, {"tools": PROBED_TOOLS})["answers"]
    for operation in ("write", "read", "create"):
        found += answer(asked, {"paths": PROBED_PATHS, "operation": operation})["answers"]
    return [(each["allowed"], each["code"]) for each in found]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LISTS, PROSE, st.booleans())
def test_the_same_is_decided(tmp_path: Path, lists: Lists, prose: str, from_yaml: bool) -> None:
    policy = project(tmp_path).policy()
    name, text = (RULES, as_yaml(lists, prose)) if from_yaml else (MARKDOWN, as_markdown(lists, prose))
    subject = Subject.of_text(name, text, path=policy.root.absolute(name), root=policy.root)
    found = conversion(View(subject, policy))
    if found is None:
        # A remark that says no in Markdown makes its entry one that allows nothing: nothing else is in the way here.
        assert not from_yaml
        assert any(each.negation is not None for each in subject.markdown_entries.values())
        return
    written = Subject.of_text(found.name, found.text)
    assert decisions(policy, written.shown) == decisions(policy, subject.shown)
    if not from_yaml:
        assert written.shown.system_prompt_extension.strip() == prose.strip()


def test_a_remark_behind_several_entries_belongs_to_none_of_them(tmp_path: Path) -> None:
    found = other(tmp_path, "denied_tools: [a, b] # both\nallowed_tools: [c] # alone\n")
    assert found is not None
    assert found.text == "## Allowed Tools\n\n- `c` — alone\n\n## Denied Tools\n\n<!-- both -->\n\n- `a`\n- `b`\n"


KEPT = [
    "## Denied Tools\n\nNever push to main.\n\n- `a/b`\n",
    "## Denied Tools\n\n- `a/b`\n\nAsk first.\n",
    "## Denied Tools\n\n<!-- keep -->\n- `a/b`\n",
    "## Denied Tools\n\n- `a/b` — why\n  and more of it\n",
    "## Denied Tools\n\n- a/b - why\n",
    "## Denied Tools (of the team)\n\n- `a/b`\n",
    "## Denied Tools\n\n| tool | why |\n| --- | --- |\n| `a/b` | it deletes |\n",
    "## File Patterns\n\n### Exclude\n\n- `a/b`\n\n### Include\n\nSources:\n\n- `src/`\n",
]


@pytest.mark.parametrize("section", KEPT)
def test_a_section_with_words_of_its_own_is_kept_as_text(tmp_path: Path, section: str) -> None:
    found = other(tmp_path, f"# T\n\n{section}\n## Allowed Tools\n\n- `c/d`\n", MARKDOWN)
    assert found is not None
    read = Subject.of_text(RULES, found.text).shown
    assert read.system_prompt_extension == f"# T\n\n{section}"
    denied = [entry.text for rules in (*read.denied_tools, *read.exclude) for entry in rules.entries]
    assert denied == ["a/b"]


@pytest.mark.parametrize(
    "section",
    [
        "## Denied Tools\n\n- `a/b` — why\n",
        "## Denied tools\n\n1. a/b\n",
        "## Denied Tools\n\n- `a/b` <!-- rules-lsp: ignore[unknown-server] it is -->\n",
        "## File Patterns\n\n**Exclude:**\n\n- `a/b`\n",
    ],
)
def test_a_section_of_nothing_but_entries_is_told_by_its_list(tmp_path: Path, section: str) -> None:
    found = other(tmp_path, f"# T\n\n{section}", MARKDOWN)
    assert found is not None
    assert Subject.of_text(RULES, found.text).shown.system_prompt_extension == "# T\n"
