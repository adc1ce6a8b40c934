"""The conversation with one server: who we are, then every page of its list of tools."""

from __future__ import annotations

from typing import Any

from rules_lsp import __version__
from rules_lsp.workspace.live.told_tools import MAX_TOOLS, ToldTools, one_line, read_tools, without_secrets
from rules_lsp.workspace.live.waiting import Channel, Deadline, Message, Unanswered

PROTOCOL = "2025-06-18"
MAX_PAGES = 200
_METHOD_NOT_FOUND = -32601
_MAX_WORDS = 200


def list_tools(channel: Channel, deadline: Deadline) -> ToldTools:
    """The tools of a server, sorted by name. Raises `Unanswered` or `Cancelled`."""
    asking = _Asking(channel, deadline)
    client = {"name": "rules-lsp", "version": __version__}
    asking.request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
    channel.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    found: list[object] = []
    cursor: object = None
    for _ in range(MAX_PAGES):
        result = asking.request("tools/list", {"cursor": cursor} if cursor is not None else {})
        page = result.get("tools")
        if not isinstance(page, list):
            raise Unanswered("its answer holds no list of tools")
        found += page
        cursor = result.get("nextCursor")
        if not isinstance(cursor, str) or len(found) > MAX_TOOLS:
            break
    told = read_tools(found[:MAX_TOOLS])
    complete = not isinstance(cursor, str) and len(found) <= MAX_TOOLS
    return ToldTools(sorted(told.tools), told.whole and complete)


class _Asking:
    def __init__(self, channel: Channel, deadline: Deadline) -> None:
        self._channel = channel
        self._deadline = deadline
        self._last_id = 0

    def request(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """The result of a request; what the server asks meanwhile is refused, what it tells is passed over."""
        self._last_id += 1
        self._channel.send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": parameters})
        while True:
            message = self._deadline.next(self._channel)
            if "method" in message:
                self._refuse(message)
            elif message.get("id") == self._last_id:
                return self._result(method, message)

    def _refuse(self, message: Message) -> None:
        if "id" not in message:
            return
        answer: Message = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            self._channel.send({**answer, "result": {}})
        else:
            self._channel.send({**answer, "error": {"code": _METHOD_NOT_FOUND, "message": "not supported"}})

    def _result(self, method: str, message: Message) -> dict[str, Any]:
        error, result = message.get("error"), message.get("result")
        if isinstance(error, dict):
            words = error.get("message")
            words = without_secrets(words, self._channel.secrets) if isinstance(words, str) else ""
            told = f": {one_line(words, _MAX_WORDS)}" if words else ""
            raise Unanswered(f"it refuses `{method}`{told}")
        if not isinstance(result, dict):
            raise Unanswered(f"its answer to `{method}` has no result")
        return result
