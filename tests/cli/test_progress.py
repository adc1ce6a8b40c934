from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import pytest

from rules_lsp.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def clock(times: Iterable[float]) -> Iterator[float]:
    yield from times


def drawn(stream: io.StringIO, times: list[float], counts: list[int], total: int | None = None) -> str:
    ticks = clock(times)
    with ProgressBar("files", total, stream=stream, clock=lambda: next(ticks)) as progress:
        for count in counts:
            assert progress(count) is True
    return stream.getvalue()


def test_nothing_is_drawn_within_a_second() -> None:
    assert drawn(Terminal(), [0.0, 0.5, 0.99], [1, 2]) == ""


def test_nothing_is_drawn_where_there_is_no_terminal() -> None:
    assert drawn(io.StringIO(), [0.0], [1, 2]) == ""


def test_a_mark_goes_to_and_fro_and_the_line_is_gone_at_the_end() -> None:
    first = "\r[###.....................] files: 1,000"
    second = "\r[.###....................] files: 2,000"
    gone = f"\r{' ' * 39}\r"
    assert drawn(Terminal(), [0.0, 1.0, 1.05, 1.2], [1000, 1500, 2000]) == first + second + gone


def test_with_a_total_it_is_a_bar() -> None:
    output = drawn(Terminal(), [0.0, 2.0], [50], 100)
    assert output.startswith("\r[############............] files: 50 of 100")


def test_the_line_is_gone_after_an_interruption() -> None:
    stream, ticks = Terminal(), clock([0.0, 2.0])
    with pytest.raises(KeyboardInterrupt), ProgressBar("files", stream=stream, clock=lambda: next(ticks)) as progress:
        progress(1)
        raise KeyboardInterrupt
    assert stream.getvalue().endswith(" \r")
