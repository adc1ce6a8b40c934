"""Beginning, end, and the folders in between."""

from __future__ import annotations

import asyncio
import logging
import os

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.checks import CHECKS, CheckSettings
from rules_lsp.lsp.convert import encoding_of
from rules_lsp.lsp.parent import watch_process
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.state import ClientFlags, State
from rules_lsp.lsp.synchronization import publish_all
from rules_lsp.source.uri import from_uri

logger = logging.getLogger(__name__)


def initialize(server: RulesLanguageServer, params: types.InitializeParams) -> None:
    """Take the client's capabilities, settings and folders. Raises JsonRpcInvalidParams for settings it cannot read."""
    config, fold_case = _settings(server, params.initialization_options)
    state = State(config, fold_case=fold_case, settings=_check_settings(params.initialization_options))
    state.encoding = encoding_of(ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities))
    state.flags = ClientFlags.of(params.capabilities)
    for path in _initial_folders(params):
        state.folders.open(path)
    server.begin(state)
    server.messages.initialized = True
    if params.process_id is not None:
        watch_process(params.process_id, asyncio.get_running_loop(), server.end)


def did_change_workspace_folders(server: RulesLanguageServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Close and open folders; what they mean for open documents is published."""
    for folder in params.event.removed:
        path = _folder_path(folder.uri)
        if path is not None:
            server.state.folders.close(path)
    for folder in params.event.added:
        path = _folder_path(folder.uri)
        if path is not None:
            server.state.folders.open(path)
    publish_all(server)


def exit_server(server: RulesLanguageServer, _: object = None) -> None:
    """Stop at once."""
    server.end()


def _settings(server: RulesLanguageServer, options: object) -> tuple[str | None, bool | None]:
    """The configuration and the volume's nature: the command line's, else the editor's, else those of the server."""
    given = options if isinstance(options, dict) else {}
    config, folds = given.get("config"), given.get("caseInsensitive")
    # A setting that is not understood must not leave the operator's rules out: there is no server without them.
    if config is not None and not isinstance(config, str):
        raise JsonRpcInvalidParams("initializationOptions: `config` must be a path")
    if folds is not None and not isinstance(folds, bool):
        raise JsonRpcInvalidParams("initializationOptions: `caseInsensitive` must be true or false")
    named = server.config or (os.path.abspath(config) if config else None)
    return named, True if folds else server.fold_case


def _check_settings(options: object) -> CheckSettings:
    """How grave each code is. What of it is not understood is logged and left out: it decides nothing."""
    given = options.get("severity") if isinstance(options, dict) else None
    settings, faults = CheckSettings.of_json(given, {check.code for check in CHECKS})
    for fault in faults:
        logger.warning("initializationOptions: %s", fault)
    return settings


def _initial_folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders is not None:
        paths = [_folder_path(folder.uri) for folder in params.workspace_folders]
    elif params.root_uri is not None:
        paths = [_folder_path(params.root_uri)]
    else:
        paths = [params.root_path or None]
    return [path for path in paths if path is not None]


def _folder_path(uri: str) -> str | None:
    path = from_uri(uri)
    if path is None:
        logger.warning("the folder %s is no directory of this machine and is not served", uri)
    return path
