"""`rules-lsp serve`: the language server."""

from __future__ import annotations

import argparse
import gc
import logging
import sys

from rules_lsp.cli.main import UsageError
from rules_lsp.cli.options import add_volume_option, operator_config_of, root_of
from rules_lsp.workspace.finding import CONFIG_VARIABLE

DESCRIPTION = "Run the language server for one client: over standard input and output, or over TCP."
EXAMPLE = "rules-lsp serve --stdio\n  rules-lsp serve --tcp 127.0.0.1:2087"

_LEVELS = ("error", "warning", "info", "debug")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument("--stdio", action="store_true", help="standard input and output (the default)")
    transport.add_argument("--tcp", metavar="HOST:PORT", help="wait for one client there; port 0 picks a free one")
    parser.add_argument("--root", metavar="DIR", help="the folder of a client that names none (default: it has none)")
    parser.add_argument("--config", metavar="FILE", help=f"the operator's config.yaml (default: ${CONFIG_VARIABLE})")
    parser.add_argument(
        "--log-level", choices=_LEVELS, default="warning", help="what is told on standard error and in the client's log"
    )
    add_volume_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve; the exit code is 0 where the client asked for the shutdown, else 1."""
    address = None if arguments.tcp is None else _address(arguments.tcp)
    config = operator_config_of(arguments)
    root = None if arguments.root is None else root_of(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("rules_lsp").setLevel(arguments.log_level.upper())
    # It complains of what a client may well do, and of every request that is answered with an error.
    logging.getLogger("pygls").setLevel(logging.DEBUG if arguments.log_level == "debug" else logging.CRITICAL)
    # What is made at the start stays to the end; `initialize` lets the collector loose on what comes after it.
    gc.disable()
    from rules_lsp.lsp.registration import create_server
    from rules_lsp.lsp.transport import first_client, standard_streams

    server = create_server(config, fold_case=True if arguments.case_insensitive else None, root=root)
    if address is None:
        return server.run(standard_streams())
    try:
        connection = first_client(*address, _say_where)
    except (OSError, OverflowError) as error:
        raise UsageError(f"--tcp {arguments.tcp}: {error}") from None
    return server.run(connection)


def _say_where(host: str, port: int) -> None:
    print(f"listening on {host}:{port}", file=sys.stderr, flush=True)


def _address(text: str) -> tuple[str, int]:
    host, separator, port = text.rpartition(":")
    if not separator or not host or not port.isascii() or not port.isdigit():
        raise UsageError(f"--tcp {text}: write HOST:PORT, such as 127.0.0.1:2087")
    return host.removeprefix("[").removesuffix("]"), int(port)
