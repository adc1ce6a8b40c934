"""Long lists are read without the parser: what comes out is the tree that the parser makes, to the last place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.policy.yaml.read_yaml import read_yaml
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_compose import compose
from rules_lsp.source.yaml_folding import FEWEST_DASHES, STAND_IN, fold
from rules_lsp.source.yaml_nodes import Mapping, Run, Scalar, Sequence


def items(number: int, indent: str = "  ", quote: str = "", line_break: str = "\n") -> str:
    return "".join(f"{indent}- {quote}src/{place}/*.py{quote}{line_break}" for place in range(number))


REMARK = f"# {'- ' * FEWEST_DASHES}\n"
"""Makes a short text one that is worth the trouble."""
HEADS = (
    "denied_tools:\n",
    "a: |\n",
    "a: >-\n",
    "a: 'b\n",
    "a: b\n",
    "a: &b\n",
    "? ",
    "- ",
    "a: [\n",
    "a:\n  b:\n",
    "# c\n",
    "",
)
"""What may stand above a list, be it one then or not."""
FRAGMENTS = (
    "\n",
    " ",
    "  ",
    "- ",
    ": ",
    ":",
    "#",
    " # c",
    '"',
    "'",
    "\\",
    "[",
    "]",
    "{",
    ",",
    "&a ",
    "*a",
    "!t ",
    "? ",
)
LINES = (
    "\r\n",
    "\r",
    "\t",
    "\u2028",
    "\x85",
    "é",
    "x",
    "\n- z",
    "\n      deeper\n",
    "\n---\n",
    "\n...\n",
    "\n    - below",
    STAND_IN,
)


def test_runs_are_folded() -> None:
    content = "denied_tools:\n" + items(100) + "x-a: b\n"
    folded = fold(content)
    assert folded is not None
    assert [run.written.count("\n") for run in folded.runs] == [63, 35]
    assert folded.content == f"denied_tools:\n  - {STAND_IN}\n  - {STAND_IN}\nx-a: b\n"


@pytest.mark.parametrize(
    "line",
    [
        "- a: b",
        "- a b",
        "- *a",
        '- "a\\n"',
        "- 'it''s'",
        "- a #",
        "- a ",
        "-  a",
        "- -a",
        "-\ta",
        "- ''",
        "- é",
        "- a:",
        "- !a",
    ],
)
def test_lines_that_say_more_than_a_text_are_left_to_the_parser(line: str) -> None:
    assert fold(f"{REMARK}a:\n{items(4)}  {line}\n{items(4)}") is None


def test_an_item_that_goes_on_is_left_to_the_parser() -> None:
    content = REMARK + "a:\n" + items(8) + "    more\n"
    tree = compose(content, content, 0)
    assert isinstance(tree, Mapping)
    last = tree.pairs[0][1]
    assert isinstance(last, Sequence)
    assert not any(isinstance(part, Run) for part in last.parts)
    assert last.items[-1] == Scalar("src/7/*.py more", Span(195, 214), Span(195, 214))


def test_items_of_a_run_have_their_places() -> None:
    content = REMARK + "# 🎉\na:\n" + items(8, "", '"', "\r\n") + "b: c\r\n"
    tree = compose(content, content, 10)
    assert isinstance(tree, Mapping)
    listed, (key, value) = tree.pairs[0][1], tree.pairs[1]
    assert isinstance(listed, Sequence)
    assert len(listed.parts) == 1
    assert listed.items[1] == Scalar("src/1/*.py", Span(119, 129), Span(118, 130), '"')
    assert (key.token, value.token) == (Span(228, 229), Span(231, 232))


@st.composite
def documents(draw: st.DrawFn) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        parts.append(draw(st.sampled_from(HEADS)))
        quote, line_break = draw(st.sampled_from(("", "'", '"'))), draw(st.sampled_from(("\n", "\r\n")))
        parts.append(items(draw(st.sampled_from((7, 8, 70))), " " * draw(st.integers(0, 4)), quote, line_break))
    content = "".join(parts)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(content)))
        removed = draw(st.integers(0, 3))
        content = content[:at] + draw(st.sampled_from((*FRAGMENTS, *LINES, ""))) + content[at + removed :]
    return content


@settings(max_examples=500)
@given(documents())
def test_reading_is_that_of_the_parser(content: str) -> None:
    # What stands for a run cannot be told from such a comment, so that nothing is folded.
    unfolded = read_yaml(Text(f"#{STAND_IN}\n{REMARK}{content}"))
    folded = read_yaml(Text(f"#x\n{REMARK}{content}"))
    assert folded.shown == unfolded.shown
    assert folded.problems == unfolded.problems
    assert folded.document == unfolded.document


def test_short_texts_are_left_to_the_parser() -> None:
    assert fold("a:\n" + items(FEWEST_DASHES - 1)) is None
    assert fold("a:\n" + items(FEWEST_DASHES)) is not None
