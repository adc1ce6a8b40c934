from __future__ import annotations

import pytest

from rules_lsp.features.yaml_place import yaml_place
from rules_lsp.source.text import Text
from tests.features.support import CURSOR

LONG = "denied_tools:\n" + "".join(f"  - s/t{number}\n" for number in range(3000))


def place(text: str) -> tuple[str, str] | None:
    """The path of the cursor (`*` for an item of a list), and what is being written there."""
    offset = text.index(CURSOR)
    content = text.replace(CURSOR, "")
    found = yaml_place(Text(content), offset)
    if found is None:
        return None
    assert found.span.start <= offset <= found.span.end
    return ".".join((*found.path, *(("*",) if found.item else ()))), content[found.span.start : found.span.end]


@pytest.mark.parametrize(
    ("text", "path", "written"),
    [
        ("<|>", "", ""),
        ("denied_<|>tools: [a]", "", "denied_tools"),
        ("'denied_<|>tools': [a]", "", "denied_tools"),
        ("denied_tools: <|>", "denied_tools", ""),
        ("denied_tools:<|>", "denied_tools", ""),
        ("denied_tools: # why\n  - a<|>", "denied_tools.*", "a"),
        ("denied_tools:\n  - <|>", "denied_tools.*", ""),
        ("denied_tools:\n  -   <|>", "denied_tools.*", ""),
        ("denied_tools:\n  -<|>", "denied_tools.*", ""),
        ("denied_tools:\n- gi<|>t # c\n- b", "denied_tools.*", "git"),
        ("denied_tools:\n  - Azure <|>", "denied_tools.*", "Azure "),
        ("denied_tools:\r\n  - a\r\n  - gi<|>\r\nx: 1\r\n", "denied_tools.*", "gi"),
        ("denied_tools:\n  - '😀 gi<|>t'", "denied_tools.*", "😀 git"),
        ('denied_tools:\n  - "gi<|>', "denied_tools.*", "gi"),
        ("denied_tools:\n  gi<|>", "denied_tools", "gi"),
        ("denied_tools:\n  - a\n  <|>", "denied_tools", ""),
        ("denied_tools:\n  - a\n\n<|>\n\nallowed_tools: []", "", ""),
        ("denied_tools: [gi<|>", "denied_tools.*", "gi"),
        ("denied_tools: [a, 'gi<|>, b]", "denied_tools.*", "gi"),
        ("denied_tools: ['gi<|>', 'b']", "denied_tools.*", "gi"),
        ("denied_tools: ['gi<|>, 'b']", "denied_tools.*", "gi"),
        ("denied_tools: ['a,b<|>']", "denied_tools.*", "a,b"),
        ("denied_tools: [don't, it's<|>]", "denied_tools.*", "it's"),
        ("denied_tools: [\n  a, # c, d\n  gi<|>\n]", "denied_tools.*", "gi"),
        ('{"denied_tools": ["a",\n "gi<|>"', "denied_tools.*", "gi"),
        ("file_patterns: {include: [a], exclude: [sr<|>", "file_patterns.exclude.*", "sr"),
        ("file_patterns: {inc<|>", "file_patterns", "inc"),
        ("file_patterns:\n  include: [a\n  exclude:\n    - s<|>", "file_patterns.exclude.*", "s"),
        ("file_patterns:\n  exclude:\n    - src/<|>api # x", "file_patterns.exclude.*", "src/api"),
        ("file_patterns:\n  exclude:\n    - *<|>\n", "file_patterns.exclude.*", "*"),
        ("file_patterns:\n  exclude:\n    - !x/<|>\n", "file_patterns.exclude.*", "!x/"),
        ("path_map:\n  - from: /a\n    t<|>", "path_map.*", "t"),
        ("path_map:\n  - from: <|>", "path_map.from", ""),
        ("a:\n- b:\n  - c<|>", "a.b.*", "c"),
        (f"{LONG}  - s/<|>", "denied_tools.*", "s/"),
    ],
)
def test_a_place(text: str, path: str, written: str) -> None:
    assert place(text) == (path, written)


@pytest.mark.parametrize(
    "above",
    [
        "  - *.pem\n",
        "  - 'x\n",
        "  - [a\n",
        "  - a: b\n",
        "  - {\n",
        '  - "\\q"\n',
        "  - `a`\n",
        "  -b\n",
        "\t- x\n",
        "  - @x\n",
    ],
)
def test_a_fault_beside_the_line_does_not_disturb(above: str) -> None:
    assert place(f"x: [\ndenied_tools:\n{above}  - gi<|>\n{above}\ny: '") == ("denied_tools.*", "gi")


@pytest.mark.parametrize(
    "text",
    [
        "# com<|>ment",
        "denied_tools:\n  - a # com<|>",
        "denied_tools: [a, # com<|>\n]",
        "denied_tools: # com<|>",
        "denied_tools:\n  <|>- a",
        "denied_tools:\n  - 'a'<|>",
        "denied_tools: <|> [a]",
        "denied_tools: [a]<|>",
        "denied_tools:\n  - a\n    <|>",
        "denied_tools:\n  - a\n    b<|>",
        "denied_tools:\n<|>\n  - a",
        "denied_tools:\n  - a\n <|>",
        "system_prompt_extension: |\n  first\n  - wor<|>",
        "system_prompt_extension: >-\n  wor<|>",
        "system_prompt_extension: |\n  a:\n    - wor<|>",
        "system_prompt_extension: 'one\n  two <|>\n  '",
        "system_prompt_extension: one\n  two<|>",
        "x: |<|>",
        "x: &anchor<|>",
    ],
)
def test_no_place(text: str) -> None:
    assert place(text) is None


@pytest.mark.parametrize("line_break", ["\r\n", "\r", "\n"])
def test_every_line_break_ends_a_line(line_break: str) -> None:
    text = "file_patterns:\n  include:\n    - a\n    - b\n    - s<|>\n  exclude: []\n".replace("\n", line_break)
    assert place(text) == ("file_patterns.include.*", "s")


@pytest.mark.parametrize("text", ["a" + " " * 20_000, "- " * 20_000, "denied_tools: [" + "'" * 20_000, "[" * 20_000])
def test_long_lines_have_no_place(text: str) -> None:
    assert place(f"{text}#<|>") is None
