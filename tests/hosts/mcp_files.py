"""An MCP server over stdio whose two tools write files for real, so that a call that was stopped leaves none."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
}
TOOLS = ("put_file", "make_file")


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request, None for an unknown method. A relative path starts from the working directory."""
    if method == "initialize":
        about = {"name": "stubfs", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [{"name": name, "description": "Write a file", "inputSchema": _SCHEMA} for name in TOOLS]}
    if method == "tools/call" and params["name"] in TOOLS:
        path = Path(params["arguments"]["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(params["arguments"]["content"], encoding="utf-8")
        return {"content": [{"type": "text", "text": f"wrote {path}"}]}
    return {} if method == "ping" else None


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        result = answer(message["method"], message.get("params", {}))
        outcome = {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)


if __name__ == "__main__":
    main()
