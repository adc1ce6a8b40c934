from __future__ import annotations

import pytest

from rules_lsp.features.markup import code, plain, row, sentence


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**denied**: `src/**` is denied by `*.md`", "denied: `src/**` is denied by `*.md`"),
        ("what `**` matches **and** `a**b**c`", "what `**` matches and `a**b**c`"),
        ("`` a`**`b `` **x**", "`` a`**`b `` x"),
        ("a lone ` and **bold**", "a lone ` and bold"),
        ("_this file does not parse: `_a_` is wrong_", "this file does not parse: `_a_` is wrong"),
        ("snake_case and _inner_ words", "snake_case and _inner_ words"),
        ("- [`a_[b].py`](file:///w/a_%5Bb%5D.py)", "- `a_[b].py`"),
        ("[one](file:///a) and [two](https://b/c)", "one and two"),
        ("[no link] (x)", "[no link] (x)"),
        (r"a \*star\* and \\ and \`tick", r"a *star* and \ and `tick"),
        (r"`\*` stays", r"`\*` stays"),
        ("one\n\n- two **three**", "one\n\n- two three"),
        ("a\0b `c\0d`", "a\ufffdb `c\ufffdd`"),
        ("", ""),
    ],
)
def test_plain_text_keeps_what_stands_in_code(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_a_table_becomes_lines() -> None:
    lines = [row("rules", "now"), "| --- | --- |", row("`a|b`", "**2 entries**"), row("c", sentence("d | e"))]
    assert lines[2] == r"| `a\|b` | **2 entries** |"
    assert plain("\n".join(lines)) == "rules: now\n`a|b`: 2 entries\nc: d | e"


@pytest.mark.parametrize("text", ["src/**", "**", "a`b", "[x](y)", "_a_", "*.{a,b}", "\\*"])
def test_code_of_an_author_survives(text: str) -> None:
    assert plain(f"**x** {code(text)}") == f"x {code(text)}"
