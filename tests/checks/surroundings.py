"""A text to check with the project around it, as a case file or an example describes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rules_lsp.checks import FileKind, Subject, kind_of_file
from rules_lsp.checks.common.kinds import neighbour_kind
from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.roots import Root
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import scan
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import read_server_files
from rules_lsp.workspace.servers import configured_servers


def kind_of_example(name: str) -> FileKind:
    """What a file of a case or an example is: of the files of one name those that are rule files come first."""
    return (None if name in DEFAULT_RULE_FILES else neighbour_kind(name)) or kind_of_file(name)


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
        return Subject.of_text(name, content, kind=kind_of_example(name), root=root)
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    kind, servers = kind_of_example(name), configured_servers(root.real)
    subject = Subject.of_text(name, content, path=str(path), kind=kind, root=root, known_servers=servers)
    catalogue = Catalogue.of_files(read_server_files(root.real))
    return subject.surrounded(Project(str(directory)).policy(), scan(root.real), catalogue)
