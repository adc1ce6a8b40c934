"""The commands: questions of agents, answered by the engine."""

from __future__ import annotations

import re
from typing import Any

from rules_lsp.lsp.reporting import described
from rules_lsp.lsp.server import RulesLanguageServer

_URI = re.compile(r"file:|[A-Za-z][A-Za-z0-9+.-]+://", re.IGNORECASE)
FILE_KEYS = ("path", "uri", "paths")
TOOL_KEYS = ("tool", "tools")


def is_file_allowed(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """May a file be changed, or read, created, deleted, renamed?

    Takes a query, or a path or URI with an operation behind it.
    """
    return _answer(server, file_query(arguments), TOOL_KEYS, "`rulesLsp.isFileAllowed` asks about files, not tools")


def is_tool_allowed(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """May a tool be called? Takes a query, or a tool's name with the arguments of the call behind it."""
    return _answer(server, tool_query(arguments), FILE_KEYS, "`rulesLsp.isToolAllowed` asks about tools, not files")


async def server_state(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """What the server knows and does, for a bug report: no text of any document, and no setting's value.

    With `{"settled": true}` the answer comes once no scan of files is running.
    """
    if arguments and isinstance(arguments[0], dict) and arguments[0].get("settled") is True:
        await server.scans.settled()
    return described(server)


def _answer(server: RulesLanguageServer, query: object, others: tuple[str, ...], refusal: str) -> dict[str, Any]:
    state = server.state
    if isinstance(query, dict) and any(key in query for key in others):
        return state.folders.refuse(query, refusal, state.encoding)
    answer = state.folders.answer(query, state.encoding, state.buffers())
    server.refreshing.tell_policies()
    return answer


def file_query(arguments: tuple[Any, ...]) -> object:
    """The query of a command's arguments about files: the one argument, or a path or URI and an operation."""
    if not arguments or not isinstance(arguments[0], str):
        return _whole_query(arguments)
    query: dict[str, Any] = {"uri" if _URI.match(arguments[0]) else "path": arguments[0]}
    return _extended(query, "operation", arguments)


def tool_query(arguments: tuple[Any, ...]) -> object:
    """The query of a command's arguments about tools: the one argument, or a name and the arguments of the call."""
    if not arguments or not isinstance(arguments[0], str):
        return _whole_query(arguments)
    return _extended({"tool": arguments[0]}, "arguments", arguments)


def _extended(query: dict[str, Any], key: str, arguments: tuple[Any, ...]) -> object:
    if len(arguments) > 2:
        return None
    return {**query, key: arguments[1]} if len(arguments) == 2 and arguments[1] is not None else query


def _whole_query(arguments: tuple[Any, ...]) -> object:
    """The one argument; anything else is no query, which the engine says."""
    return arguments[0] if len(arguments) == 1 else None
