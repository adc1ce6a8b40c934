"""Markdown rules: sections, entries, what says no, and silence where no section is meant."""

from __future__ import annotations

from random import Random

import pytest

from rules_lsp.policy.markdown.read_markdown import MAX_ENTRIES, MarkdownRules, read_markdown
from rules_lsp.source.text import Text


def read(content: str, servers: frozenset[str] = frozenset()) -> MarkdownRules:
    return read_markdown(Text(content), servers)


def lists(content: str) -> dict[str, list[list[str]]]:
    """The sound entries of each list by name; each is also checked to be spelled at its place."""
    found: dict[str, list[list[str]]] = {}
    for rules in read(content).rules.lists():
        assert [entry.index for entry in rules.entries] == list(range(len(rules.entries)))
        found.setdefault(rules.name, []).append([entry.text for entry in rules.entries if entry.broken is None])
    return found


def allowed(items: str) -> list[str]:
    return lists(f"## Allowed Tools\n\n{items}\n")["allowed_tools"][0]


def denied(items: str) -> list[str]:
    return lists(f"## Denied Tools\n\n{items}\n")["denied_tools"][0]


def included(items: str) -> list[str]:
    return lists(f"## File Patterns\n\n### Include\n\n{items}\n")["file_patterns.include"][0]


def excluded(items: str) -> list[str]:
    return lists(f"## File Patterns\n\n### Exclude\n\n{items}\n")["file_patterns.exclude"][0]


def broken(content: str) -> list[str]:
    """Broken lists by name, and the texts of broken entries."""
    found: list[str] = []
    for rules in read(content).rules.lists():
        found += [rules.name] if rules.broken else []
        found += [entry.text for entry in rules.entries if entry.broken]
    return found


def problems(content: str) -> list[tuple[str, str]]:
    return [(problem.code, content[problem.span.start : problem.span.end]) for problem in read(content).problems]


@pytest.mark.parametrize(
    "heading",
    [
        "# Denied Tools",
        "###### DENIED   tools ##",
        "Denied Tools\n---",
        "## **Denied Tools**",
        "## _Denied_ `Tools`",
        "## [Denied Tools](x)",
        "## Denied Tools:",
        "## **Denied Tools:**",
        "## 3. Denied Tools",
        "## 1.2) Denied Tools (never):",
        "## Denied Tools（危険）：",
        "## Denied Tools <!-- x -->",
        "\ufeff## Denied Tools",
    ],
)
def test_a_section_heading_in_any_dress(heading: str) -> None:
    content = f"{heading}\n\n- `a/b`\n"
    assert lists(content) == {"denied_tools": [["a/b"]]}
    assert problems(content) == []


@pytest.mark.parametrize(
    ("heading", "meant"),
    [
        ("Forbidden Tools", "Denied Tools"),
        ("Denied Tool", "Denied Tools"),
        ("Tools Denied", "Denied Tools"),
        ("Deneid Tools", "Denied Tools"),
        ("denied_tools", "Denied Tools"),
        ("DeniedTools", "Denied Tools"),
        ("🚫 Denied Tools", "Denied Tools"),
        ("Denied Tools.", "Denied Tools"),
        ("Denied Tools {#denied}", "Denied Tools"),
        ("Permitted tools (local)", "Allowed Tools"),
        ("allow-tools", "Allowed Tools"),
        ("Tools Allowed", "Allowed Tools"),
        ("File Pattern", "File Patterns"),
        ("Files patterns", "File Patterns"),
        ("拒否ツール", "Denied Tools"),
        ("禁止的工具", "Denied Tools"),
        ("許可されたツール", "Allowed Tools"),
        ("允许的工具", "Allowed Tools"),
    ],
)
def test_a_near_miss_is_no_section_and_is_reported(heading: str, meant: str) -> None:
    entry = "- exclude: `a/b`" if meant == "File Patterns" else "- `a/b`"
    content = f"## {heading}\n\n{entry}\n"
    found = read(content)
    assert list(found.rules.lists()) == []
    assert [(problem.code, problem.severity, problem.data["replacement"]) for problem in found.problems] == [
        ("near-miss-heading", "warning", meant)
    ]
    assert problems(content)[0][1] == heading


@pytest.mark.parametrize(
    "heading",
    [
        "Common File Patterns",
        "File Patterns to Avoid",
        "Allowed Commit Types",
        "Tools",
        "Denied",
        "Defined Tools",
        "Recommended Tools",
        "Available Tools",
        "Pattern Files",
        "Fire Patterns",
        "Design Patterns",
        "Allowed Tools and Files",
        "Build Tools",
        "Loud Tools",
        "ツール",
        "使用するツール",
        "文件结构",
        "禁止事項",
        "開発ツール",
    ],
)
def test_a_heading_with_another_meaning_is_left_alone(heading: str) -> None:
    content = f"## {heading}\n\n- `a/b` never\n- ~~x~~\n"
    found = read(content)
    assert (list(found.rules.lists()), found.problems, found.sections) == ([], (), ())


