from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory that no configuration reaches; a check that fails raises in it."""
    monkeypatch.setenv("RULES_LSP_STRICT", "1")
    for name in ("RULES_LSP_CONFIG", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    directory = tmp_path.resolve() / "app"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory
