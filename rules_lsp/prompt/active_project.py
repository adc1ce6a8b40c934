"""What an agent is told of the project that it works in: a first sentence, and whether one is active."""

from __future__ import annotations

from collections.abc import Mapping

from rules_lsp.prompt.a0_project import A0Project
from rules_lsp.prompt.template import render
from rules_lsp.prompt.wording import ACTIVE, INACTIVE, MAIN, Wording

Templates = Mapping[str, str]
"""Texts that take the place of the package's own templates, by file name."""


def project_values(project: A0Project, path: str) -> dict[str, str]:
    """The names of the templates with their values; `path` is the absolute folder of the project."""
    return {
        "project_path": path,
        "project_name": project.title,
        "project_description": project.description,
        "project_git_url": project.git_url,
    }


def main_prompt(templates: Templates | None = None) -> str:
    """The sentence in front, whether a project is active or not."""
    return _made(MAIN, {}, templates)


def active_prompt(project: A0Project, path: str, templates: Templates | None = None) -> str:
    """What is told of an active project: its folder, its title, description and address, and the rules."""
    return _made(ACTIVE, project_values(project, path), templates)


def inactive_prompt(templates: Templates | None = None) -> str:
    """What is told where no project is active."""
    return _made(INACTIVE, {}, templates)


def _made(wording: Wording, values: Mapping[str, str], templates: Templates | None) -> str:
    return render((templates or {}).get(wording.file_name, wording.content), values)
