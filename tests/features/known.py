"""A document in a project of which the files and the servers are known."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rules_lsp.checks.common.kinds import FileKind
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.view import View
from rules_lsp.policy.model import Entry
from rules_lsp.source.text import Text
from rules_lsp.workspace.catalogue import Catalogue, KnownTool
from rules_lsp.workspace.inventory import FileInventory
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import read_server_files
from tests.support.learnt import learnt_by_name


def known_view(
    root: Path,
    text: str,
    name: str = ".coding-agent-rules.yaml",
    *,
    files: Iterable[str] = (),
    tools: dict[str, list[str]] | None = None,
    complete: bool = True,
    capped: bool = False,
    kind: FileKind | None = None,
) -> View:
    """The view of a document; `files` are what the scan found, `tools` the names by server, learnt from it."""
    policy = Project(str(root)).policy()
    subject = Subject.of_text(
        name, Text(text), path=str(root / name), kind=kind, root=policy.root, known_servers=policy.known_servers
    )
    paths = sorted(files)
    directories = {path[:at] for path in paths for at, letter in enumerate(path) if letter == "/"}
    inventory = FileInventory(tuple(paths), tuple(sorted(directories)), complete, capped)
    server_files = read_server_files(str(root))
    learnt = learnt_by_name({name: [KnownTool(tool) for tool in each] for name, each in (tools or {}).items()})
    catalogue = Catalogue.of_files(server_files, learnt([server for file in server_files for server in file.servers]))
    return View(subject.surrounded(policy, inventory, catalogue), policy)


def entry(view: View, text: str) -> Entry:
    """The first entry of that text."""
    return next(each for rules in view.subject.shown.lists() for each in rules.entries if each.text == text)
