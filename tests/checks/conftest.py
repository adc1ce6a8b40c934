from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def failing_checks_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_LSP_STRICT", "1")
