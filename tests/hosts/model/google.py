"""Google's generateContent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.hosts.model.dialect import DONE, Reply, as_events, as_json
from tests.hosts.model.script import Body, Call, texts_in

_TOKENS = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}


def _parts(body: Body, role: str) -> Iterator[dict[str, Any]]:
    for content in body.get("contents", ()):
        if content.get("role") == role:
            yield from content.get("parts", ())


class GenerateContent:
    def offers_tools(self, body: Body) -> bool:
        return bool(body.get("tools"))

    def opening(self, body: Body) -> str:
        return texts_in([part["text"] for part in _parts(body, "user") if "text" in part])

    def results(self, body: Body) -> dict[str, str]:
        told = [part["functionResponse"] for part in _parts(body, "user") if "functionResponse" in part]
        return {result["id"]: texts_in(result["response"]) for result in told}

    def answer(self, body: Body, call: Call | None, stream: bool) -> Reply:
        part: dict[str, Any] = {"text": DONE if self.offers_tools(body) else _judgement(body)}
        if call is not None:
            part = {"functionCall": {"id": call.name, "name": call.tool, "args": call.arguments}}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        answer = {"candidates": [candidate], "usageMetadata": _TOKENS, "modelVersion": "stub"}
        return as_events([answer]) if stream else as_json(answer)


def _judgement(body: Body) -> str:
    """What small questions beside the conversation are answered, which ask for JSON."""
    wants_json = "json" in str(body.get("generationConfig", {}).get("responseMimeType"))
    return json.dumps({"reasoning": "stub", "next_speaker": "user", "model_choice": "flash"}) if wants_json else DONE