@pytest.mark.parametrize(
    "body",
    [
        "Use whatever you like.\n",
        "- do not use the network\n- ask first\n",
        "",
        "## Notes\n- `a/b`\n",
        "```sh\nmake\n```\n",
        "| Tool name | Why |\n|---|---|\n| all that write | safety |\n",
        "- **Git**: version control\n- `curl`\n- `git push`\n",
        "- https://registry.example.com/npm\n- ./bin/tool\n",
        "- **Git**\n\n### Servers\n\n- `github/get_issue`\n",
    ],
)
def test_a_near_miss_without_names_below_it_is_left_alone(body: str) -> None:
    assert problems(f"## Forbidden Tools\n\n{body}") == []


@pytest.mark.parametrize(
    "body",
    [
        "- `a b/c`\n",
        "- Bash\n",
        "1. `mcp__a__b`\n",
        "| # | t |\n|---|---|\n| 1 | x/y |\n",
        "```yaml\n- a\n```\n",
    ],
)
def test_a_near_miss_with_names_below_it_is_not(body: str) -> None:
    assert problems(f"## Forbidden Tools\n\nProse.\n\n{body}") == [("near-miss-heading", "Forbidden Tools")]


@pytest.mark.parametrize("heading", ["Allowed Tool", "Tools Denied", "denied_tools", "Alowed Tools"])
def test_a_near_miss_in_the_own_words_of_a_section_needs_no_tool_of_agents(heading: str) -> None:
    assert problems(f"## {heading}\n\n- `curl`\n") == [("near-miss-heading", heading)]
    assert problems(f"## {heading}\n\n### Network\n\n- `curl`\n") == [("near-miss-heading", heading)]
    assert problems(f"## {heading}\n\n- API client libraries\n") == []


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("- `*.test.ts`: tests\n", False),
        ("| Type | Pattern |\n|---|---|\n| test | `*.spec.ts` |\n", False),
        ("```yaml\n- '*.md'\n```\n", False),
        ("### Included files\n- `src/**`\n", False),
        ("### Include\n- `src/**`\n", True),
        ("- **exclude**: `src/**`\n", True),
        ("Exclude:\n\n- `src/**`\n", True),
        ("| Include | Why |\n|---|---|\n| `src/**` | x |\n", True),
        ("```yaml\ninclude: [a]\n```\n", True),
    ],
)
def test_a_near_miss_of_patterns_needs_an_include_or_an_exclude(body: str, reported: bool) -> None:
    assert problems(f"## Files Pattern\n\n{body}") == ([("near-miss-heading", "Files Pattern")] if reported else [])


def test_a_section_ends_at_a_heading_of_its_level_or_at_another_section() -> None:
    content = (
        "# Allowed Tools\n- `a/1`\n### Deeper\n- `a/2`\n## Denied Tools\n- `d/1`\n## Notes\n- `n/1`\n"
        "# File Patterns\n## Exclude\n- `x`\n# End\n- `n/2`\n"
    )
    found = read(content)
    assert lists(content) == {
        "allowed_tools": [["a/1", "a/2"]],
        "denied_tools": [["d/1"]],
        "file_patterns.exclude": [["x"]],
    }
    assert [
        (section.name, section.level, content[section.body.start : section.body.end]) for section in found.sections
    ] == [
        ("Allowed Tools", 1, "\n- `a/1`\n### Deeper\n- `a/2`\n"),
        ("Denied Tools", 2, "\n- `d/1`\n"),
        ("File Patterns", 1, "\n## Exclude\n- `x`\n"),
    ]
    assert [place.side for place in found.sections[2].places] == ["exclude"]
    assert found.problems == ()


