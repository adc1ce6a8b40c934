"""The fourth front of the decision vectors: the tools of the MCP server, called through the SDK's client."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from rules_lsp.agents.mcp_server import create_server
from tests.decisions.harness import Built


class McpFront:
    """One server and client in this process for all ordinary vectors, whose root the client names; else one of its own.

    The client checks each answer against the schema of its tool, and makes that anew for each server.
    """

    def __init__(self) -> None:
        self._open = ExitStack()
        self._roots: list[Path] = []

    def __enter__(self) -> McpFront:
        self._portal = self._open.enter_context(start_blocking_portal())
        client = Client(create_server(None, None), list_roots_callback=self._list_roots)
        self._shared = self._open.enter_context(self._portal.wrap_async_context_manager(client))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        """One answer a question, in order."""
        if built.operator_config is None and not built.case_insensitive:
            self._roots = [built.root]
            return _ask(self._portal, self._shared, questions)
        config = str(built.operator_config) if built.operator_config else None
        server = create_server(str(built.root), config, fold_case=True if built.case_insensitive else None)
        with self._portal.wrap_async_context_manager(Client(server)) as client:
            return _ask(self._portal, client, questions)

    async def _list_roots(self, context: object) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": root.as_uri()} for root in self._roots]})


def _ask(portal: BlockingPortal, client: Client, questions: list[dict[str, Any]]) -> list[Any]:
    answers = []
    for question in questions:
        result = portal.call(client.call_tool, _tool_for(question), question)
        assert not result.is_error, result.content
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        assert json.loads(content.text) == result.structured_content
        answers.append(result.structured_content)
    return answers


def _tool_for(question: dict[str, Any]) -> str:
    if "paths" in question:
        return "filter_paths"
    return "check_tool" if "tool" in question or "tools" in question else "check_file"
