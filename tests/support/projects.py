"""Small projects on disk for tests: files, links, directories and the engine on top of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rules_lsp.workspace.project import Project

RULES = ".coding-agent-rules.yaml"
MARKDOWN = ".coding-agent-rules.md"


def build(
    directory: Path,
    files: Mapping[str, str | bytes] | None = None,
    *,
    links: Mapping[str, str] | None = None,
    directories: Iterable[str] = (),
) -> Path:
    """A project's root `app` below a directory, with what is to stand in it; the root is a real path."""
    root = directory.resolve() / "app"
    root.mkdir(exist_ok=True)
    for name in directories:
        (root / name).mkdir(parents=True, exist_ok=True)
    for name, content in (files or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    for name, target in (links or {}).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    return root


def project(
    directory: Path,
    files: Mapping[str, str | bytes] | None = None,
    *,
    links: Mapping[str, str] | None = None,
    directories: Iterable[str] = (),
    config: Path | None = None,
    fold_case: bool | None = False,
) -> Project:
    """A project that can be asked, with what is to stand in it."""
    root = build(directory, files, links=links, directories=directories)
    return Project(str(root), None if config is None else str(config), fold_case=fold_case)


def code(project: Project, **query: Any) -> str:
    """The code of the answer to a query; an answer whose code and verdict disagree fails."""
    answer = project.answer(query)
    found: str = answer["code"]
    assert answer["allowed"] == (found in ("unrestricted", "included", "allowed-tool", "disabled"))
    return found
