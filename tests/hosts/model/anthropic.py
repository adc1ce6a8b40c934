"""Anthropic's Messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.hosts.model.dialect import DONE, Reply, as_events, as_json
from tests.hosts.model.script import Body, Call, texts_in

_PREFIX = "toolu_"


def _blocks(body: Body, role: str) -> Iterator[dict[str, Any]]:
    for message in body.get("messages", ()):
        content = message["content"]
        if message["role"] == role:
            yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


class Messages:
    def offers_tools(self, body: Body) -> bool:
        return bool(body.get("tools"))

    def opening(self, body: Body) -> str:
        return texts_in([block["text"] for block in _blocks(body, "user") if block["type"] == "text"])

    def results(self, body: Body) -> dict[str, str]:
        return {
            block["tool_use_id"].removeprefix(_PREFIX): texts_in(block.get("content"))
            for block in _blocks(body, "user")
            if block["type"] == "tool_result"
        }

    def answer(self, body: Body, call: Call | None, stream: bool) -> Reply:
        block: dict[str, Any] = {"type": "text", "text": DONE}
        if call is not None:
            block = {"type": "tool_use", "id": _PREFIX + call.name, "name": call.tool, "input": call.arguments}
        ending = {"stop_reason": "end_turn" if call is None else "tool_use", "stop_sequence": None}
        message = {
            "id": f"msg_{len(body['messages'])}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        if not body.get("stream"):
            return as_json({**message, **ending, "content": [block]})
        return as_events(_events(message, block, ending))


def _events(message: dict[str, Any], block: dict[str, Any], ending: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "stop_sequence": None}}
    empty: dict[str, Any]
    if block["type"] == "text":
        empty, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty, delta = {"input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_start", "index": 0, "content_block": {**block, **empty}}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}
