"""The example of the README's section on what the agent reads."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rules_lsp.cli.main import main

README = Path(__file__).parents[2] / "README.md"
FILES = {
    "AGENTS.md": "# Shop\n\n- Prices are whole cents.\n\n",
    "services/AGENTS.override.md": "# Services\n\n- Ask the owners.\n",
    "services/AGENTS.md": "# Services\n",
    "services/api/AGENTS.MD": "# API\n",
    "services/api/app.py": "",
}


def test_the_example_shows_what_the_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    _, _, section = README.read_text(encoding="utf-8").partition("\n## What the agent reads\n")
    _, _, block = section.partition("```console\n$ rules-lsp ")
    command, _, shown = block.partition("\n")
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == shown.partition("```")[0]
