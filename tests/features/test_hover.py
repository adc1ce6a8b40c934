from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.features.hover import hover
from tests.features.support import drawn, opened

NAME_X = "files and directories at any depth, with everything below them\n\n- `x`: the name `x`"
NOT_PARSED = "_this file does not parse: the rules of this file, its deny list included, are not in force_"


def shown(root: Path, text: str, name: str = ".coding-agent-rules.yaml") -> tuple[str, str] | None:
    """The hover at the cursor, and the text that it marks."""
    view, offset = opened(root, text, name)
    found = hover(view, offset)
    return None if found is None else (found.markdown, drawn(view, found.span.start, found.span.end))


@pytest.mark.parametrize(
    ("text", "markdown", "marked"),
    [
        (
            "denied_tools: [<|>a/b]",
            "**denied**: `a/b` is denied by `a/b` (line 1)\n\n"
            "in `denied_tools` it stands for the tool `b` of the server `a`",
            "a/b",
        ),
        (
            "denied_tools:\n  - a/*\nallowed_tools:\n  - '<|>a/b'\n",
            "**denied**: `a/b` is denied by `a/*` (line 2)\n- overrules `a/b` of `allowed_tools` (line 4)\n\n"
            "in `allowed_tools` it stands for the tool `b` of the server `a`",
            "a/b",
        ),
        (
            "allowed_tools: [a/b<|>]",
            "**allowed**: `a/b` is allowed by `a/b` (line 1)\n\n"
            "in `allowed_tools` it stands for the tool `b` of the server `a`",
            "a/b",
        ),
        (
            "allowed_tools: [a/b]\nallowed_tools: [<|>c/d]\n",
            "**denied**: `c/d` is in no entry of `allowed_tools` (line 1)\n\n"
            "in `allowed_tools` it stands for the tool `d` of the server `c`",
            "c/d",
        ),
        (
            "allowed_tools: [a/<|>*]",
            "in `allowed_tools` it stands for every tool of the server `a`; what a denying entry matches stays denied",
            "a/*",
        ),
        (
            "denied_tools: [<|>Bash(rm)]",
            "**denied**: `Bash` is denied by `Bash(rm)` (line 1)\n\n"
            "in `denied_tools` it stands for the built-in tool `Bash`, every tool of the server `Bash`"
            " and the tool `Bash` of every server, whatever its arguments",
            "Bash(rm)",
        ),
        (
            "allowed_tools: ['<|>a b']",
            "**cannot be read**: `a b` is no tool name: write `server/tool`, or a built-in tool's name of letters,"
            " digits and `_.:-` (`*` and `?` are wildcards)\n\nuntil it is repaired, it allows nothing",
            "a b",
        ),
        (
            "denied_tools: [a/b, '<|>c d']",
            "**cannot be read**: `c d` is no tool name: write `server/tool`, or a built-in tool's name of letters,"
            " digits and `_.:-` (`*` and `?` are wildcards)\n\nuntil it is repaired, `denied_tools` denies every tool",
            "c d",
        ),
        (
            "file_patterns: {include: [<|>x]}",
            f"what `x` matches may be changed, unless an exclude matches\n\n{NAME_X}",
            "x",
        ),
        (
            "file_patterns: {exclude: [<|>x]}",
            f"what `x` matches may be neither read nor changed\n\n{NAME_X}",
            "x",
        ),
        (
            "file_patterns: {include: ['<|>!x']}",
            "what `x` matches may be neither read nor changed (`!` takes away from what `include` allows)\n\n" + NAME_X,
            "!x",
        ),
        (
            "file_patterns: {exclude: ['<|>!x']}",
            f"`!` has no effect in `file_patterns.exclude`: an exclude only takes files away\n\n{NAME_X}",
            "!x",
        ),
        (
            "file_patterns: {exclude: [<|>x/**]}",
            "what `x/**` matches may be neither read nor changed\n\n"
            "everything inside of `x`, from the project's root\n\n- `x`: the name `x`\n"
            "- `**`: everything below, at any depth\n\nan exclude also covers the directory itself",
            "x/**",
        ),
        (
            "file_patterns: {exclude: [<|>.]}",
            "every file of the project may be neither read nor changed",
            ".",
        ),
        (
            "file_patterns: {exclude: [<|>x/../x]}",
            "what `x/../x` matches may be neither read nor changed\n\n"
            "as written it matches no path of the project; its author means `/x` and it denies that as well\n\n"
            "files and directories from the project's root, with everything below them\n\n"
            "- `x`: the name `x`\n- `..`: the name `..`\n- `x`: the name `x`",
            "x/../x",
        ),
        (
            "file_patterns: {include: ['[<|>x']}",
            "**cannot be read**: `[x` has a `[` that is never closed\n\nuntil it is repaired, it allows nothing",
            "[x",
        ),
        (
            "file_patterns: {exclude: ['[<|>x']}",
            "**cannot be read**: `[x` has a `[` that is never closed\n\n"
            "until it is repaired, `file_patterns.exclude` denies every file",
            "[x",
        ),
    ],
)
def test_an_entry(tmp_path: Path, text: str, markdown: str, marked: str) -> None:
    assert shown(tmp_path, text) == (markdown, marked)


