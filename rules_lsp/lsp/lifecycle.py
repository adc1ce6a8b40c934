"""Beginning, end, and the folders in between."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcInvalidParams

from rules_lsp.lsp.configuration import ask_settings
from rules_lsp.lsp.convert import encoding_of
from rules_lsp.lsp.flags import ClientFlags
from rules_lsp.lsp.parent import watch_process
from rules_lsp.lsp.pulling import PULL_METHODS
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.settings import SECTION, FolderSettings, read_settings
from rules_lsp.lsp.state import State
from rules_lsp.lsp.watching import WATCHERS
from rules_lsp.source.uri import usable_path

logger = logging.getLogger(__name__)


def initialize(server: RulesLanguageServer, params: types.InitializeParams) -> None:
    """Take the client's capabilities, settings and folders. Raises JsonRpcInvalidParams for settings it cannot read."""
    settings = _settings(params.initialization_options)
    state = State(server.config, fold_case=server.fold_case, settings=settings)
    state.encoding = encoding_of(ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities))
    state.flags = ClientFlags.of(params.capabilities)
    for path in _initial_folders(params) or ([server.root] if server.root is not None else []):
        state.folders.open(path)
    server.begin(state)
    if params.client_info is not None:
        server.approving.client = params.client_info.name
    if not state.flags.pull_diagnostics:
        server.messages.withdraw(*PULL_METHODS)
    # From here on a policy that changes is told.
    server.refreshing.refresh()
    server.messages.initialized = True
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    if params.process_id is not None:
        watch_process(params.process_id, asyncio.get_running_loop(), server.end)


def initialized(server: RulesLanguageServer, _: types.InitializedParams) -> None:
    """Register what is to be told, and ask for the settings of the folders."""
    flags = server.state.flags
    registrations: list[types.Registration] = []
    if flags.watched_files:
        watched = types.DidChangeWatchedFilesRegistrationOptions(WATCHERS)
        registrations.append(types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched))
    if flags.registered_configuration:
        section = types.DidChangeConfigurationRegistrationOptions(SECTION)
        registrations.append(types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if registrations:
        server.messages.send_request(
            types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations)
        ).add_done_callback(lambda answer: _registered(server, answer))
    ask_settings(server)


def did_change_workspace_folders(server: RulesLanguageServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Close and open folders; what they mean for open documents is published."""
    for folder in params.event.removed:
        path = _folder_path(folder.uri)
        if path is not None:
            server.state.close_folder(path)
            server.scans.forget(os.path.realpath(path))
            server.gates.forget(os.path.abspath(path))
    for folder in params.event.added:
        path = _folder_path(folder.uri)
        if path is not None:
            server.state.folders.open(path)
    ask_settings(server)
    server.refresh()


def _registered(server: RulesLanguageServer, answer: Future[Any]) -> None:
    accepted = not answer.cancelled() and answer.exception() is None
    server.watched = accepted and server.state.flags.watched_files


def exit_server(server: RulesLanguageServer, _: object = None) -> None:
    """Stop at once."""
    server.end()


def _settings(options: object) -> FolderSettings:
    """The settings that came with the first message; those of the command line are held against them by the state."""
    settings, faults = read_settings(options, FolderSettings())
    for fault in faults:
        # A setting that is not understood must not leave the operator's rules out: there is no server without them.
        if fault.name in ("config", "caseInsensitive"):
            raise JsonRpcInvalidParams(f"initializationOptions: {fault.message}")
        logger.warning("initializationOptions: %s", fault.message)
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
    path = usable_path(uri)
    if path is None:
        logger.warning("the folder %s is no directory of this machine and is not served", uri)
    return path
