"""Commands about what an agent is told: the whole of it, and the instructions that hold for a file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass
from rules_lsp.source.uri import usable_path
from rules_lsp.workspace.project import Project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.prompt.chain import Chain
    from rules_lsp.prompt.view import PromptView

_INSTRUCTIONS = "rulesLsp.instructionsFor"
_PROMPT = "rulesLsp.previewPrompt"


async def instructions_for_file(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """The instructions that hold for `{"path"}` or `{"uri"}`, as `rules-lsp instructions --format json` prints them.

    A relative path starts at the first open folder, or at `folder`. Raises JsonRpcInvalidParams for other arguments.
    """
    asked = _object(arguments, _INSTRUCTIONS)
    target = target_asked(server, asked, ("path", "uri"), _INSTRUCTIONS)
    if target.path is None:
        raise JsonRpcInvalidParams(f"`{_INSTRUCTIONS}` takes one object with `path` or `uri`")
    encoding = server.state.encoding
    from rules_lsp.prompt.as_json import chain_as_json

    return await asyncio.to_thread(lambda: chain_as_json(told_instructions(target), encoding))


async def preview_prompt(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """All that an agent is told that works on `{"for"}`, a path or URI, as `rules-lsp prompt --format json` prints it.

    Without `for` the root of the first open folder is meant, or of `folder`; open documents count as they are in the
    editor. Raises JsonRpcInvalidParams for other arguments.
    """
    target = target_asked(server, _object(arguments, _PROMPT), ("for",), _PROMPT)
    encoding = server.state.encoding
    from rules_lsp.prompt.as_json import view_as_json

    return await asyncio.to_thread(lambda: view_as_json(told_prompt(target), encoding))


@dataclass(frozen=True, slots=True)
class Target:
    """A file or folder of a project, None for its root, with the open documents and the rules that they make."""

    project: Project
    path: str | None
    overlay: Mapping[str, str]
    policy: Policy


def target_asked(server: RulesLanguageServer, asked: Mapping[str, Any], keys: tuple[str, ...], command: str) -> Target:
    """What one of some keys names, with its project. Raises JsonRpcInvalidParams where it names nothing."""
    folders, folder = server.state.folders, asked.get("folder")
    named = folders.named(folder) if folder is not None else next(iter(folders.projects), None)
    if named is None:
        raise JsonRpcInvalidParams(f"the `folder` of `{command}` names no open folder")
    given = next((asked[key] for key in keys if asked.get(key) is not None), None)
    path: str | None = None
    if given is not None:
        if isinstance(given, str) and given[:5].lower() == "file:":
            path = usable_path(given)
        elif isinstance(given, str) and "\0" not in given:
            path = os.path.join(named.root.given, given)
        if path is None:
            raise JsonRpcInvalidParams(f"`{command}` takes a path or a `file:` URI")
    project = named if folder is not None or path is None else folders.innermost(path) or named
    buffers = server.state.buffers()
    overlay = {os.path.realpath(each): text for each, text in buffers.items()}
    return Target(project, path, overlay, folders.buffer_policy(project, buffers))


def told_instructions(target: Target) -> Chain:
    """The instructions that hold for a target."""
    from rules_lsp.prompt.instructions import instructions_for

    return instructions_for(target.project.root, target.path, target.overlay)


def told_prompt(target: Target) -> PromptView:
    """All that is told for a target."""
    # A server that is never asked for it starts without all that it takes in.
    from rules_lsp.prompt.compose import compose

    return compose(target.project, target.path, overlay=target.overlay, policy=target.policy)


def _object(arguments: tuple[Any, ...], command: str) -> Mapping[str, Any]:
    asked = arguments[0] if len(arguments) == 1 else {} if not arguments else None
    if not isinstance(asked, dict):
        raise JsonRpcInvalidParams(f"`{command}` takes one object")
    return asked
