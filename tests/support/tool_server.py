"""A server for tests that behaves as its first argument says: `python tool_server.py KIND [argument]`.

Kinds: plain, pages, hang (answers nothing), late (answers `initialize` alone), crash, chatty, gigantic, endless (a new
cursor each time), drip (a byte of an endless line now and then), many, names, asks, refuses, environment, child, deaf
(ignores the end of its input and SIGTERM), nonsense.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from typing import Any

KIND = sys.argv[1]
ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else ""


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tools(*names: str) -> dict[str, Any]:
    return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}


def listed(parameters: dict[str, Any]) -> dict[str, Any]:
    """The answer to `tools/list`."""
    cursor = parameters.get("cursor")
    if KIND == "pages":
        page = int(cursor or 0)
        return {**tools(f"tool_{page}"), **({"nextCursor": str(page + 1)} if page < 2 else {})}
    if KIND == "endless":
        page = int(cursor or 0)
        return {**tools(*(f"tool_{page}_{number}" for number in range(50))), "nextCursor": str(page + 1)}
    if KIND == "many":
        return tools(*(f"tool_{number}" for number in range(3_000)))
    if KIND == "names":
        return {
            "tools": [
                {"name": "good", "description": "first\nline \x1b[31mred", "annotations": {"readOnlyHint": True}},
                {"name": "bad", "annotations": {"destructiveHint": True}},
                {"name": "both", "annotations": {"readOnlyHint": True, "destructiveHint": True}},
                {"name": "good", "description": "again"},
                {"name": "with blank"},
                {"name": "\x1b[31mred"},
                {"name": "n" * 129},
                {"name": ""},
                {"name": 7},
                "text",
                {"name": "long", "description": "d" * 1_000},
            ]
        }
    if KIND == "environment":
        return tools(*sorted(os.environ))
    if KIND == "nonsense":
        return {"tools": "none"}
    return {"tools": [{"name": "write", "description": "writes a file"}, {"name": "read"}]}


def answer(message: dict[str, Any]) -> None:
    identity, method = message.get("id"), message.get("method")
    if method == "initialize" and KIND != "hang":
        if KIND == "asks":
            send({"id": "mine", "method": "roots/list"})
            send({"id": 1, "method": "ping"})
            send({"method": "notifications/message", "params": {"level": "info", "data": "hello"}})
        send({"id": identity, "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}})
    elif method == "tools/list" and KIND not in ("hang", "late"):
        if KIND == "refuses":
            send({"id": identity, "error": {"code": 1, "message": f"no \x07 tools for {os.environ['API_KEY']}"}})
        else:
            send({"id": identity, "result": listed(message["params"])})


def main() -> None:
    if KIND == "crash":
        sys.exit(f"Traceback\nKeyError: the key {os.environ.get('API_KEY')} is wrong")
    if KIND == "chatty":
        print('Starting up…\n{\n[1, 2]\n{}\n"text"', flush=True)
    if KIND == "gigantic":
        while True:
            sys.stdout.write("x" * 65536)
    if KIND == "drip":
        while True:
            sys.stdout.write("x")
            sys.stdout.flush()
            threading.Event().wait(0.05)
    if KIND == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if KIND in ("child", "deaf"):
        # Holds the lock of a file for as long as it lives, as the server itself does.
        program = (
            "import fcntl, signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); lock = open(sys.argv[1], 'w');"
            " fcntl.flock(lock, fcntl.LOCK_EX); print('locked', flush=True); signal.pause()"
        )
        child = subprocess.Popen([sys.executable, "-c", program, ARGUMENT], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
    for line in sys.stdin:
        answer(json.loads(line))
    if KIND == "deaf":
        signal.pause()


if __name__ == "__main__":
    main()
