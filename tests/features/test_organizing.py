"""Lists in order, text by text: comments, quotes and line ends stay, and every decision with them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.organizing import organized
from rules_lsp.source.edits import apply_edits

YAML = ".coding-agent-rules.yaml"
MARKDOWN = ".coding-agent-rules.md"


def after(text: str, name: str = YAML) -> str:
    subject = Subject.of_text(name, text)
    return apply_edits(text, organized(subject))


@pytest.mark.parametrize(
    ("text", "sorted_"),
    [
        ("denied_tools:\n  - b/x\n  - a/y\n", "denied_tools:\n  - a/y\n  - b/x\n"),
        ("denied_tools:\n- b\n- 'a'\n- \"C\"", "denied_tools:\n- 'a'\n- b\n- \"C\""),
        ("denied_tools:\r\n  - b # of b\r\n  - a\r\n", "denied_tools:\r\n  - a\r\n  - b # of b\r\n"),
        (
            "denied_tools:\n  # on b\n  # and more\n  - b\n  # on a\n  - a # 😀\n  # the end\nx-a: 1\n",
            "denied_tools:\n  # on a\n  - a # 😀\n  # on b\n  # and more\n  - b\n  # the end\nx-a: 1\n",
        ),
        ("denied_tools:\n  - b\n  - a\n  - b\n", "denied_tools:\n  - a\n  - b\n"),
        (
            "denied_tools:\n  - b # one\n  # more\n  - 'b' # two\n  - a\n",
            "denied_tools:\n  - a\n  # more\n  # two\n  - b # one\n",
        ),
        (
            "denied_tools:\n  # reads\n  - d\n  - c\n\n  # writes\n  - b\n  - a\n",
            "denied_tools:\n  - c\n  # reads\n  - d\n\n  - a\n  # writes\n  - b\n",
        ),
        ("denied_tools:\n  - b\n\n  - 日本\n  - a\n", "denied_tools:\n  - b\n\n  - a\n  - 日本\n"),
        ("denied_tools:\n  - b\n\n  - b\n  - a\n", "denied_tools:\n  - b\n\n  - a\n"),
        ("denied_tools: [b/x, 'a/y',  \"c\"]\n", "denied_tools: ['a/y', b/x,  \"c\"]\n"),
        ("denied_tools: [b, a, b, a]", "denied_tools: [a, b]"),
        ("denied_tools: [\n  b,\n  a\n]\n", "denied_tools: [\n  a,\n  b\n]\n"),
        (
            "denied_tools: [\n  b, # of b\n  # of a\n  a # last\n]\n",
            "denied_tools: [\n  # of a\n  a, # last\n  b # of b\n]\n",
        ),
        ("denied_tools: [\n  b, # of b\n  a,\n]\n", "denied_tools: [\n  a,\n  b, # of b\n]\n"),
        (
            "file_patterns:\n  include: ['src/**', docs/]\n  exclude:\n    - \"*.pem\"\n    - '*.key'\n",
            "file_patterns:\n  include: [docs/, 'src/**']\n  exclude:\n    - '*.key'\n    - \"*.pem\"\n",
        ),
    ],
)
def test_yaml(text: str, sorted_: str) -> None:
    assert after(text) == sorted_
    assert after(sorted_) == sorted_


@pytest.mark.parametrize(
    "text",
    [
        "denied_tools:\n  - a\n  - b\n",
        "denied_tools: [a, b]\n",
        "denied_tools: [a]\n",
        "denied_tools: []\n",
        "denied_tools:\n  - b\n  - a: 1\n",
        "denied_tools:\n  - b\n  - &x a\n",
        "denied_tools: &x\n  - b\n  - a\nallowed_tools: *x\n",
        "denied_tools:\n  - |\n    b\n  - a\n",
        "denied_tools: [\n  b, c, # two\n  a\n]\n",
        "denied_tools:\n  - b\n  - 'a\n",
        "denied_tools:\n  - a\n  # rules-lsp: ignore[duplicate-entry] on purpose\n  - a\n",
        "system_prompt_extension: |\n  - b\n  - a\n",
        "",
    ],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert after(text) == text


@pytest.mark.parametrize(
    ("text", "sorted_"),
    [
        (
            "# Rules\n\n## Denied Tools\n\n- `b/x` — no\n* not a rule of that list\n",
            "# Rules\n\n## Denied Tools\n\n- `b/x` — no\n* not a rule of that list\n",
        ),
        (
            "## Denied Tools\n- `b/x` — it writes\n- `a/y`\n  and more of it\n- `b/x` — it writes\n",
            "## Denied Tools\n- `a/y`\n  and more of it\n- `b/x` — it writes\n",
        ),
        ("## Denied Tools\r\n- `b`\r\n- a\r\n- `a`", "## Denied Tools\r\n- a\r\n- `b`"),
        (
            "## File Patterns\n### Include\n- `src/**`, `b`\n- `docs/`\n### Exclude\n- include:\n",
            "## File Patterns\n### Include\n- `docs/`\n- `src/**`, `b`\n### Exclude\n- include:\n",
        ),
        ("- b\n- a\n\n## Denied Tools\n- `b`\n\n- `a`\n", "- b\n- a\n\n## Denied Tools\n- `a`\n\n- `b`\n"),
        ("## Denied Tools\n1. `b`\n2. `a`\n", "## Denied Tools\n1. `b`\n2. `a`\n"),
        (
            "## Denied Tools\n<!-- rules-lsp: ignore[unknown-tool] -->\n- `b/x`\n- `a/y`\n",
            "## Denied Tools\n<!-- rules-lsp: ignore[unknown-tool] -->\n- `b/x`\n- `a/y`\n",
        ),
        (
            "## File Patterns\n- exclude:\n  - `b`\n  - `a`\n- include: `x`\n",
            "## File Patterns\n- exclude:\n  - `a`\n  - `b`\n- include: `x`\n",
        ),
        ("## Allowed Tools\n- [x] `b`\n- [ ] `c`\n- [x] `a`\n", "## Allowed Tools\n- [x] `a`\n- [x] `b`\n- [ ] `c`\n"),
    ],
)
def test_markdown(text: str, sorted_: str) -> None:
    assert after(text, MARKDOWN) == sorted_
    assert after(sorted_, MARKDOWN) == sorted_


def test_default_rules_of_a_configuration() -> None:
    text = "project_agent_rules:\n  default_rules:\n    denied_tools:\n      - b\n      - a\n"
    assert after(text, "config.yaml") == text.replace("- b\n      - a", "- a\n      - b")


ENTRY = st.sampled_from(["a", "'a'", '"b/*"', "b/*", "c", "'*.pem'", "日本", "x#y"])
LINE = st.one_of(
    ENTRY.map(lambda entry: f"  - {entry}\n"),
    ENTRY.map(lambda entry: f"  - {entry} # on {entry}\n"),
    st.sampled_from(["  # a comment\n", "\n", "  # another\n"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINE, min_size=2, max_size=9))
def test_nothing_is_lost(lines: list[str]) -> None:
    text = "denied_tools:\n" + "".join(lines) + "x-end: 1\n"
    subject = Subject.of_text(YAML, text)
    changed = after(text)
    texts = [entry.text for rules in Subject.of_text(YAML, changed).shown.lists() for entry in rules.entries]
    assert set(texts) == {entry.text for rules in subject.shown.lists() for entry in rules.entries}
    # A sign within an entry that was left out as a repetition is no comment.
    left_out = text.count("- x#y") - changed.count("- x#y")
    assert changed.count("#") == text.count("#") - left_out
    assert after(changed) == changed
