"""What the three ways of speaking have in common."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from tests.hosts.model.script import Body, Call

DONE = "The stub model has nothing more to do."


class Reply(NamedTuple):
    """The body of an answer over HTTP."""

    kind: str
    content: bytes


class Dialect(Protocol):
    """How hosts of one kind ask a model, and how it answers."""

    def offers_tools(self, body: Body) -> bool:
        """Whether a request is part of an agent's work; others ask for a title or the like."""

    def opening(self, body: Body) -> str:
        """What the user says in a conversation."""

    def results(self, body: Body) -> dict[str, str]:
        """What the host tells of the calls so far, by the name of the call."""

    def answer(self, body: Body, call: Call | None, stream: bool) -> Reply:
        """The model's turn: a call, or a closing word."""


def as_json(value: Any) -> Reply:
    return Reply("application/json", json.dumps(value).encode())


def as_events(events: Iterable[dict[str, Any]]) -> Reply:
    """Server-sent events, named by their `type` where they have one."""
    lines: list[str] = []
    for event in events:
        if "type" in event:
            lines.append(f"event: {event['type']}\n")
        lines.append(f"data: {json.dumps(event)}\n\n")
    return Reply("text/event-stream", "".join(lines).encode())
