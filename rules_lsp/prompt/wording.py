"""The words that this package puts around what the files of a project say: templates, each with the names it knows.

The file name of a template is that of the host's own; a file of that name takes its place where a user has one.
"""

from __future__ import annotations

from rules_lsp.source.records import dataclass

NAMES: dict[str, str] = {
    "project_path": "The folder of the project, an absolute path.",
    "project_name": "The title of the project, or nothing.",
    "project_description": "What the project says that it is about, or nothing.",
    "project_git_url": "The address of the project's repository without user and password, or nothing.",
    "agents_md_instructions": "The instructions of the folders on the way to the files, each below its heading.",
    "project_instructions": "The instructions of the project, each below its heading.",
    "include_agents_md": "`True` or `False`, as the project says; both are something, so that a condition on it holds.",
}
"""The names that templates may use, and what each holds."""
PROJECT_NAMES = ("project_path", "project_name", "project_description", "project_git_url")


@dataclass(frozen=True, slots=True)
class Wording:
    """A template: its file name, its text, and the names that it may use."""

    file_name: str
    content: str
    names: tuple[str, ...] = ()


MAIN = Wording("agent.system.projects.main.md", "You may be working in a project; what follows says whether you are.")

ACTIVE = Wording(
    "agent.system.projects.active.md",
    """## Your project
- folder: {{project_path}}
{{if project_name}}- title: {{project_name}}
{{endif}}{{if project_description}}- about: {{project_description}}
{{endif}}{{if project_git_url}}- repository: {{project_git_url}}
{{endif}}
Three rules hold here:
1. Keep all of your work inside {{project_path}}.
2. Leave the name of the project's folder and everything in `.a0proj` alone, unless you are asked to change it.
3. Where the project gives instructions, follow them.""",
    PROJECT_NAMES,
)

INACTIVE = Wording("agent.system.projects.inactive.md", "You are working in no project at the moment.")

CHAIN = Wording(
    "agent.protocol.projects.agents_md.md",
    """## Instructions of the folders on the way to your files
Each of these binds you for the files of its folder and below, the later one first where two disagree. Those of the
project's root stand among the project's instructions. Before you change a file further down, read the `AGENTS.md` of
each folder on the way to it; those of other folders do not concern it.

{{agents_md_instructions}}""",
    ("agents_md_instructions",),
)

PROJECT = Wording(
    "agent.protocol.projects.instructions.md",
    """## Instructions of the project
These come from the project in which you work. Follow them as long as you work there.

{{project_instructions}}""",
    (*PROJECT_NAMES, "project_instructions", "include_agents_md"),
)

WORDINGS = {wording.file_name: wording for wording in (MAIN, ACTIVE, INACTIVE, CHAIN, PROJECT)}
"""Every template by its file name."""
