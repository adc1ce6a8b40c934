"""The fourth front of the decision vectors: the tools of the MCP server, called through the SDK's client."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import mcp_types as types
from mcp import Client

from rules_lsp.agents.mcp_server import create_server
from tests.decisions.harness import Built


class McpFront:
    """A server and a client for each vector, in this process; the client checks each answer against its schema."""

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        """One answer a question, in order."""
        return asyncio.run(_ask(built, questions))


async def _ask(built: Built, questions: list[dict[str, Any]]) -> list[Any]:
    config = str(built.operator_config) if built.operator_config else None
    server = create_server(str(built.root), config, fold_case=True if built.case_insensitive else None)
    async with Client(server) as client:
        answers = []
        for question in questions:
            result = await client.call_tool(_tool_for(question), question)
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
