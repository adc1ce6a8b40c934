"""Allowing tool entries that differ from a known name only in its case."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.base import Diagnostic, Fix
from rules_lsp.checks.common.known_tools import tools_of_project
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.tool_fixes import rewrite
from rules_lsp.checks.common.tool_names import servers_of, tool_entries
from rules_lsp.policy.entries import shown


def tool_mismatches(subject: Subject) -> Iterator[tuple[Diagnostic, Iterator[Fix]]]:
    """Each of them, with the fix that writes the known name."""
    servers, known = servers_of(subject), tools_of_project(subject)
    if not servers:
        return
    for found in tool_entries(subject):
        server = servers.spelled(found.server) if found.server is not None and not found.denying else None
        if server is None:
            continue
        tools = known.of(server)
        tool = (tools.spelled(found.tool) if tools is not None else None) or found.tool
        if (server, tool) == (found.server, found.tool):
            continue
        if server != found.server:
            fault = f"the server is called `{shown(server)}`"
        else:
            fault = f"the tool of `{shown(server)}` is called `{shown(tool)}`"
        name = f"{server}/{tool}"
        message = f"`{shown(found.entry.text)}` allows nothing, {fault} and case counts here: write `{shown(name)}`"
        diagnostic = Diagnostic("case-mismatch", "warning", message, found.entry.span)
        yield diagnostic, rewrite(subject, found.entry, name)
