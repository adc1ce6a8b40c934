"""`rules-lsp tools`: what is known of the servers' tools, and asking the servers themselves."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from rules_lsp.cli.main import FOUND, OK, UsageError
from rules_lsp.cli.options import root_of
from rules_lsp.cli.printable import printable
from rules_lsp.workspace.catalogue import Catalogue, KnownServer, KnownTool
from rules_lsp.workspace.live.catalogued import known_catalogue
from rules_lsp.workspace.live.refreshing import TIMEOUT_SECONDS, Asked, refresh
from rules_lsp.workspace.server_files import ConfiguredServer

DESCRIPTION = """List the MCP servers that the project configures, and what is known of their tools: from the servers
themselves where they were asked, else from a catalogue of well-known software.

`rules-lsp tools refresh` starts every configured server that is not switched off, or connects to it, and asks it for
its list of tools. Nothing else ever does that. A server is started as its file says: refresh in a project that you
trust. It gets the variables that are configured for it, PATH, HOME and their like, and no others. The lists are kept in
the user's cache, and count until the command changes.

The exit code is 1 where a server could not be asked, else 0."""
EXAMPLE = "rules-lsp tools\n  rules-lsp tools refresh\n  rules-lsp tools refresh github --timeout 60"
_MOST_SECONDS = 3_600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("action", nargs="?", choices=("list", "refresh"), default="list", help="(default: list)")
    parser.add_argument("server", nargs="?", metavar="SERVER", help="one server by its name (default: all)")
    parser.add_argument(
        "--timeout", type=float, default=TIMEOUT_SECONDS, metavar="S", help="seconds for each server (default: 30)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print what is known")
    parser.add_argument("--root", metavar="DIR", help="the project's directory (default: the git work tree's top)")


def run(arguments: argparse.Namespace) -> int:
    """Ask if that is wanted, then print what is known."""
    if not 0 < arguments.timeout <= _MOST_SECONDS:
        raise UsageError(f"--timeout {arguments.timeout:g}: write a number of seconds up to {_MOST_SECONDS:g}")
    root = os.path.realpath(root_of(arguments))
    servers = known_catalogue(root).servers()
    if arguments.server is not None and arguments.server not in {server.name for server in servers}:
        raise UsageError(f"no file of the project configures a server `{arguments.server}`")
    asked = _refresh(root, arguments) if arguments.action == "refresh" else ()
    catalogue = known_catalogue(root)
    chosen = [server for server in catalogue.servers() if arguments.server in (None, server.name)]
    if arguments.format == "json":
        print(json.dumps({"asked": [_asked(each) for each in asked], "servers": _servers(catalogue, chosen)}, indent=2))
    else:
        for line in _lines(catalogue, chosen, asked):
            print(line)
    return FOUND if any(each.outcome in ("failed", "cancelled") for each in asked) else OK


def _refresh(root: str, arguments: argparse.Namespace) -> tuple[Asked, ...]:
    """Ask the servers; an interrupt first ends those that were started."""
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        asked = refresh(
            root, arguments.server, timeout=arguments.timeout, begins=_tell_of_start, cancelled=stopped.is_set
        )
    finally:
        signal.signal(signal.SIGINT, before)
    if stopped.is_set():
        raise KeyboardInterrupt
    return asked


def _tell_of_start(server: ConfiguredServer) -> None:
    print(printable(f"asking {server.name} ({server.file}): {_launch(server)}"), file=sys.stderr, flush=True)


def _launch(server: ConfiguredServer) -> str:
    return server.launch.url or " ".join(server.launch.words)


def _lines(catalogue: Catalogue, servers: list[ConfiguredServer], asked: tuple[Asked, ...]) -> Iterator[str]:
    trouble = {(each.server.name, each.server.file): each for each in asked if each.words}
    if not servers:
        yield "no file of the project configures a server"
    for server in servers:
        known = catalogue.known(server.name)
        yield printable(f"{server.name} ({server.file}): {_state(catalogue, server, known)}")
        if (each := trouble.get((server.name, server.file))) is not None:
            yield printable(f"  {_outcome(each)}")
        for tool in known.tools if known is not None else ():
            states = ", ".join(filter(None, (_flag(tool), tool.description)))
            yield printable(f"  {server.name}/{tool.name}{f'  {states}' if states else ''}")


def _outcome(asked: Asked) -> str:
    heads = {"listed": "note", "failed": "not asked", "disabled": "not asked", "cancelled": "not asked"}
    return f"{heads[asked.outcome]}: {asked.words}"


def _state(catalogue: Catalogue, server: ConfiguredServer, known: KnownServer | None) -> str:
    parts = [] if not server.disabled else ["disabled"]
    if known is None:
        parts.append("nothing is known of its tools")
    else:
        number = f"{'' if known.whole else 'at least '}{len(known.tools):,} tool{'' if len(known.tools) == 1 else 's'}"
        source = f"it was asked at {known.asked}" if known.asked is not None else f"by its software, {known.title}"
        parts.append(f"{number}, {source}")
    if catalogue.is_stale(server.name):
        parts.append(f"it was asked when its command was another: `rules-lsp tools refresh {server.name}` asks again")
    elif known is None:
        parts.append(f"`rules-lsp tools refresh {server.name}` asks it")
    return "; ".join(parts)


def _flag(tool: KnownTool) -> str:
    return "reads only" if tool.read_only else "may destroy" if tool.destructive else ""


def _asked(asked: Asked) -> dict[str, Any]:
    number = len(asked.learnt.tools) if asked.learnt is not None else None
    return {
        "server": asked.server.name,
        "file": asked.server.file,
        "outcome": asked.outcome,
        "message": asked.words,
        "tools": number,
    }


def _servers(catalogue: Catalogue, servers: list[ConfiguredServer]) -> list[dict[str, Any]]:
    return [_server(catalogue, server) for server in servers]


def _server(catalogue: Catalogue, server: ConfiguredServer) -> dict[str, Any]:
    known = catalogue.known(server.name)
    tools = known.tools if known is not None else ()
    return {
        "server": server.name,
        "file": server.file,
        "command": list(server.launch.words),
        "url": server.launch.url,
        "disabled": server.disabled,
        "source": None if known is None else "server" if known.asked is not None else "software",
        "asked": known.asked if known is not None else None,
        "stale": catalogue.is_stale(server.name),
        "whole": known is not None and known.whole,
        "tools": [
            {
                "name": tool.name,
                "readOnly": tool.read_only,
                "destructive": tool.destructive,
                "description": tool.description,
            }
            for tool in tools
        ],
    }
