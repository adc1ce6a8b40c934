"""Commands for a person in any file: the whole decision, with the steps and as Markdown."""

from __future__ import annotations

from typing import Any

from rules_lsp.features.explaining import explained_as_json, explained_in_markdown
from rules_lsp.lsp.commands import FILE_KEYS, TOOL_KEYS, file_query, tool_query
from rules_lsp.lsp.server import RulesLanguageServer


def explain_file(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """Why a file may or may not be changed; takes what `rulesLsp.isFileAllowed` takes about one file.

    The answer is that of `rulesLsp.isFileAllowed` with `weighed`, the steps, and `markdown`, the same for a person.
    """
    return _explained(server, file_query(arguments), TOOL_KEYS, "`rulesLsp.explainFile` explains files, not tools")


def explain_tool(server: RulesLanguageServer, *arguments: Any) -> dict[str, Any]:
    """Why a tool may or may not be called; takes what `rulesLsp.isToolAllowed` takes about one tool."""
    return _explained(server, tool_query(arguments), FILE_KEYS, "`rulesLsp.explainTool` explains tools, not files")


def _explained(server: RulesLanguageServer, query: object, others: tuple[str, ...], refusal: str) -> dict[str, Any]:
    state = server.state
    if isinstance(query, dict) and any(key in query for key in others):
        return _without_steps(state.folders.refuse(query, refusal, state.encoding))
    decision = state.folders.decide(query, state.buffers())
    if decision is None:
        return _without_steps(state.folders.answer(query, state.encoding))
    server.refreshing.tell_policies()
    return {**explained_as_json(decision, state.encoding), "markdown": explained_in_markdown(decision)}


def _without_steps(answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "weighed": [], "markdown": f"**denied**: {answer['reason']}\n"}
