"""OpenAI's Responses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.hosts.model.dialect import DONE, Reply, as_events, as_json
from tests.hosts.model.script import Body, Call, texts_in

_PREFIX = "call_"
_TOKENS = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


def _items(body: Body) -> list[dict[str, Any]]:
    given = body.get("input", [])
    return given if isinstance(given, list) else [{"type": "message", "role": "user", "content": given}]


class Responses:
    def offers_tools(self, body: Body) -> bool:
        return bool(body.get("tools"))

    def opening(self, body: Body) -> str:
        return texts_in([item.get("content") for item in _items(body) if item.get("role") == "user"])

    def results(self, body: Body) -> dict[str, str]:
        return {
            item["call_id"].removeprefix(_PREFIX): texts_in(item["output"])
            for item in _items(body)
            if item.get("type") in ("function_call_output", "custom_tool_call_output")
        }

    def answer(self, body: Body, call: Call | None, stream: bool) -> Reply:
        item = _item(call)
        response = {"id": f"resp_{len(_items(body))}", "object": "response", "created_at": 0, "model": body["model"]}
        completed = {**response, "status": "completed", "output": [item], "usage": _TOKENS}
        if not body.get("stream"):
            return as_json(completed)
        events = (
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": completed},
        )
        return as_events(_numbered(events))


def _item(call: Call | None) -> dict[str, Any]:
    if call is None:
        content = [{"type": "output_text", "text": DONE, "annotations": []}]
        return {"type": "message", "id": "msg_done", "role": "assistant", "status": "completed", "content": content}
    made = {"id": f"item_{call.name}", "call_id": _PREFIX + call.name, "name": call.tool, "status": "completed"}
    if isinstance(call.arguments, str):
        return {**made, "type": "custom_tool_call", "input": call.arguments}
    space = {} if call.namespace is None else {"namespace": call.namespace}
    return {**made, **space, "type": "function_call", "arguments": json.dumps(call.arguments)}


def _numbered(events: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return ({**event, "sequence_number": number} for number, event in enumerate(events))