def test_the_whole_file_is_the_extension_without_its_mark() -> None:
    assert (
        read("\ufeff# A\r\n\r\n## Denied Tools\r\n").rules.system_prompt_extension == "# A\r\n\r\n## Denied Tools\r\n"
    )


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("- `a/b` - c `d`", ["a/b"]),
        ("- `a/b` – c\n- `a/c` — d\n- `a/d`: e", ["a/b", "a/c", "a/d"]),
        ("- `a/b`：説明", ["a/b"]),
        ("- a/b - c\n- a/c: d", ["a/b", "a/c"]),
        ("- Read, Grep、Glob", ["Read", "Grep", "Glob"]),
        ("- **Read** — always", ["Read"]),
        ("- ✅ a/b", ["a/b"]),
        ("- Read.", ["Read"]),
        ("- `a/b`, `a/c` and `a/d`", ["a/b", "a/c", "a/d"]),
        ("- `a/b` と `a/c`", ["a/b", "a/c"]),
        ("* [`a/b`](u) or [`a`](u)", ["a/b", "a"]),
        ("+ [a/b](u)", ["a/b"]),
        ("1. `a/b`\n   - `a/c`\n     1. a/d", ["a/b", "a/c", "a/d"]),
        ("- [x] `a/b`", ["a/b"]),
        ("- `*`\n- b/*", ["*", "b/*"]),
        ("| t | n |\n|---|---|\n| `a/b` | `c/d` |\n| a/e | x |", ["a/b", "a/e"]),
        ("| # | t |\n|---|---|\n| 1 | `a/b` |", ["a/b"]),
        ("| t |\n|---|\n| `a\\|b/c` |", ["a|b/c"]),
        ("```yaml\n- a/b\n- 'a/c' # c\n```\n\n```text\n- a/d\n```", ["a/b", "a/c"]),
        ("- x/y\n\n  ```yml\n  - a/b\n  ```", ["x/y", "a/b"]),
        ("Prose with `a/b`.\n\n- `c/d`", ["c/d"]),
        ("- `a/b`\n\n  `c/d` is prose", ["a/b"]),
    ],
)
def test_the_entries_of_a_section(items: str, expected: list[str]) -> None:
    assert allowed(items) == expected
    assert denied(items) == expected


def test_entries_know_their_place_and_dress() -> None:
    content = "\ufeff## Denied Tools\r\n\r\n- **a/b**, x\r\n- c\r\n\r\n| t |\r\n|---|\r\n| `d/e` |\r\n\r\n1. x\r\n\r\n"
    content += "   ```yaml\r\n   - 'f/g'\r\n   ```\r\n"
    section = read(content).sections[0]
    assert [
        (content[e.entry.span.start : e.entry.span.end], e.quoted, content[e.item.start : e.item.end].split("\r")[0])
        for e in section.entries
    ] == [
        ("a/b", False, "- **a/b**, x"),
        ("x", False, "- **a/b**, x"),
        ("c", False, "- c"),
        ("d/e", True, "| `d/e` |"),
        ("x", False, "1. x"),
        ("f/g", False, "   ```yaml"),
    ]


@pytest.mark.parametrize(
    "item",
    [
        "everything except `a/b`",
        "not `a/b`",
        "~~`a/b`~~",
        "<del>`a/b`</del>",
        "~~a/b~~",
        "❌ `a/b`",
        "`a/b` — 🚫",
        "✗ a/b",
        "[ ] `a/b`",
        "[-] a/b",
        "`a/b`: no",
        "`a/b` - Never!",
        "`a/b` — 禁止",
        "!`a/b`",
        "use `a/b` instead of `x`",
        "`a/b` tool without `x`",
        "you may not use `a/b`",
        "use `x` in `a/b`",
        "Never:\n  - `a/b`",
        "~~Old~~\n  - `a/b`",
        "[ ] Later\n  - `a/b`",
    ],
)
def test_an_item_that_says_no_allows_nothing_and_still_denies(item: str) -> None:
    content = f"## Allowed Tools\n\n- {item}\n"
    assert "a/b" not in lists(content)["allowed_tools"][0]
    assert ("negated-entry", "a/b") in problems(content)
    assert "a/b" in denied(f"- {item}")
    assert "negated-entry" not in [code for code, _ in problems(f"## Denied Tools\n\n- {item}\n")]


@pytest.mark.parametrize(
    "item",
    [
        "`a/b` - not dangerous",
        "`a/b` — never deletes `c/d`",
        "`a/b`: no need to ask",
        "✅ `a/b`",
        "`a/b` & `c/d`",
        "**`a/b`**",
        "[x] `a/b`",
        "Reading:\n  - `a/b`",
        "[x] Reading:\n  - `a/b`",
        "use `a/b`",
        "the `a/b` tool",
        "You may use the tools `c/d` and `a/b`.",
        "all tools of `a/b`",
        "`a/b` only",
        "`a/b` を使用",
        "使用 `a/b` 工具",
    ],
)
def test_an_item_that_says_yes_allows(item: str) -> None:
    assert "a/b" in allowed(f"- {item}")


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("t | ok", "`a/b` | no"),
        ("t | ok", "`a/b` | No, never"),
        ("t | ok", "`a/b` | ❌"),
        ("t | allowed", "`a/b` | "),
        ("t | allowed", "`a/b` | -"),
        ("t | forbidden", "`a/b` | yes"),
        ("t | ok | why", "`a/b` | yes | ✗"),
        ("t | ok", "~~`a/b`~~ | yes"),
    ],
)
def test_a_row_that_says_no_allows_nothing(header: str, cells: str) -> None:
    rule = "|".join(["---"] * (header.count("|") + 1))
    table = f"| {header} |\n|{rule}|\n| {cells} |\n| `c/d` | yes |"
    assert "a/b" not in allowed(table)
    assert "a/b" in denied(table)


