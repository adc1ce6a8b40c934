"""A tool of an MCP server that the host does not name: what the rules deny of any server is denied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rules_lsp.agents.hosts import Call
from rules_lsp.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.policy.decision import Decision

_WELL_KNOWN = ("filesystem", "github", "gitlab")
"""Servers whose tools have rows in the table of paths."""


def reason_to_deny(
    call: Call, policy: Policy, cwd: str | None, decide: Callable[[Mapping[str, Any]], Decision]
) -> str | None:
    """Why a call is denied if its tool is of one of the servers that the rules speak of, or None.

    That an allowing list names none of them is no reason: which of them it is nobody knows.
    """
    name = call.tool.rpartition(":")[2]
    for tool in dict.fromkeys((name, *(f"{server}/{name}" for server in _servers(policy)))):
        decision = decide({"tool": tool, "arguments": call.arguments, "cwd": cwd})
        if not decision.allowed and decision.code != "not-allowed-tool":
            return decision.reason
    return None


def _servers(policy: Policy) -> Iterator[str]:
    """A server for each that the rules may mean; of a pattern one that it takes."""
    entries = [entry.text for rules in policy.rules.denied_tools for entry in rules.entries]
    for text in (*entries, *policy.rules.tool_paths):
        server, slash, _ = text.rpartition("/")
        if slash:
            yield server.replace("*", "").replace("?", "x") or "x"
    yield from _WELL_KNOWN