@pytest.mark.parametrize(
    ("text", "beginning", "marked"),
    [
        ("denied_<|>tools: []", "`denied_tools`\n\n**no entries**\n\nTools that", "denied_tools"),
        (
            "'<|>denied_tools': []",
            "`denied_tools`\n\n**no entries**\n\nTools that",
            "denied_tools",
        ),
        (
            "file_patterns:\n  <|>include: []",
            "`file_patterns.include`\n\n**no entries**\n\nThe",
            "include",
        ),
        (
            "deny_<|>tools: [a]",
            "`deny_tools` is no key; it is read as `denied_tools` meanwhile\n\n**1 entry**\n\nTools",
            "deny_tools",
        ),
        (
            "<|>Include: []",
            "`Include` is no key; it is read as `file_patterns.include` meanwhile\n\n**no entries**",
            "Include",
        ),
        ("file_patterns: {exclud<|>: []}", "`exclud` is no key; it is read as `file_patterns.exclude`", "exclud"),
        ("x-<|>mine: 1", "`x-mine`\n\nA key that begins with `x-`", "x-mine"),
        ("x-unprotected<|>: []", "`x-unprotected`\n\nFiles that the agent may edit", "x-unprotected"),
    ],
)
def test_a_key(tmp_path: Path, text: str, beginning: str, marked: str) -> None:
    found = shown(tmp_path, text)
    assert found is not None
    assert (found[0][: len(beginning)], found[1]) == (beginning, marked)


@pytest.mark.parametrize(
    "text", ["\na/b<|>", "\nentirely_<|>other: []", "\ndenied_tools: <|> [a/b]", "\n<|>", "\n# <|>denied_tools"]
)
def test_nothing_to_show(tmp_path: Path, text: str) -> None:
    assert shown(tmp_path, text) is None


@pytest.mark.parametrize(
    ("text", "beginning", "marked"),
    [
        ("denied_tools: [<|>a/*]\nallowed_tools: ['x", "in `denied_tools` it stands for every tool", "a/*"),
        ("<|>denied_tools: [a/b\nallowed_tools: []", "`denied_tools`\n\nTools", "denied_tools"),
        ("denied_tools: [a/b\nfile_patterns:\n  exc<|>lude: ['", "`file_patterns.exclude`\n\n", "exclude"),
    ],
)
def test_a_document_that_does_not_parse_says_so(tmp_path: Path, text: str, beginning: str, marked: str) -> None:
    found = shown(tmp_path, text)
    assert found is not None
    assert (found[0][: len(beginning)], found[1]) == (beginning, marked)
    assert found[0].endswith(f"\n\n{NOT_PARSED}")


def test_a_file_that_another_stands_above_says_so(tmp_path: Path) -> None:
    (tmp_path / ".coding-agent-rules.yaml").write_text("allowed_tools: []\n")
    assert shown(tmp_path, "## Denied Tools\n- `<|>a/*`\n", ".coding-agent-rules.md") == (
        "in `denied_tools` it stands for every tool of the server `a`\n\n"
        "_this file is not in force: `.coding-agent-rules.yaml` stands above it_",
        "a/*",
    )


@pytest.mark.parametrize(
    ("text", "beginning", "marked"),
    [
        ("## Denied <|>Tools\n- `a/b`\n- `c`\n", "`denied_tools`\n\n**2 entries**\n\nTools", "Denied Tools"),
        ("## File Patterns\n### Ex<|>clude\n- `x`\n", "`file_patterns.exclude`\n\n", "Exclude"),
        ("## Denied Tools\n- `<|>a/b`\n", "**denied**: `a/b` is denied by `a/b` (line 2)\n\nin", "a/b"),
        ("## Allowed Tools\n- [ ] `<|>a/b`\n", "`a/b` is a task that is not done, so it allows nothing", "a/b"),
        ("## File Patterns\n### Exclude\n- `<|>x`\n", "what `x` matches may be neither", "x"),
    ],
)
def test_markdown(tmp_path: Path, text: str, beginning: str, marked: str) -> None:
    found = shown(tmp_path, text, ".coding-agent-rules.md")
    assert found is not None
    assert (found[0][: len(beginning)], found[1]) == (beginning, marked)


@pytest.mark.parametrize("text", ["# One\nSome <|>prose\n", "# One\n\n## Other <|>Heading\n- `a/b`\n"])
def test_markdown_beside_the_rules(tmp_path: Path, text: str) -> None:
    assert shown(tmp_path, text, ".coding-agent-rules.md") is None


@pytest.mark.parametrize(
    ("text", "beginning", "marked"),
    [
        ("project_agent_<|>rules: {}", "`project_agent_rules`\n\nHow the rules", "project_agent_rules"),
        (
            "project_agent_rules:\n  path_map: [{<|>from: /a, to: /b}]",
            "`project_agent_rules.path_map.from`\n\n",
            "from",
        ),
        ("project_agent_rules:\n  default_rules:\n    denied_tools: [<|>a/b]", "**denied**: `a/b` is denied by", "a/b"),
    ],
)
def test_a_configuration(tmp_path: Path, text: str, beginning: str, marked: str) -> None:
    found = shown(tmp_path, text, "config.yaml")
    assert found is not None
    assert (found[0][: len(beginning)], found[1]) == (beginning, marked)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            ".coding-agent-rules.yaml",
            "denied_tools: ['a/*', \"b/c\", d e, 5]\n"
            "file_patterns:\n  include:\n    - src/**/{a,b}?[!x-z].py\n  exclude: [!x, '[']\n",
        ),
        (
            ".coding-agent-rules.md",
            "## Allowed Tools\n- [ ] `a/b`\n\n## File Patterns\n\n"
            "| Include | Exclude |\n| --- | --- |\n| `src/**` | `[x` |\n",
        ),
        (
            "config.yaml",
            "project_agent_rules:\n  path_map: [{from: /a, to: /b}]\n  default_rules: {denied_tools: [a/b]}\n",
        ),
    ],
)
def test_every_place_of_every_step_of_typing(tmp_path: Path, name: str, text: str) -> None:
    for length in range(len(text) + 1):
        view, _ = opened(tmp_path, f"{text[:length]}<|>", name)
        for offset in range(length + 1):
            found = hover(view, offset)
            assert found is None or (offset in found.span and found.span.end <= length)
