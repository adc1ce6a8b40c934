"""The gate for callers that speak JSON: one request in, one answer out. Every front of that kind asks here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules_lsp.prompter.gate import PolicyGate
from rules_lsp.prompter.requests import is_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Check = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_anything(value: object) -> bool:
    return True


METHODS: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "claim_job": (
        dict.fromkeys(("task", "piece", "movement", "job"), _is_text),
        {"roles": _is_texts, "delegate": _is_switch, "parent": _is_text},
    ),
    "before_tools": ({"job": _is_text, "calls": _is_anything}, {}),
    "before_completion": ({"job": _is_text, "completion": _is_anything}, {}),
    "decide": ({"request_id": _is_text, "approve": _is_switch}, {"by": _is_text}),
    "consume": (dict.fromkeys(("request_id", "nonce", "fingerprint"), _is_text), {}),
    "release": ({"job": _is_text}, {}),
    "approvals": ({}, {"state": _is_text}),
    "status": ({}, {}),
}
"""The methods with what they need and what they take besides."""


def answer(gate: PolicyGate, request: object) -> dict[str, Any]:
    """The answer to `{"do": method, "with": {...}}`: `{"answer": ...}`, or `{"error": why}`, which counts as a denial.

    An `id` of the request comes back.
    """
    if not isinstance(request, Mapping):
        return {"error": "a request is a JSON object with `do` and `with`"}
    if not is_identity(request.get("id")):
        return {"error": "the `id` of a request is a text or a number"}
    echo = {"id": request["id"]} if "id" in request else {}
    method, given = request.get("do"), request.get("with", {})
    if not isinstance(method, str) or method not in METHODS:
        return {**echo, "error": f"`do` must be one of {', '.join(METHODS)}"}
    if not isinstance(given, Mapping):
        return {**echo, "error": "`with` must be an object"}
    needed, optional = METHODS[method]
    taken = {**needed, **optional}
    for name in needed:
        if name not in given:
            return {**echo, "error": f"`{name}` is missing"}
    for name, value in given.items():
        if name not in taken:
            return {**echo, "error": f"`{method}` takes no `{name}`"}
        if not taken[name](value) and not (name in optional and value is None):
            return {**echo, "error": f"`{name}` is of the wrong kind"}
    arguments = {name: value for name, value in given.items() if value is not None or name in needed}
    found = getattr(gate, method)(**arguments)
    # A text in place of the requests says why they cannot be told.
    return {**echo, "error" if isinstance(found, str) else "answer": found}
