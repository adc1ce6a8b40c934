"""What callers hand in, checked: anything may come, and what makes no sense is denied."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rules_lsp.prompter.calls import Call
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class BadRequest:
    """Why a request is none."""

    reason: str


def read_calls(calls: object) -> list[Call] | BadRequest:
    """The calls of a batch: objects with `id`, `tool`, `arguments`, and optionally `control` and `cwd`."""
    if not isinstance(calls, (list, tuple)):
        return BadRequest("the calls must be a list")
    found: list[Call] = []
    for each in calls:
        if not isinstance(each, Mapping):
            return BadRequest("a call must be an object")
        identity, tool, arguments = each.get("id"), each.get("tool"), each.get("arguments")
        if not isinstance(identity, str) or not identity or not isinstance(tool, str):
            return BadRequest("a call must have the texts `id` and `tool`")
        if arguments is not None and not isinstance(arguments, Mapping):
            return BadRequest(f"the arguments of the call `{identity}` must be an object")
        cwd = each.get("cwd")
        if cwd is not None and not isinstance(cwd, str):
            return BadRequest(f"the `cwd` of the call `{identity}` must be a text")
        found.append(Call(identity, tool, dict(arguments or {}), each.get("control") is True, cwd))
    if len({call.id for call in found}) != len(found):
        return BadRequest("two calls have the same `id`")
    return found


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion that is to be accepted: its text, and the ids of the calls that end the work."""

    text: str
    controls: tuple[str, ...]
    pending_subtasks: bool


def read_completion(completion: object) -> Completion | BadRequest:
    """A completion: an object with `text`, `calls` (ids or objects with `id`) and `pendingSubtasks`."""
    if not isinstance(completion, Mapping):
        return BadRequest("a completion must be an object")
    text, calls = completion.get("text", ""), completion.get("calls", ())
    if not isinstance(text, str) or not isinstance(calls, (list, tuple)):
        return BadRequest("a completion must have a `text` and a list of `calls`")
    ids = [each.get("id") if isinstance(each, Mapping) else each for each in calls]
    if not all(isinstance(each, str) for each in ids):
        return BadRequest("a control call must have an `id`")
    return Completion(text, tuple(map(str, ids)), completion.get("pendingSubtasks") is True)


def are_names(names: Sequence[object], roles: object) -> bool:
    """Whether names are texts, and roles a list of texts or not stated: a text for a list would be its letters."""
    stated = () if roles is None else roles
    return isinstance(stated, (list, tuple)) and all(isinstance(each, str) for each in (*names, *stated))


def is_identity(value: object) -> bool:
    """Whether a value may come back as an `id`: a text, a number that JSON has, or null."""
    return value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))


def _identity_of(call: object) -> object:
    found = call.get("id") if isinstance(call, Mapping) else None
    return found if is_identity(found) else None


def denied_batch(calls: object, reason: str) -> dict[str, Any]:
    """The answer that denies every call of a batch, readable or not."""
    given = calls if isinstance(calls, (list, tuple)) else ()
    return {
        "batch": "held",
        "calls": [
            {
                "id": _identity_of(each),
                "effect": "deny",
                "ruleId": None,
                "ruleVersion": None,
                "result": f"Error: denied: {reason}",
            }
            for each in given
        ],
        "error": reason,
    }


def refused_completion(completion: object, reason: str) -> dict[str, Any]:
    """The answer that refuses a completion, readable or not; each control call that can be told has a result."""
    given = completion.get("calls") if isinstance(completion, Mapping) else None
    ids = (
        [each.get("id") if isinstance(each, Mapping) else each for each in given]
        if isinstance(given, (list, tuple))
        else []
    )
    return {
        "decision": "refuse",
        "calls": [
            {
                "id": each,
                "effect": "deny",
                "ruleId": None,
                "ruleVersion": None,
                "result": f"Error: not completed: {reason}",
            }
            for each in ids
            if isinstance(each, str)
        ],
        "message": {"role": "user", "content": reason},
        "error": reason,
    }
