"""What is known around the texts of a project: gathered once, given to each of its subjects."""

from __future__ import annotations

from rules_lsp.checks.common.other_files import subjects_of_project
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass, replace
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.inventory import FileInventory, Progress, scan
from rules_lsp.workspace.live.catalogued import known_catalogue
from rules_lsp.workspace.project import Project


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The policy of the saved files, every file of the project, and the tools of its configured servers."""

    policy: Policy
    files: FileInventory
    catalogue: Catalogue

    @classmethod
    def of(cls, project: Project, progress: Progress | None = None) -> Surroundings:
        """What is known of a project now; `progress` is asked as the files are counted."""
        policy = project.policy()
        return cls(policy, scan(project.root.real, progress), known_catalogue(project.root.real))

    def around(self, subject: Subject) -> Subject:
        """The subject with what is known around it."""
        return subject.surrounded(self.policy, self.files, self.catalogue)

    def subjects(self) -> list[Subject]:
        """The saved files that are checked with the project, as `subjects_of_project` finds them."""
        return [self.around(subject) for subject in subjects_of_project(self.policy, self.files)]


def with_content(subject: Subject, content: str) -> Subject:
    """The subject as it would be with another text; what was known around it stays."""
    changed = Subject.of_text(
        subject.name,
        content,
        path=subject.path,
        kind=subject.kind,
        root=subject.root,
        known_servers=subject.known_servers,
    )
    return replace(
        changed,
        meanwhile=subject.meanwhile,
        policy=subject.policy,
        files=subject.files,
        catalogue=subject.catalogue,
    )
