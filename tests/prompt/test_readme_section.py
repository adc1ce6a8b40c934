"""The README's section about personas and context files does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.cli.main import main
from tests.support.projects import build

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("RULES_LSP_CONFIG", raising=False)
    files = {
        ".coding-agent-rules.yaml": "file_patterns:\n  exclude: ['*.pem']\n",
        "src/app.py": "x = 1  # thirty-four bytes in all\n",
        "src/key.pem": "secret",
        "docs/index.md": "# 日本語\n",
    }
    monkeypatch.chdir(build(tmp_path, files))
    return README.read_text(encoding="utf-8").split("## Personas and context files\n")[1].split("\n## ")[0]


def test_the_files(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = section.split("```console\n$ rules-lsp context -f 'src/**/*' -r docs\n")[1].split("```")[0]
    assert main(["context", "-f", "src/**/*", "-r", "docs"]) == 1
    output = capsys.readouterr()
    assert output.out + output.err == shown


def test_the_persona(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.json").write_text(section.split("```json\n")[1].split("```")[0], encoding="utf-8")
    assert main(["persona", "p.json", "--for", "docs/index.md", "--task", "Rename x"]) == 0
    assert capsys.readouterr() == (
        "--- system ---\nYou name things well.\n--- user ---\nRename x\n\ndocs/index.md: # 日本語\n\n\n",
        "",
    )
