"""Unquoted globs that follow one in the same list: found in the same reading, and nothing else taken for one."""

from __future__ import annotations

import random

import pytest

from rules_lsp.source import yaml_repair, yaml_tree
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_runs import faults_behind
from rules_lsp.source.yaml_tree import MAX_REPAIRS, parse_yaml


def behind(content: str, glob: str) -> list[str]:
    start = content.index(glob)
    return [content[span.start : span.end] for span in faults_behind(content, Span(start, start + len(glob)))]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("- *.1\n- *.b\n- '**/c' # d\n- @e/f # g\n- `h`\n- %i\n", ["*.b", "@e/f", "`h`", "%i"]),
        ("  - *.1\r\n\r\n# *.x\r\n  -   *_b.py\r\n  - src/*.c\r\n  - **/d", ["*_b.py", "**/d"]),
        ("- *.1 # why\r- *\u00e9", ["*\u00e9"]),
        ("- *.1\n- *alias\n- *.b\n", []),
        ("- *.1\n- !tag\n- *.b\n", []),
        ("- *.1\n- [a, b]\n- *.b\n", []),
        ("- *.1\n- {a: b}\n- *.b\n", []),
        ("- *.1\n- 'a\n- *.b\n", []),
        ('- *.1\n- "\\x\n- *.b\n', []),
        ("- *.1\n- a: b\n- *.b\n", []),
        ("- *.1\n- a:\n- *.b\n", []),
        ("- *.1\n- |\n- *.b\n", []),
        ("- *.1\n  more\n- *.b\n", []),
        ("- *.1\n - *.b\n", []),
        ("  - *.1\n- *.b\n", []),
        ("- *.1\n- *.b more\n- *.c\n", []),
        ("- *.1\n- *.b: c\n", []),
        ("- *.1\nexclude:\n- *.b\n", []),
        ("- *.1\n-*.b\n", []),
        ("- *.1\n- \n- *.b\n", []),
        ("a: [*.1, b, 'c,d', *.d,\n  @e/f, g]", ["*.d", "@e/f"]),
        ("a: [*.1, *.b]", ["*.b"]),
        ("a: [*.1, *.b, [c], *.d]", ["*.b"]),
        ("a: [*.1, b: c, *.d]", []),
        ("a: [*.1, *alias, *.d]", []),
        ("a: [*.1, {b: *.c}, *.d]", []),
        ("a: [*.1, *.b", []),
    ],
)
def test_what_follows_in_the_same_list(content: str, found: list[str]) -> None:
    assert behind(content, "*.1") == found


def test_a_long_list_of_globs_is_found_whole() -> None:
    globs = [f"*.{number}" for number in range(10 * MAX_REPAIRS)]
    text = Text("include:\n" + "".join(f"  - {glob}\n" for glob in globs))
    assert [text.slice(problem.span) for problem in parse_yaml(text).problems] == globs
    flow = Text(f"include: [{', '.join(globs)}]\n")
    assert [flow.slice(problem.span) for problem in parse_yaml(flow).problems] == globs


WORDS = (
    *("*.py", "**/x", "*", "*a", "*a.b", "*_t.go", "@x", "`a`", "%x", "!x", "[a]/b", "{a,b}", "'q'", "'q", '"d"', '"d'),
    *("a b", "x:", "x: y", "a/b", "a/*.c", "# c", "", "- *.x", "&a z", "*-", "*\u00e9", "?x", "*.a # c", "*.a#b"),
    *("*.py foo", "*.py: v", "*.a'", "*?x", "*,a", "*a,b", "*a]b", "*.c\t", "\t*.c", "x\x85y", "*\u2028z", "|", ">"),
    *("*.a\xa0b", "*%", "@", "a?", "*a?b", "*a%b"),
)


@pytest.mark.parametrize("seed", range(8))
def test_found_together_they_are_what_they_are_one_by_one(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    source = random.Random(seed)
    contents = [_block(source) if source.random() < 0.6 else _flow(source) for _ in range(250)]
    together = [parse_yaml(Text(content)) for content in contents]
    monkeypatch.setattr(yaml_repair, "faults_behind", lambda content, glob: ())
    assert [yaml_tree.parse_yaml(Text(content)) for content in contents] == together


def _block(source: random.Random) -> str:
    lines = ["include:"]
    for _ in range(source.randrange(1, 9)):
        indent = "  " if source.random() < 0.85 else source.choice(["", " ", "   "])
        dash = "- " if source.random() < 0.8 else source.choice(["-  ", "", "-"])
        other = source.choice(["", "# c", "  # *.x", "exclude:", "  x: |"])
        lines.append(indent + dash + source.choice(WORDS) if source.random() < 0.92 else other)
    return source.choice(["\n", "\r\n", "\r"]).join(lines) + source.choice(["", "\n"])


def _flow(source: random.Random) -> str:
    separator = source.choice([", ", ",", ",\n    ", " ,"])
    entries = separator.join(source.choice(WORDS) for _ in range(source.randrange(1, 8)))
    return f"a: [{entries}{source.choice([']', ']' + chr(10), '', ',]'])}{source.choice(['', 'b: [*.x]'])}"
