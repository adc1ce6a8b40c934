"""The rules of the repository around a directory that a host calls the project's and that has none of its own.

A host calls the directory in which it was started the project's, and that may be one below the top. The rules around it
can only deny more: what lies outside of the directory stays outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules_lsp.policy.query import decide_by, lies_elsewhere
from rules_lsp.workspace.finding import find_root
from rules_lsp.workspace.project import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.policy.decision import Decision
    from rules_lsp.policy.policy import Policy

    Decide = Callable[[Mapping[str, Any]], Decision]


def project_around(project: Project) -> Project | None:
    """The project of the repository around one that has no rule file; None where there is none with rules."""
    if project.policy().rule_file is not None:
        return None
    top = find_root(project.root.real)
    around = Project(top, project.operator_config) if top != project.root.real else None
    return around if around is not None and around.policy().rule_file is not None else None


def narrowed(decide: Decide, projects: Iterable[Project]) -> Decide:
    """The decisions of `decide`, and where they allow, those of what is around each of the projects."""
    found = [(project, around) for project in projects if (around := project_around(project)) is not None]
    if not found:
        return decide

    def both(query: Mapping[str, Any]) -> Decision:
        decision = decide(query)
        if not decision.allowed:
            return decision
        for project, around in found:
            also = _asked(around.policy(), {**query, "cwd": query.get("cwd") or project.root.given})
            if not also.allowed and not lies_elsewhere(also):
                return also
        return decision

    return both


def _asked(policy: Policy, query: Mapping[str, Any]) -> Decision:
    return decide_by(lambda question: ((policy, question),), policy, query)
