"""The README: its table of checks is the one that the program prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.cli.main import main

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN = "<!-- checks: what `rules-lsp rule --format markdown` prints -->\n"
END = "<!-- end of checks -->\n"


def test_the_table_of_checks_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    before, begin, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    table, end, after = rest.partition(END)
    assert (begin, end) == (BEGIN, END), "the marks around the table are gone"
    assert main(["rule", "--format", "markdown"]) == 0
    assert table == capsys.readouterr().out, "run `python tests/support/readme_table.py`"
