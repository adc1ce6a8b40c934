"""The command that asks the configured servers for their tools: the only thing that ever starts one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams

from rules_lsp.lsp.overviews import projects_asked
from rules_lsp.lsp.progress import ClientProgress
from rules_lsp.lsp.server import RulesLanguageServer
from rules_lsp.source.uri import to_uri
from rules_lsp.workspace.live.refreshing import TIMEOUT_SECONDS, Asked, refresh
from rules_lsp.workspace.project import Project
from rules_lsp.workspace.server_files import ConfiguredServer

COMMAND = "rulesLsp.refreshTools"
MOST_SECONDS = 3_600
_TITLE = "Asking servers for their tools"

Result = TypeVar("Result")


async def refresh_tools(server: RulesLanguageServer, *arguments: Any) -> list[dict[str, Any]]:
    """Ask the configured MCP servers, or those of `{"folder", "server"}`, for their tools: how it went with each.

    `timeout` is in seconds and for each server. The client sees the progress and may cancel it, or the request. Raises
    JsonRpcInvalidParams for other arguments, and where no such server is configured.
    """
    projects = projects_asked(server, arguments, COMMAND)
    name, timeout = _asked(arguments[0] if arguments else {})
    progress = ClientProgress(server.messages, _TITLE) if server.state.flags.progress else None
    stopped = threading.Event()
    loop = asyncio.get_running_loop()

    def cancelled() -> bool:
        return stopped.is_set() or (progress is not None and progress.cancelled)

    def begins(configured: ConfiguredServer) -> None:
        if progress is not None and not stopped.is_set():
            loop.call_soon_threadsafe(progress.report, configured.name)

    def work() -> list[tuple[Project, Asked]]:
        return [
            (project, asked)
            for project in projects
            for asked in refresh(project.root.real, name, timeout=timeout, begins=begins, cancelled=cancelled)
        ]

    ended = "cancelled"
    try:
        found = await _in_a_thread(work)
        ended = _summary(found, cancelled())
    except OSError as error:
        ended = f"what the servers say cannot be kept: {(error.strerror or str(error)).lower()}"
        raise JsonRpcInternalError(ended) from None
    finally:
        stopped.set()
        if progress is not None:
            progress.end(ended)
    if name is not None and not found:
        raise JsonRpcInvalidParams(f"the `server` of `{COMMAND}` is configured in no file of the project")
    server.refresh()
    return [_as_json(project, asked) for project, asked in found]


def _asked(argument: dict[str, Any]) -> tuple[str | None, float]:
    name, timeout = argument.get("server"), argument.get("timeout", TIMEOUT_SECONDS)
    if name is not None and not isinstance(name, str):
        raise JsonRpcInvalidParams(f"the `server` of `{COMMAND}` is the name of one")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= MOST_SECONDS:
        raise JsonRpcInvalidParams(f"the `timeout` of `{COMMAND}` is a number of seconds up to {MOST_SECONDS}")
    return name, timeout


async def _in_a_thread(work: Callable[[], Result]) -> Result:
    """The result of work that takes long, in a thread that keeps nobody from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, raised = None, None
        try:
            result = work()
        except Exception as error:
            raised = error
        try:
            loop.call_soon_threadsafe(settle, result, raised)
        except RuntimeError:
            # The loop is closed: the server has ended.
            return

    threading.Thread(target=run, name="rules-lsp-tools", daemon=True).start()
    return await future


def _summary(found: list[tuple[Project, Asked]], cancelled: bool) -> str:
    listed = sum(asked.outcome == "listed" for _, asked in found)
    servers = f"{listed:,} of {len(found):,} servers told their tools"
    return f"cancelled: {servers}" if cancelled else servers


def _as_json(project: Project, asked: Asked) -> dict[str, Any]:
    return {
        "folder": to_uri(project.root.given),
        "server": asked.server.name,
        "file": asked.server.file,
        "outcome": asked.outcome,
        "message": asked.words,
        "tools": len(asked.learnt.tools) if asked.learnt is not None else None,
    }