@pytest.mark.parametrize(
    ("header", "cells"),
    [("t | ok", "`a/b` | yes"), ("t | why", "`a/b` | no side effects"), ("t | allowed", "`a/b` | x")],
)
def test_a_row_that_says_yes_allows(header: str, cells: str) -> None:
    assert allowed(f"| {header} |\n|---|---|\n| {cells} |") == ["a/b"]


@pytest.mark.parametrize(
    "heading", ["Never", "Not these", "Don't use", "禁止", "使用不可", "~~Old~~", "Except", "Disabled"]
)
def test_a_deeper_heading_that_says_no(heading: str) -> None:
    content = f"## Allowed Tools\n- `a/1`\n### {heading}\n- `a/2`\n#### More\n- `a/3`\n### Notes\n- `a/4`\n"
    assert lists(content)["allowed_tools"] == [["a/1", "a/4"]]
    assert [text for code, text in problems(content) if code == "negated-entry"] == ["a/2", "a/3"]
    assert lists(content.replace("Allowed", "Denied"))["denied_tools"] == [["a/1", "a/2", "a/3", "a/4"]]


@pytest.mark.parametrize("heading", ["Notes", "Notable", "Reading", "Knots", "読み取り", "Include all"])
def test_a_deeper_heading_that_does_not(heading: str) -> None:
    assert lists(f"## Allowed Tools\n### {heading}\n- `a/1`\n")["allowed_tools"] == [["a/1"]]


def test_a_label_alone_on_a_line_says_no_for_the_list_below_it() -> None:
    assert allowed("- `a/1`\n\n**Never:**\n\n- `a/2`\n\nAnd these:\n\n- `a/3`") == ["a/1", "a/3"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The following are not allowed:",
        "The following tools must not be used.",
        "These are fine. These tools are forbidden:",
        "Do not use:",
        "**Never call these:**",
        "以下は使用禁止：",
        "下列工具不允许使用。",
    ],
)
def test_a_sentence_says_no_for_the_list_below_it(sentence: str) -> None:
    assert allowed(f"- `a/1`\n\n{sentence}\n\n- `a/2`\n\nMore:\n\n- `a/3`") == ["a/1", "a/3"]
    assert denied(f"{sentence}\n\n- `a/2`") == ["a/2"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Anything not listed here is not allowed:",
        "Do not use any tools except:",
        "Do not use tools other than these:",
        "Everything else is forbidden. Allowed are:",
        "These need no approval:",
        "You don't need to ask for:",
        "Nothing else, only:",
        "Writing to production is forbidden.",
        "以下以外は禁止：",
    ],
)
def test_a_sentence_that_does_not(sentence: str) -> None:
    assert allowed(f"{sentence}\n\n- `a/2`") == ["a/2"]


def test_what_an_allowing_section_quotes_is_an_example() -> None:
    assert allowed("- `a/1`\n\n> - `a/2`") == ["a/1"]
    assert denied("- `a/1`\n\n> - `a/2`") == ["a/1", "a/2"]


def test_a_remark_of_exceptions_in_the_heading() -> None:
    assert lists("## Allowed Tools (except these)\n- `a/1`\n")["allowed_tools"] == [[]]
    assert lists("## Allowed Tools (no approval needed)\n- `a/1`\n")["allowed_tools"] == [["a/1"]]


