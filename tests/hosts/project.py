"""The repository in which the hosts work, and rules for it."""

from __future__ import annotations

import json
from pathlib import Path

RULES = """\
denied_tools:
  - stubfs/make_file
file_patterns:
  include:
    - src/**
  exclude:
    - secrets/**
x-tool-paths:
  stubfs/put_file: [path]
"""
NO_RULES = ""
BROKEN_RULES = "denied_tools: [stubfs/make_file\n"
DENY_WHEN_BROKEN = "project_agent_rules:\n  on_error: deny\n"

_CELL = {"cell_type": "markdown", "id": "one", "metadata": {}, "source": ["old"]}
_NOTEBOOK = json.dumps({"cells": [_CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
FILES = {
    "src/app.py": "old\n",
    "src/notes.txt": "old\n",
    "src/one.txt": "old\n",
    "src/two.txt": "old\n",
    "src/book.ipynb": _NOTEBOOK,
    "src/parts/part.txt": "old\n",
    "docs/guide.md": "old\n",
    "docs/book.ipynb": _NOTEBOOK,
    "secrets/notes.txt": "old\n",
}
LINKS = {"src/to-secrets": "../secrets", "src/to-parts": "parts"}


def write_project(project: Path, rules: str, config: str | None = None) -> None:
    """Write the files that the calls are about, the rules, and the configuration."""
    for name, content in FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    for name, target in LINKS.items():
        (project / name).symlink_to(target)
    (project / ".coding-agent-rules.yaml").write_text(rules, encoding="utf-8")
    if config is not None:
        (project / "config.yaml").write_text(config, encoding="utf-8")


def content_of(project: Path, path: str) -> str | None:
    """What a file holds now, None where it is absent."""
    file = project / path
    return file.read_text(encoding="utf-8") if file.exists() else None
