from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.make(tmp_path)
