"""The tables of what the server answers: the only place where a method or a command meets its handler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from rules_lsp.lsp import commands, language, lifecycle, synchronization
from rules_lsp.lsp.server import RulesLanguageServer


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the protocol, its handler, and the options that the server announces for it.

    The failure of an `essential` one is the client's to see: its error is the answer.
    """

    name: str
    handler: Callable[..., Any]
    options: Any = None
    essential: bool = False


METHODS: tuple[Method, ...] = (
    Method(types.INITIALIZE, lifecycle.initialize, essential=True),
    Method(types.EXIT, lifecycle.exit_server),
    Method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, lifecycle.did_change_workspace_folders),
    Method(types.TEXT_DOCUMENT_DID_OPEN, synchronization.did_open),
    Method(types.TEXT_DOCUMENT_DID_CHANGE, synchronization.did_change),
    Method(types.TEXT_DOCUMENT_DID_SAVE, synchronization.did_save, types.SaveOptions(include_text=False)),
    Method(types.TEXT_DOCUMENT_DID_CLOSE, synchronization.did_close),
    Method(types.TEXT_DOCUMENT_HOVER, language.hover),
    Method(
        types.TEXT_DOCUMENT_CODE_ACTION,
        language.code_action,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    ),
)

COMMANDS: dict[str, Callable[..., Any]] = {
    "rulesLsp.isFileAllowed": commands.is_file_allowed,
    "rulesLsp.isToolAllowed": commands.is_tool_allowed,
    "isFileAllowed": commands.is_file_allowed,
    "isToolAllowed": commands.is_tool_allowed,
}


def create_server(config: str | None = None, *, fold_case: bool | None = None) -> RulesLanguageServer:
    """A server with everything that it answers."""
    server = RulesLanguageServer(config, fold_case=fold_case)
    for method in METHODS:
        handler = _bound(server, method.handler) if method.essential else server.isolated(method.name, method.handler)
        server.feature(method.name, method.options)(handler)
    for name, command in COMMANDS.items():
        server.command(name)(server.isolated(name, command))
    return server


def _bound(server: RulesLanguageServer, handler: Callable[..., Any]) -> Callable[..., Any]:
    return lambda params: handler(server, params)
