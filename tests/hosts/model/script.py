"""What the model says: tool calls in order, and what became of each as its host tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Body: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """One tool call. `arguments` is a text where the tool takes free text; `namespace` is that of a tool of MCP."""

    name: str
    tool: str
    arguments: Mapping[str, Any] | str
    namespace: str | None = None


@dataclass(frozen=True)
class Script:
    """The calls of the conversation, and those of a subagent's by the prompt that starts it."""

    calls: Sequence[Call]
    subagents: Mapping[str, Sequence[Call]] = field(default_factory=dict)

    def conversation(self, opening: str) -> Sequence[Call]:
        """The calls of the conversation that a text opens."""
        return next((calls for prompt, calls in self.subagents.items() if prompt in opening), self.calls)

    def as_json(self) -> dict[str, Any]:
        return {
            "calls": [vars(call) for call in self.calls],
            "subagents": {prompt: [vars(call) for call in calls] for prompt, calls in self.subagents.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Script:
        subagents = {prompt: _calls(calls) for prompt, calls in data["subagents"].items()}
        return cls(_calls(data["calls"]), subagents)


def _calls(data: Iterable[Mapping[str, Any]]) -> tuple[Call, ...]:
    return tuple(Call(**call) for call in data)


def texts_in(value: object) -> str:
    """All texts of a JSON value, one a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "\n".join(map(texts_in, value.values()))
    return "\n".join(map(texts_in, value)) if isinstance(value, list) else ""