def test_code_behind_a_label_is_denied_too() -> None:
    assert denied("- Shell: `a/1` and `a/2`") == ["Shell", "a/1", "a/2"]
    assert denied("- Bash: use `Read` instead") == ["Bash"]
    assert allowed("- Shell: `a/1`") == ["Shell"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("## Denied Tools\n- **Write files** — No\n", ["Write files"]),
        ("## Denied Tools\n- Azure MCP/list\n", ["Azure MCP/list"]),
        ("## Denied Tools\n- `a\n  b/c`\n", ["a\nb/c"]),
        ("## Denied Tools\n- <div>x/y\n", ["- <div>x/y"]),
        ("## Denied Tools\n\nNothing that deletes.\n", ["denied_tools"]),
        ("## Denied Tools\n\n```text\na/b\n```\n", ["denied_tools"]),
        ("## Denied Tools\n\n```yaml\n[\n```\n", ["denied_tools"]),
        ("## Denied Tools\n\n```yaml\na: b\n```\n", ["denied_tools"]),
        ("## Denied Tools\n\n" + "- " * 40 + "`a/b`\n", ["denied_tools"]),
        ("## Denied Tools\n\n- `a/b` " + "x" * 20_001 + "\n", [("`a/b` " + "x" * 194)]),
        ("## File Patterns\n\nOnly sources.\n", ["file_patterns.exclude"]),
        ("## File Patterns\n\n### Exclude\n\nSecrets.\n", ["file_patterns.exclude"]),
        ("## File Patterns\n\n### Exclude\n- all generated code\n- `[`\n", ["all generated code", "["]),
        ("## File Patterns\n\n### Include\n- __tests__/**\n", ["__tests__/**"]),
        ("## File Patterns\n\n```yaml\n- a\n- b: c\n```\n", ["b: c"]),
    ],
)
def test_what_cannot_be_read_is_broken(content: str, expected: list[str]) -> None:
    assert broken(content) == expected
    assert [problem for problem in read(content).problems if problem.severity == "error"] != []


@pytest.mark.parametrize(
    "content",
    [
        "## Denied Tools\n\nNothing that deletes:\n\n- `a/b`\n",
        "## Denied Tools\n- `Azure MCP/list`\n",
        "## Denied Tools\n",
        "## Denied Tools\n\n<!-- - `a/b` -->\n\n---\n",
        "## File Patterns\n\n### Include\n- `__tests__/**`\n- **/*.ts\n",
        "## File Patterns\n\n### Exclude\n- `My Documents/`\n",
        "## Allowed Tools\n- a/b\n\n```text\nx\n```\n",
    ],
)
def test_what_can_be_read_is_not(content: str) -> None:
    assert broken(content) == []
    assert problems(content) == []


def test_a_known_server_may_hold_a_space() -> None:
    content = "## Allowed Tools\n- Azure MCP/list\n"
    found = read(content, frozenset({"azure mcp"}))
    assert [entry.broken for entry in found.rules.allowed_tools[0].entries] == [None]
    assert found.problems == ()


def test_sections_without_content() -> None:
    assert lists("## Allowed Tools\n") == {"allowed_tools": [[]]}
    assert problems("## Allowed Tools\n") == [("empty-section", "Allowed Tools")]
    assert lists("## Denied Tools\n") == {"denied_tools": [[]]}
    assert problems("## Denied Tools\n") == []
    assert (lists("## File Patterns\n"), problems("## File Patterns\n")) == ({}, [])
    assert lists("## File Patterns\n### Include\n") == {"file_patterns.include": [[]]}
    assert problems("## File Patterns\n### Include\n") == [("empty-section", "Include")]
    assert problems("## Allowed Tools\n\nAny.\n") == [("unreadable-section-content", "Allowed Tools")]
    assert problems("## File Patterns\n### Include\nAll.\n") == [("unreadable-section-content", "Include")]


@pytest.mark.parametrize(
    "nothing", ["None.", "None", "(none)", "*None.*", "N/A", "なし。", "无", "None at the moment."]
)
def test_a_section_may_say_that_there_is_nothing(nothing: str) -> None:
    assert (lists(f"## Denied Tools\n\n{nothing}\n"), problems(f"## Denied Tools\n\n{nothing}\n")) == (
        {"denied_tools": [[]]},
        [],
    )
    assert broken(f"## Denied Tools\n\n{nothing}\n") == []
    assert lists(f"## Allowed Tools\n\n{nothing}\n") == {"allowed_tools": [[]]}
    assert problems(f"## Allowed Tools\n\n{nothing}\n") == [("empty-section", "Allowed Tools")]
    assert lists(f"## File Patterns\n\n{nothing}\n") == {}


@pytest.mark.parametrize(
    "prose", ["None of those that write.", "None but `a/b`.", "Nothing that deletes.", "None.\n\nSee above."]
)
def test_what_says_more_than_nothing_is_unreadable(prose: str) -> None:
    assert broken(f"## Denied Tools\n\n{prose}\n") == ["denied_tools"]


def test_two_sections_of_one_name_are_two_lists() -> None:
    content = "## Denied Tools\n- `a/1`\n## Denied Tools (more)\n- `a/2`\n"
    found = read(content)
    assert lists(content) == {"denied_tools": [["a/1"], ["a/2"]]}
    assert [(problem.code, problem.span.start, problem.related[0].span.start) for problem in found.problems] == [
        ("duplicate-section", 27, 3)
    ]


