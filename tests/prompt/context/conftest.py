from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.projects import build

RULES = "file_patterns:\n  include: [src/**]\n  exclude: ['*.pem']\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a few files, at which the process stands; the home directory is empty."""
    home = tmp_path.resolve() / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("NO_SUCH", raising=False)
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    made = build(
        tmp_path,
        {
            ".coding-agent-rules.yaml": RULES,
            "src/a.py": "a = 1\n",
            "src/sub/b.py": "b = 22\n",
            "src/key.pem": "secret",
            "docs/guide.md": "# 日本語\n",
            "docs/logo.png": b"\x89PNG\x00",
        },
    )
    monkeypatch.chdir(made)
    return made
