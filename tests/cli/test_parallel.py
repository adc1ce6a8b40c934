from __future__ import annotations

import os
from multiprocessing import active_children

import pytest

from rules_lsp.cli import parallel
from rules_lsp.cli.parallel import mapped

PARENT = os.getpid()


def tenfold(number: int) -> tuple[int, bool]:
    return number * 10, os.getpid() == PARENT


def fragile(number: int) -> tuple[int, bool]:
    if number == 4 and os.getpid() != PARENT:
        os._exit(1)
    return tenfold(number)


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_processors", lambda: 2)


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(mapped(tenfold, range(7), spread=True)) == [(number * 10, False) for number in range(7)]


def test_little_work_is_done_here() -> None:
    assert list(mapped(tenfold, range(3), spread=False)) == [(0, True), (10, True), (20, True)]
    assert list(mapped(tenfold, [5], spread=True)) == [(50, True)]
    assert list(mapped(tenfold, [], spread=True)) == []


def test_the_work_of_a_process_that_dies_is_done_here() -> None:
    here = {4, 6}
    assert list(mapped(fragile, range(8), spread=True)) == [(number * 10, number in here) for number in range(8)]


def test_more_than_a_pipe_holds_gets_through() -> None:
    assert [len(text) for text in mapped(str.upper, ["a" * 300_000] * 5, spread=True)] == [300_000] * 5


def test_it_can_be_left_early() -> None:
    results = mapped(tenfold, range(100), spread=True)
    assert next(results) == (0, False)
    results.close()  # type: ignore[attr-defined]
    assert active_children() == []
