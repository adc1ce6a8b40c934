"""Commands for an editor's own views of the rules: the rules in force as data, and a rule file to start from."""

from __future__ import annotations

import os
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.features.overview import overview_as_json
from rules_lsp.features.preview import view_in_force
from rules_lsp.features.starter import STARTERS, notes_of
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.uri import to_uri
from rules_lsp.workspace.project import Project


def overview(server: RulesLanguageServer, *arguments: Any) -> list[dict[str, Any]]:
    """The rules in force in every open folder, or with `{"folder"}` in one, as data: lists, files, tools and problems.

    Raises JsonRpcInvalidParams for other arguments.
    """
    return [_overview(server, project) for project in projects_asked(server, arguments, "rulesLsp.overview")]


def starter(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """A commented rule file for `{"folder", "format"}`: its `uri`, its `text`, whether it `exists`, and `notes`.

    Nothing is written; the format is `yaml` or `md`. Raises JsonRpcInvalidParams for other arguments.
    """
    (project, *_) = projects_asked(server, arguments, "rulesLsp.starter")
    form = arguments[0].get("format", "yaml") if arguments else "yaml"
    if not isinstance(form, str) or form not in STARTERS:
        raise JsonRpcInvalidParams(
            f"the `format` of a rule file is one of {', '.join(f'`{each}`' for each in STARTERS)}"
        )
    name, text = STARTERS[form]
    path = os.path.join(project.root.given, name)
    notes = list(notes_of(project.policy(), name))
    return {"uri": to_uri(path), "text": text, "exists": os.path.lexists(path), "notes": notes}


def projects_asked(server: RulesLanguageServer, arguments: tuple[Any, ...], command: str) -> tuple[Project, ...]:
    """The open folder that the one argument names, else all. Raises JsonRpcInvalidParams where there is none."""
    asked = arguments[0] if len(arguments) == 1 else {} if not arguments else None
    if not isinstance(asked, dict):
        raise JsonRpcInvalidParams(f"`{command}` takes one object")
    folder = asked.get("folder")
    named = server.state.folders.named(folder) if folder is not None else None
    found = server.state.folders.projects if folder is None else (named,) if named is not None else ()
    if not found:
        raise JsonRpcInvalidParams(f"the `folder` of `{command}` names no open folder")
    return found


def _overview(server: RulesLanguageServer, project: Project) -> dict[str, Any]:
    state, root = server.state, project.root
    server.scans.want(root.real, watched=server.watched)
    view = view_in_force(project.policy(), state.knowledge.files(root), state.knowledge.catalogue(root))
    server.refreshing.tell_policies()
    return overview_as_json(view, state.settings_of(root).checks, state.encoding)
