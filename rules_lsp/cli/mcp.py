"""`rules-lsp mcp`: the MCP server."""

from __future__ import annotations

import argparse

from rules_lsp.cli.main import OK, UsageError
from rules_lsp.cli.options import add_volume_option, operator_config_of, root_of
from rules_lsp.workspace.finding import CONFIG_VARIABLE

DESCRIPTION = """Run the MCP server for one client, over standard input and output: tools that say what the project's
rules allow, and the resource rules://policy. Where the project has an .auto-prompter.yaml, tools of its gate for an
agent's loop too; whoever approves starts a server of their own with --approver, which has no tool that asks.

The project is the one of --root, else the client's roots, else the working directory's."""
EXAMPLE = "rules-lsp mcp\n  claude mcp add rules -- rules-lsp mcp --root ."
_OF_THE_EXTRA = frozenset({"anyio", "mcp", "mcp_types"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--root", metavar="DIR", help="the project's directory (default: the client's roots)")
    parser.add_argument("--config", metavar="FILE", help=f"the operator's config.yaml (default: ${CONFIG_VARIABLE})")
    add_volume_option(parser)
    gate = parser.add_mutually_exclusive_group()
    gate.add_argument(
        "--gate", action="store_true", help="offer the gate also where there is no .auto-prompter.yaml yet"
    )
    gate.add_argument("--approver", action="store_true", help="offer the tools to approve with, not those that ask")
    parser.add_argument("--store", metavar="FILE", help="the gate's database (default: in the user's state folder)")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client has gone."""
    root = None if arguments.root is None else root_of(arguments)
    config = operator_config_of(arguments)
    try:
        from rules_lsp.agents.mcp_gate import GateOptions
        from rules_lsp.agents.mcp_server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _OF_THE_EXTRA:
            raise
        raise UsageError("the MCP server needs the package `mcp`: pip install 'rules-lsp[mcp]'") from None
    gate = GateOptions(arguments.gate, arguments.approver, arguments.store)
    serve(root, config, fold_case=True if arguments.case_insensitive else None, gate=gate)
    return OK
