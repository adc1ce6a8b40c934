"""A decision in Markdown, word for word, and that nothing a caller wrote becomes markup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from rules_lsp.features.explaining import explained_as_json, explained_in_markdown
from rules_lsp.features.markup import sentence
from rules_lsp.policy.decision import Decision
from rules_lsp.policy.query import decide
from rules_lsp.policy.resolve import Resolver
from tests.support.projects import RULES, project

TEXT = """\
allowed_tools:
  - github/*
denied_tools: [github/delete_*]
file_patterns:
  include: ["src/**", "*.md"]
  exclude:
    - '*.pem'
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    project(tmp_path, {RULES: TEXT, "src/a": ""})
    return tmp_path


def decided(root: Path, **query: Any) -> Decision:
    policy = project(root).policy()
    return decide(policy, query, Resolver(policy.root))


def uri(root: Path) -> str:
    return (root.resolve() / "app" / RULES).as_uri()


def test_a_denied_file(root: Path) -> None:
    assert explained_in_markdown(decided(root, path="src/key.pem")) == (
        "**denied**: write `src/key.pem`\n\n"
        "`src/key.pem` is excluded by `*.pem` (excluded)\n\n"
        f"1. denies: `*.pem` excludes `src/key.pem` ([.coding-agent-rules.yaml:7:8]({uri(root)}#L7))\n"
        "2. passes: `src/**` includes it and is overruled"
        f" ([.coding-agent-rules.yaml:5:14]({uri(root)}#L5))\n\n"
        "rules: .coding-agent-rules.yaml\n"
    )


def test_an_allowed_tool(root: Path) -> None:
    assert explained_in_markdown(decided(root, tool="github/get_issue")) == (
        "**allowed**: call `github/get_issue`\n\n"
        "`github/get_issue` is allowed by `github/*` (allowed-tool)\n\n"
        "1. passes: no denying entry matches\n"
        f"2. allows: `github/*` allows it ([.coding-agent-rules.yaml:2:5]({uri(root)}#L2))\n\n"
        "rules: .coding-agent-rules.yaml\n"
    )


def test_rules_that_cannot_be_read(root: Path) -> None:
    (root / "app" / RULES).write_text("denied_tools: [Bash\n")
    assert explained_in_markdown(decided(root, tool="Bash")) == (
        "**allowed**: call `Bash`\n\n"
        "`Bash` is restricted by no rule (unrestricted)\n\n"
        "1. allows: `Bash` is restricted by no rule\n\n"
        "rules: .coding-agent-rules.yaml\n\n"
        "warning: this `[` is never closed, or a comma is missing behind an entry: add `]`;"
        " the rules of this file, its deny list included, are not in force\n"
    )


def test_the_steps_as_json(root: Path) -> None:
    answer = explained_as_json(decided(root, path="src/a"))
    assert (answer["allowed"], answer["code"], answer["path"]) == (True, "included", "src/a")
    assert [
        (step["effect"], step["sentence"], step["rule"] and step["rule"]["pattern"]) for step in answer["weighed"]
    ] == [
        ("passes", "no exclude matches", None),
        ("allows", "`src/**` includes it", "src/**"),
    ]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("plain words", "plain words"),
        ("`a*b` and `_c_`", "`a*b` and `_c_`"),
        ("a*b_c <d> [e](f)", "a\\*b\\_c \\<d\\> \\[e\\](f)"),
        ("`` x ` y `` z", "`` x ` y `` z"),
        ("one ` alone", "one \\` alone"),
        ("``a` b`", "\\`\\`a` b`"),
        ("a\nb", "a\ufffdb"),
    ],
)
def test_a_sentence(text: str, markdown: str) -> None:
    assert sentence(text) == markdown


@pytest.mark.parametrize(
    "path",
    ["x`[a](http://evil.example)`", "`<img src=x>", "a``b` ![i](http://evil.example) `", "``` <b> `", "\\`<b>"],
)
def test_a_path_is_never_markup(root: Path, path: str) -> None:
    markdown = explained_in_markdown(decided(root, path=path))
    inline = [child for token in MarkdownIt().parse(markdown) for child in token.children or []]
    links = [str(token.attrs["href"]) for token in inline if token.type == "link_open"]
    assert {token.type for token in inline} <= {
        "text", "text_special", "code_inline", "strong_open", "strong_close", "softbreak", "link_open", "link_close"
    }  # fmt: skip
    assert all(link.startswith(uri(root)) for link in links)
