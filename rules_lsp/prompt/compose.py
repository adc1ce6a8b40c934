"""One view of everything that an agent is told, with the place of each line and the reason of each part.

The order is that of a host: its own system prompt, the project that is active, the extension of the rules in force,
the rules of Auto Prompter that hold always, the tools of the MCP servers; then, as messages in front of the history,
the instructions of the folders on the way to the target, and those of the project.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from rules_lsp.policy.policy import Policy
from rules_lsp.policy.roots import Root
from rules_lsp.prompt.a0_keys import META_FOLDER, PROJECT_FILE
from rules_lsp.prompt.a0_project import A0ProjectReading, read_a0_project
from rules_lsp.prompt.active_project import Templates, active_prompt, inactive_prompt, main_prompt, project_values
from rules_lsp.prompt.always_parts import always_parts
from rules_lsp.prompt.instructions import instructions_for
from rules_lsp.prompt.message_parts import (
    chain_message,
    listed_folders,
    project_message,
    replace_before,
)
from rules_lsp.prompt.system_parts import Told, base_part, extension_parts, tool_parts
from rules_lsp.prompt.told_files import LeftOut, Overlay, read_told
from rules_lsp.prompt.view import BUDGETED, GAP, SYSTEM_SECTIONS, OverBudget, Part, PromptView, section_tokens
from rules_lsp.prompt.wording import INACTIVE
from rules_lsp.source.text import Span, Text
from rules_lsp.workspace.catalogue import Catalogue
from rules_lsp.workspace.live.catalogued import learnt_for
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import read_server_files

_NO_BUDGETS: Mapping[str, int] = {}


def compose(
    project: Project,
    target: str | None = None,
    *,
    base: str | None = None,
    active: bool = True,
    budgets: Mapping[str, int] = _NO_BUDGETS,
    templates: Templates | None = None,
    overlay: Overlay | None = None,
    policy: Policy | None = None,
) -> PromptView:
    """What an agent is told that works on a target, now; never raises.

    `target` is absolute or root-relative; without one the root is meant. `base` is the absolute path of a file with the
    host's own system prompt. `active` says whether an Agent Zero project is active in the conversation. `budgets` has
    estimated tokens by the names of `view.BUDGETED`. `templates` has texts by the file names of `wording.WORDINGS`.
    `overlay` has the texts of open editors by absolute path, links resolved, `policy` the rules that hold with them.
    """
    root = project.root
    rules = policy if policy is not None else project.policy()
    a0 = _Project(root, overlay)
    told = [*_system(root, rules, a0, base, active, templates, overlay)]
    chain = instructions_for(root, target, overlay)
    if a0.exists and not active:
        told.append(LeftOut(META_FOLDER, root.absolute(META_FOLDER), "disabled", "the project is not active"))
    else:
        told += chain.left_out
        told += chain_message(chain, templates)
        told += project_message(chain, a0.reading, a0.text, a0.values, templates, overlay)
    parts = tuple(_spaced(each for each in told if isinstance(each, Part)))
    return PromptView(
        root,
        chain.target,
        chain.folder,
        parts,
        tuple(each for each in told if isinstance(each, LeftOut)),
        listed_folders(root),
        tuple(_over(parts, budgets)),
    )


class _Project:
    """The Agent Zero project of a root: whether there is one, and what its file says, None where it has none."""

    def __init__(self, root: Root, overlay: Overlay | None) -> None:
        self.path = root.absolute(PROJECT_FILE)
        self.exists = os.path.isdir(root.absolute(META_FOLDER))
        self.problem: LeftOut | None = None
        self.text: Text | None = None
        self.reading: A0ProjectReading | None = None
        self.values: dict[str, str] = {}
        if not self.exists:
            return
        found = read_told(self.path, root, overlay)
        if found is not None and found.cause is not None:
            self.problem = LeftOut(PROJECT_FILE, self.path, found.cause, found.why)
        readable = found is not None and found.cause is None
        self.text = found.text if found is not None and readable else Text("")
        self.reading = read_a0_project(self.text)
        if self.reading.error is not None:
            why = f"it does not parse, so only what can be made out of it is told: {self.reading.error.message}"
            self.problem = LeftOut(PROJECT_FILE, self.path, "broken", why)
        self.values = project_values(self.reading.project, root.given)


def _system(
    root: Root,
    policy: Policy,
    a0: _Project,
    base: str | None,
    active: bool,
    templates: Templates | None,
    overlay: Overlay | None,
) -> Iterator[Told]:
    yield from base_part(base, root, overlay)
    yield from _active_project(root, a0, active, templates)
    yield from extension_parts(policy)
    yield from always_parts(root, overlay)
    files = read_server_files(root.real, _relative(root, overlay))
    yield from tool_parts(root, files, Catalogue.of_files(files, learnt_for(root.real, files)))


def _active_project(root: Root, a0: _Project, active: bool, templates: Templates | None) -> Iterator[Told]:
    if a0.problem is not None:
        yield a0.problem
    if a0.reading is None:
        return
    before = main_prompt(templates) + GAP
    if not active:
        text = inactive_prompt(templates)
        yield Part("active_project", INACTIVE.file_name, None, None, None, before, text, "no project is active")
        return
    text = active_prompt(a0.reading.project, root.given, templates)
    source = a0.text if a0.text is not None and a0.text.content else None
    span = None if source is None else Span(0, len(source.content))
    why = "the project is active; it is made of its settings, without credentials"
    path = None if source is None else a0.path
    yield Part(
        "active_project", PROJECT_FILE if source is not None else META_FOLDER, path, source, span, before, text, why
    )


def _relative(root: Root, overlay: Overlay | None) -> dict[str, str] | None:
    if overlay is None:
        return None
    names = ((root.relative(path), text) for path, text in overlay.items())
    return {name: text for name, text in names if name}


def _spaced(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts of the system prompt with an empty line between them; those of messages stand as they are."""
    begun = False
    for part in parts:
        in_system = part.section in SYSTEM_SECTIONS
        yield replace_before(part, GAP + part.before) if in_system and begun and part.told else part
        begun = begun or (in_system and bool(part.told))


def _over(parts: tuple[Part, ...], budgets: Mapping[str, int]) -> Iterator[OverBudget]:
    for section in BUDGETED:
        budget = budgets.get(section)
        if budget is not None and (tokens := section_tokens(parts, section)) > budget:
            yield OverBudget(section, tokens, budget)
