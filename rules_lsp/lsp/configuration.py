"""The settings of the editor's user: asked of the client where it can be asked, else taken as it sends them."""

from __future__ import annotations

import logging
import os
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.lsp.settings import SECTION, FolderSettings, read_settings, section_of
from rules_lsp.source.records import replace
from rules_lsp.source.uri import to_uri

_NO_SUCH_CONFIG = "`rulesLsp.config` is no path"

logger = logging.getLogger(__name__)


def did_change_configuration(server: RulesLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    """Take settings that have changed."""
    if server.state.flags.configuration:
        ask_settings(server)
        return
    settings = settings_from(section_of(params.settings), server.initial_settings, "the settings")
    server.state.settings = settings
    for project in server.state.folders.projects:
        server.state.configure(project.root.given, settings)
    server.refresh()


def ask_settings(server: RulesLanguageServer) -> None:
    """Ask the client for the settings of every open folder."""
    directories = [project.root.given for project in server.state.folders.projects]
    if not directories or not server.state.flags.configuration:
        return
    items = [types.ConfigurationItem(to_uri(directory), SECTION) for directory in directories]

    def take(answer: Future[Any]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            logger.warning("the client does not tell its settings")
            return
        values = answer.result()
        given = values if isinstance(values, list | tuple) else ()
        for directory, value in zip(directories, given, strict=False):
            settings = settings_from(value, server.initial_settings, f"the settings of {directory}")
            server.state.configure(directory, settings)
        server.refresh()

    server.messages.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items)).add_done_callback(
        take
    )


def settings_from(value: object, base: FolderSettings, where: str) -> FolderSettings:
    """The settings of a JSON value; what of it cannot be read is logged and left as it was.

    An operator's configuration that cannot be read is none that exists, so that nothing is allowed: its rules must not
    be left out for a slip.
    """
    settings, faults = read_settings(value, base)
    for fault in faults:
        logger.warning("%s: %s", where, fault.message)
    if any(fault.name == "config" for fault in faults):
        return replace(settings, config=os.path.join(os.sep, _NO_SUCH_CONFIG))
    return settings
