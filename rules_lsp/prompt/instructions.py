"""The instructions that an agent is told for a file: the chain, unless the project's settings switch it off."""

from __future__ import annotations

import os

from rules_lsp.policy.roots import Root
from rules_lsp.prompt.a0_keys import PROJECT_FILE
from rules_lsp.prompt.chain import Chain, chain_of
from rules_lsp.prompt.told_files import LeftOut, Overlay, read_told
from rules_lsp.source.records import replace


def instructions_for(root: str | Root, target: str | None = None, overlay: Overlay | None = None) -> Chain:
    """The chain of a target as `chain_of` makes it; empty where `include_agents_md` of an Agent Zero project is off.

    What is not told for that reason is left out as `disabled`. Never raises.
    """
    chain = chain_of(root, target, overlay)
    if _includes_agents_md(chain.root, overlay):
        return chain
    parts = (*(() if chain.own is None else (chain.own,)), *chain.parts)
    why = "`include_agents_md` switches it off"
    disabled = (LeftOut(part.name, part.path, "disabled", why, PROJECT_FILE) for part in parts)
    return replace(chain, own=None, parts=(), left_out=(*chain.left_out, *disabled))


def _includes_agents_md(root: Root, overlay: Overlay | None) -> bool:
    path = root.absolute(PROJECT_FILE)
    if not os.path.lexists(path) and (overlay is None or path not in overlay):
        return True
    found = read_told(path, root, overlay)
    if found is None or found.cause is not None:
        return True
    # Most projects have no such file.
    from rules_lsp.prompt.a0_project import read_a0_project

    return read_a0_project(found.text).project.include_agents_md
