"""A project and batches of edits for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rules_lsp.prompt.edits.model import CheckedEdits


def edit(path: str, search: str, replace: str) -> dict[str, Any]:
    return {"file_path": path, "search_block": search, "replace_block": replace}


def statuses(checked: CheckedEdits) -> list[tuple[str, str]]:
    return [(answer.status, answer.decision.code) for answer in checked.answers]


def reasons(checked: CheckedEdits) -> list[str]:
    return [answer.decision.reason for answer in checked.answers]


def tree(root: Path) -> dict[str, tuple[str, object]]:
    """Every name below a directory with what is there: a link's target, a file's mode and bytes."""
    found: dict[str, tuple[str, object]] = {}
    for directory, names, files in os.walk(root):
        for name in (*names, *files):
            path = Path(directory) / name
            told = path.relative_to(root).as_posix()
            if path.is_symlink():
                found[told] = ("link", os.readlink(path))
            elif path.is_dir():
                found[told] = ("directory", None)
            else:
                found[told] = (f"file {path.stat().st_mode & 0o777:o}", path.read_bytes())
    return found
