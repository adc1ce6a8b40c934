"""No text and no cursor makes a feature of the rules raise, or point out of the document."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rules_lsp.features.completion import completion
from rules_lsp.features.completion_documentation import documentation
from rules_lsp.features.folding import folds
from rules_lsp.features.hover import hover
from rules_lsp.features.neighbours import NOTHING_OUTSIDE, neighbour_features
from rules_lsp.features.selection import selection_spans
from rules_lsp.features.semantic_tokens import semantic_tokens
from rules_lsp.features.symbols import document_symbols
from rules_lsp.source.edits import apply_edits
from rules_lsp.source.text import Span
from tests.features.prompter.project import RULES, rules_view
from tests.features.test_any_text import PIECES, within

FLOW = "{version: 1, rules: [{id: a, when: always, condition: {files: ['a', \"b\"]}, action: x}, *a, &b {<<: *b}]}"


def everything(root: Path, text: str, offsets: list[int]) -> None:
    """Ask every feature about a text, and those of places about some offsets."""
    features = neighbour_features("prompter")
    assert features.lenses is not None
    assert features.resolve_lens is not None
    assert features.actions is not None
    view = rules_view(root, text)
    size = len(view.subject.text.content)
    for lens in features.lenses(view):
        assert lens.span.end <= size
        told = features.resolve_lens(view, lens, NOTHING_OUTSIDE)
        assert told is not None
        assert told.title
    assert within(document_symbols(view.subject), size)
    assert all(fold.last < view.subject.text.line_count for fold in folds(view.subject))
    assert all(token.span.end <= size for token in semantic_tokens(view))
    for offset in offsets:
        shown = hover(view, offset)
        assert shown is None or (offset in shown.span and shown.span.end <= size)
        assert all(offset in span and span.end <= size for span in selection_spans(view.subject, offset))
        for action in features.actions(view, Span(offset, offset)):
            assert apply_edits(text, action.edits) != text
        found = completion(view, offset)
        for item in found.items if found is not None else ():
            assert item.span.end <= size
            assert item.topic is None or documentation(view, item.topic) is not None or item.topic.kind != "key"


@pytest.mark.parametrize("text", [RULES, FLOW])
def test_every_prefix(tmp_path: Path, text: str) -> None:
    for end in range(0, len(text) + 1, 3):
        everything(tmp_path, text[:end], [end])


@pytest.mark.parametrize("text", [RULES, FLOW, RULES.replace("\n", "\r\n")])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_written(tmp_path: Path, text: str, seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(8):
        start = choose.randrange(len(text) + 1)
        text = text[:start] + choose.choice(PIECES) + text[start + choose.choice((0, 0, 1, 5)) :]
        everything(tmp_path, text, choose.sample(range(len(text) + 1), 6))
