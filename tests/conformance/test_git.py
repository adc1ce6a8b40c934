"""The engine against the real git: more than 600,000 pairs of a pattern and a path, none may differ.

Left out is what the engine reads otherwise on purpose: what it calls broken (git mostly reads it as a pattern that
matches nothing) and a leading `./`. Its other exceptions, braces and `#`, are not drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random, SystemRandom

import pytest

from rules_lsp.policy.glob import Glob, parse_glob
from tests.conformance.generate import (
    FEATURES,
    Drawn,
    draw_noise,
    draw_pattern,
    draw_question,
    every_small_question,
)
from tests.conformance.git_oracle import Question, ignored_by_git

_PATTERNS = 8000
_PATHS = 21
_NOISE = 2000


def _compare(questions: Iterable[Question], work_tree: Path) -> Counter[str]:
    """Asks git and the engine; fails with the pairs on which they differ."""
    readable = [
        (question, glob)
        for question in questions
        if isinstance(glob := parse_glob(question.pattern), Glob) and not question.pattern.startswith("./")
    ]
    tally: Counter[str] = Counter()
    differing: list[str] = []
    answers = ignored_by_git([question for question, _ in readable], work_tree)
    for (question, glob), ignored in zip(readable, answers, strict=True):
        for path in question.paths:
            is_directory = path in question.directories
            covered = glob.covers(path, is_directory)
            tally["pairs"] += 1
            tally["matching"] += covered
            tally["directories"] += is_directory
            if covered != (path in ignored):
                kind = "directory" if is_directory else "file"
                differing.append(f"{question.pattern!r} {kind} {path!r}: git {path in ignored}, engine {covered}")
    assert not differing, "\n".join([f"{len(differing)} pairs differ", *differing[:20]])
    return tally


@pytest.mark.parametrize("seed", [20260729, SystemRandom().randrange(2**32)], ids=["fixed-seed", "fresh-seed"])
def test_drawn_patterns_mean_what_git_means(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nseed of the drawn patterns: {seed}")
    random = Random(seed)
    drawn = [draw_pattern(random) for _ in range(_PATTERNS)]
    questions = [draw_question(random, item, _PATHS) for item in drawn]
    noise = [draw_noise(random) for _ in range(_NOISE)]
    questions += [draw_question(random, Drawn(text, frozenset(), draw_noise), 10) for text in noise]

    tally = _compare(questions, tmp_path)

    features = Counter(feature for item in drawn for feature in item.features)
    assert {feature: features[feature] for feature in FEATURES if features[feature] < _PATTERNS // 50} == {}
    assert tally["pairs"] >= 150_000
    assert tally["matching"] >= tally["pairs"] / 5
    assert tally["directories"] >= tally["pairs"] / 10


def test_every_small_pattern_means_what_git_means(tmp_path: Path) -> None:
    tally = _compare(every_small_question(), tmp_path)
    assert tally["pairs"] >= 300_000
    assert tally["matching"] >= tally["pairs"] / 20