@pytest.mark.parametrize(
    "body",
    [
        "### Include\n- `i`\n### Exclude:\n- `e`\n",
        "- include:\n  - `i`\n- **exclude**:\n  1. e\n",
        "- Include: `i`\n- exclude: e - because\n",
        "- `include`:\n  - `i`\n- `exclude:`\n  - `e`\n",
        "| Include | Exclude |\n|---|---|\n| `i` | `e` |\n",
        "| why | exclude | include |\n|---|---|---|\n| x | e | i |\n",
        "```yaml\ninclude: [i]\nexclude:\n  - e\n```\n",
        "**Include**\n\n- `i`\n\nExclude:\n\n- `e`\n",
        "### Include\n```yaml\n- i\n```\n### Exclude\n- e\n",
    ],
)
def test_the_sides_of_file_patterns(body: str) -> None:
    content = f"## File Patterns\n\n{body}"
    assert lists(content) == {"file_patterns.include": [["i"]], "file_patterns.exclude": [["e"]]}
    assert problems(content) == []


@pytest.mark.parametrize(
    "body",
    [
        "- `x`\n",
        "- x\n",
        "| Pattern |\n|---|\n| `x` |\n",
        "```yaml\n- x\n```\n",
        "### Exclude\n\nInclude:\n\n- `x`\n",
        "### Exclude\n\n- include: `x`\n",
        "### Included\n- `x`\n",
        "### Include\n- i\n### Others\n- `x`\n",
    ],
)
def test_a_pattern_under_neither_is_excluded(body: str) -> None:
    content = f"## File Patterns\n\n{body}"
    assert lists(content)["file_patterns.exclude"] == [["x"]]
    assert problems(content) == [("unplaced-pattern", "x")]


def test_an_exclude_within_an_include_excludes() -> None:
    content = "## File Patterns\n### Include\n- `src/`\n- exclude: `src/a`\n\n**Exclude:**\n\n- `src/b`\n"
    assert lists(content) == {"file_patterns.include": [["src/"]], "file_patterns.exclude": [["src/a", "src/b"]]}


def test_a_directory_named_include_is_a_pattern() -> None:
    assert included("- `include`: headers\n- `exclude`") == ["include", "exclude"]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("`*.pem`", ["*.pem"]),
        ("*.pem, *.key", ["*.pem", "*.key"]),
        ("src/*.js, lib/*.js", ["src/*.js", "src/.js", "lib/*.js", "lib/.js"]),
        ("**/secrets/**", ["**/secrets/**", "/secrets/"]),
        ("*secret*", ["secret", "*secret*"]),
        ("__pycache__", ["pycache", "__pycache__"]),
        ("**node_modules**", ["node_modules"]),
        ("*.{pem,key}, x", ["*.{pem,key}", "x"]),
        ("{a,{b,c}},d", ["{a,{b,c}}", "d"]),
        ("{a,b", ["b"]),
        ("~/.ssh, ~/.aws", ["~/.ssh", "~/.aws"]),
        ("`!x`", ["!x"]),
        ("app/[id]/**", ["app/[id]/**"]),
    ],
)
def test_an_excluding_text_is_taken_in_each_plausible_reading(item: str, expected: list[str]) -> None:
    assert [text for text in excluded(f"- {item}") if text != "{a"] == expected


def test_emphasis_around_a_tool_is_emphasis() -> None:
    assert denied("- **Bash**") == ["Bash"]
    assert denied("- *delete*") == ["delete", "*delete*"]
    assert allowed("- *Read*") == ["Read"]


def test_stars_that_markdown_takes_for_its_own() -> None:
    content = "## Allowed Tools\n- */list_*\n- *\n"
    assert broken(content) == ["*/list_*", "*"]
    assert problems(content) == [("malformed-tool-name", "*/list_*"), ("malformed-tool-name", "*")]
    assert denied("- */list_*") == ["*/list_*"]
    assert broken("## Denied Tools\n- *\n") == ["*"]
    assert broken("## Denied Tools\n- -\n- \n") == []


