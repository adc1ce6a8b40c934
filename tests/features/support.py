"""A small project with one document open in it, and a cursor written as `<|>`."""

from __future__ import annotations

from pathlib import Path

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.view import View
from rules_lsp.source.text import Text
from rules_lsp.workspace.project import Project

CURSOR = "<|>"


def opened(root: Path, text: str, name: str = ".coding-agent-rules.yaml") -> tuple[View, int]:
    """The view of a document and the offset of the cursor in it."""
    offset = text.index(CURSOR)
    policy = Project(str(root)).policy()
    content = Text(text.replace(CURSOR, ""))
    subject = Subject.of_text(
        name, content, path=str(root / name), root=policy.root, known_servers=policy.known_servers
    )
    return View(subject, policy), offset


def drawn(view: View, start: int, end: int) -> str:
    """The text of a span of the view, for comparison with what should be marked."""
    return view.subject.text.content[start:end]
