"""The README's tables of methods, commands and settings are those of the server."""

from __future__ import annotations

import pytest

from rules_lsp.lsp.registration import METHODS
from tests.support.methods_table import README, TABLES, marked


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_current(name: str) -> None:
    found = marked(name).search(README.read_text(encoding="utf-8"))
    assert found is not None, "the marks around the table are gone"
    assert found[2] == TABLES[name](), "run `python -m tests.support.methods_table`"


def test_every_handler_says_what_it_does() -> None:
    assert [method.name for method in METHODS if not method.handler.__doc__] == []