def test_hidden_sections_are_reported_and_not_read() -> None:
    content = (
        "```markdown\n# Denied Tools\n- `a`\n```\n\n<!--\n## Allowed Tools\n1. `b`\n-->\n\n> # File Patterns\n> - x\n"
    )
    assert lists(content) == {}
    assert problems(content) == [
        ("section-in-code", "Denied Tools"),
        ("section-in-code", "Allowed Tools"),
        ("section-in-code", "File Patterns"),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "```\n## Denied Tools\n\n- `a`\n```\n",
        "~~~text\n## Denied Tools\n| a |\n~~~\n",
        "    ## Denied Tools\n    - `a`\n",
        "Paste this:\n\n```md\n## **Denied Tools**\n* a\n```\n",
        "## Examples\n\n## Rules\n\n```markdown\n## Denied Tools\n- `a`\n```\n",
        "## Denied Tools\n- `b`\n\n## Other\n\n```markdown\n## Allowed Tools\n- `a`\n```\n",
    ],
)
def test_a_section_that_is_hidden_by_mistake_is_reported(block: str) -> None:
    assert [code for code, _ in problems(block)] == ["section-in-code"]


@pytest.mark.parametrize(
    "block",
    [
        "```sh\n# Allowed Tools\n- x\n```\n",
        "```yaml\n# File Patterns\n- x\n```\n",
        "```\n# Denied Tools\n- x\n```\n",
        "```markdown\n## Denied Tools\n```\n",
        "<!-- ## Denied Tools\nnot yet -->\n",
        "For example:\n\n```markdown\n## Denied Tools\n- `a`\n```\n",
        "## Template\n\nPaste this.\n\n```markdown\n## Denied Tools\n- `a`\n```\n",
        "- It looks like this:\n\n  ```markdown\n  ## Denied Tools\n  - `a`\n  ```\n",
        "```markdown example\n## Denied Tools\n- `a`\n```\n",
        "<details>\n<summary>Example</summary>\n\n```markdown\n## Denied Tools\n- `a`\n```\n\n</details>\n",
        "書式は次のとおり。\n\n```markdown\n## Denied Tools\n- `a`\n```\n",
        "## Denied Tools\n- `a`\n\n## Notes\n\n```markdown\n## Denied Tools\n- `b`\n```\n",
        "<!-- an example:\n## Denied Tools\n- `a`\n-->\n",
    ],
)
def test_a_section_that_is_shown_on_purpose_is_left_alone(block: str) -> None:
    assert [code for code, _ in problems(block) if code == "section-in-code"] == []


def test_an_unclosed_fence_is_reported_where_it_hides_rules() -> None:
    assert problems("```sh\nx\n\n## Denied Tools\n- `a`\n") == [("unclosed-fence", "```sh")]
    assert problems("## Denied Tools\n- `a`\n\n```text\nx\n\n- `b`\n") == [("unclosed-fence", "```text")]
    assert problems("## Notes\n\n```sh\nx\n") == []
    assert problems("## Denied Tools\n- `a`\n\n```text\nx\n```\n") == []


def test_rules_below_a_thematic_break_are_no_front_matter() -> None:
    assert lists("---\n\n## Denied Tools\n- `a`\n\n---\n") == {"denied_tools": [["a"]]}
    assert lists("---\ndescription: x\n# Denied Tools\n---\n") == {}


def test_a_section_in_a_list_item_is_a_section() -> None:
    assert lists("1. ## Denied Tools\n\n   - `a/b`\n") == {"denied_tools": [["a/b"]]}


def test_yaml_in_a_fence_is_reported_at_its_place() -> None:
    content = "## Denied Tools\n\n- x\n\n  ```yaml\n  - a/b\n  - c d\n  ```\n\n```yaml\n- [\n```\n"
    assert problems(content)[0] == ("malformed-tool-name", "c d")
    assert problems(content)[1][0] == "syntax-error"
    assert read(content).problems[1].span.start >= content.index("- [")


MEBI = 1 << 20


