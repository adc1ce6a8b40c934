"""A text to check with the project around it, as a case file or an example describes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rules_lsp.checks import Subject
from rules_lsp.policy.roots import Root
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import scan
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import read_server_files
from rules_lsp.workspace.servers import configured_servers


def surrounded_subject(name: str, content: str, others: Mapping[str, str], directory: Path) -> Subject:
    """The text `name` in a project that holds it and the other files.

    A text without other files is checked as if nothing were known of its project but where it lies.
    """
    for file, text in others.items():
        path = directory / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    root = Root.at(str(directory))
    if not others:
        return Subject.of_text(name, content, root=root)
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    subject = Subject.of_text(name, content, path=str(path), root=root, known_servers=configured_servers(root.real))
    catalogue = Catalogue.of_files(read_server_files(root.real))
    return subject.surrounded(Project(str(directory)).policy(), scan(root.real), catalogue)
