"""A bar whose mark moves while nothing is told."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from rules_lsp.cli import progress, ticking
from rules_lsp.cli.ticking import TickingBar


class Terminal(io.StringIO):
    def __init__(self, tty: bool = True) -> None:
        super().__init__()
        self.twice = threading.Event()
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.getvalue().count("\r") >= 2:
            self.twice.set()
        return written


def test_the_mark_moves_by_itself_and_the_line_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for module, name, value in ((progress, "PATIENCE", 0.0), (progress, "INTERVAL", 0.0), (ticking, "INTERVAL", 0.001)):
        monkeypatch.setattr(module, name, value)
    with TickingBar("fixes found"):
        assert terminal.twice.wait(30)
    drawn = terminal.getvalue().split("\r")
    assert drawn[1:3] == ["[###.....................] fixes found: 0", "[.###....................] fixes found: 0"]
    assert drawn[-2:] == [" " * len(drawn[1]), ""]


def test_where_there_is_no_terminal_no_thread_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal(tty=False)
    monkeypatch.setattr(sys, "stderr", stream)
    before = threading.active_count()
    with TickingBar("fixes found") as bar:
        assert threading.active_count() == before
        assert bar(1) is True
    assert stream.getvalue() == ""