@pytest.mark.parametrize("line", ["1. a\n", "- - - - - - `a`\n", "a\n\n", "## Denied Tools\n", "\n"])
def test_a_document_that_is_too_long_is_not_read_to_its_end_and_denies(line: str) -> None:
    content = "## Allowed Tools\n- `a`\n\n## Notes\n\n" + line * (MEBI // len(line))
    found = read(content)
    (denying,) = [rules for rules in found.rules.denied_tools if rules.broken]
    (excluding,) = found.rules.exclude
    assert denying.broken == excluding.broken
    assert "is too long" in str(denying.broken)
    assert denying.span.start < len(content) // 2
    assert found.problems[-1].code == "unreadable-section-content"
    assert found.rules.allowed_tools[0].entries[0].text == "a"


def test_a_document_with_too_many_entries_denies() -> None:
    content = "## Allowed Tools\n" + ("- " + "a," * 9_000 + "\n") * 4
    found = read(content)
    assert [len(rules.entries) for rules in found.rules.allowed_tools] == [MAX_ENTRIES]
    assert [rules.broken is not None for rules in (*found.rules.denied_tools, *found.rules.exclude)] == [True, True]
    assert problems(content)[-1][0] == "unreadable-section-content"


def test_a_long_document_is_read_to_its_end() -> None:
    content = "## Denied Tools\n" + "- `a/b`\n" * 10_000 + "\n" * 5_000 + "## File Patterns\n### Exclude\n- `x`\n"
    found = read(content)
    assert (len(found.rules.denied_tools[0].entries), found.problems) == (10_000, ())
    assert lists(content)["file_patterns.exclude"] == [["x"]]


AGENTS = """# AGENTS.md

Guidance for agents. Never commit secrets; see `docs/`.

## Common File Patterns

| Tool | Report | Passed |
|------|--------|--------|
| ruff | `ruff check` | no |
| mypy | ❌ | - |

## Development Tools

- ~~`make`~~ replaced by `just`
- [ ] migrate `tox.ini`

### Allowed Commit Types

1. `feat`: a feature
2. `fix`: a fix

```yaml
allowed_tools: [x]
```

## ツールの使い方

- **禁止**: `rm -rf`
- 許可: `ls`

## 项目结构

> 注意：不要修改 `dist/`

<details>
<summary>More</summary>

# Tools

</details>

---

Allowed tools are listed elsewhere. **Denied Tools** are none.

- Denied Tools
- File Patterns: see above
"""


def test_an_ordinary_guide_is_left_alone() -> None:
    found = read(AGENTS)
    assert (list(found.rules.lists()), found.problems, found.sections) == ([], (), ())


TYPED = (
    "\ufeff---\r\ntitle: x\r\n---\r\n## Allowed Tools\r\n\r\n- [x] `a/b`, **c** — d\r\n  - ~~`e`~~\r\n\r\n"
    "| t | ok |\r\n|---|---|\r\n| `a\\|b` | no |\r\n\r\n> - `q`\r\n\r\n## Denied Tools\r\n\r\n1. x\r\n\r\n"
    "   ```yaml\r\n   - 'y' # z\r\n   ```\r\n",
    "File Patterns\n===\n\n- include:\n  - `src/**`\n- exclude: *.{a,b}, [c](d)\n\n### Exclude\n\n<!-- x -->\n\n"
    "```yaml\ninclude: [a]\nexclude:\n  - !x\n```\n\n~~~\n## Denied Tools\n",
    AGENTS,
)


@pytest.mark.parametrize("content", TYPED, ids=["tools", "patterns", "guide"])
def test_a_document_that_is_being_typed_is_always_read(content: str) -> None:
    for end in range(len(content) + 1):
        found = read(content[:end])
        places = [problem.span for problem in found.problems]
        places += [entry.span for rules in found.rules.lists() for entry in rules.entries]
        assert all(place.end <= end for place in places)


def test_any_mixture_is_read() -> None:
    random = Random(11)
    parts = ["## Denied Tools\n", "## Allowed Tools\n", "## File Patterns\n", "### Include\n", "### Never\n", "---\n"]
    parts += ["- ", "1. ", "> ", "`", "**", "_", "~~", "[", "](x)", "<b", "<!--", "-->", "|", "include:", "exclude: "]
    parts += ["| a | include |\n|---|---|\n", "```yaml\n", "```\n", "[ ] ", "{", "}", ",", "!", "\\", "a/b", "*"]
    parts += ["é", "𝄞", "\t", "\r", "\0", "\u2028", "\n", "\n\n", "\r\n", ": ", " - "]
    for _ in range(3_000):
        content = "".join(random.choice(parts) for _ in range(random.randint(1, 50)))
        found = read(content)
        for rules in found.rules.lists():
            assert [entry.index for entry in rules.entries] == list(range(len(rules.entries)))
            assert all(entry.span.end <= len(content) for entry in rules.entries)


def test_cr_lf_and_a_mark_change_nothing_but_places() -> None:
    for content in TYPED:
        plain = content.removeprefix("\ufeff").replace("\r\n", "\n")
        marked = "\ufeff" + plain.replace("\n", "\r\n")
        assert lists(marked) == lists(plain)
        assert [code for code, _ in problems(marked)] == [code for code, _ in problems(plain)]


@pytest.mark.parametrize("line", ["**Denied Tools**", "##Denied Tools", "＃＃ Denied Tools", "__Denied Tools__:"])
def test_what_stands_under_a_line_that_names_another_section_is_not_allowed(line: str) -> None:
    reading = read_markdown(Text(f"## Allowed Tools\n\n- `Read`\n\n{line}\n\n- `Bash`\n"))
    assert [entry.text for rules in reading.rules.allowed_tools for entry in rules.entries] == ["Read"]
    assert "near-miss-heading" in [problem.code for problem in reading.problems]
