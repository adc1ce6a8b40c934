from __future__ import annotations

from pathlib import Path

import pytest

RULES = "file_patterns:\n  exclude: ['*.pem', secrets/]\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project in which some files are denied."""
    made = tmp_path.resolve() / "app"
    made.mkdir()
    (made / ".coding-agent-rules.yaml").write_text(RULES, encoding="utf-8")
    return made


@pytest.fixture
def state(tmp_path: Path) -> str:
    """What takes the place of the user's state folder."""
    return str(tmp_path / "state")
