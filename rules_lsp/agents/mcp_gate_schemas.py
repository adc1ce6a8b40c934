"""What the tools of the gate take and give. Inputs hold plain keywords alone, as many hosts know no others."""

from __future__ import annotations

from rules_lsp.prompter.keys import ACTIONS
from rules_lsp.schemas import Schema

STATES = ("pending", "approved", "denied", "consumed", "expired")
_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_SWITCH: Schema = {"type": "boolean"}
_OBJECT: Schema = {"type": "object"}
_JOB: Schema = {"description": "The job's name, unique in the project.", **_TEXT}
_REASON: Schema = {"description": "Why not.", **_TEXT}
_MESSAGE: Schema = {
    "description": "One user message to go on with.",
    "type": "object",
    "properties": {"role": {"enum": ["user"]}, "content": _TEXT},
    "required": ["role", "content"],
    "additionalProperties": False,
}
_NOTICES: Schema = {"description": "What to show to people.", "type": "array", "items": _OBJECT}
_MARKS: dict[str, Schema] = {"requestId": _TEXT, "nonce": _TEXT, "fingerprint": _TEXT}
_RULE: Schema = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "name": _TEXT,
        "enabled": _SWITCH,
        "when": {"enum": [*ACTIONS, None]},
        "action": _TEXT,
        "version": _TEXT,
        "broken": {"description": "Why it cannot be read.", **_TEXT},
    },
    "required": ["id", "name", "enabled", "when", "action", "version"],
    "additionalProperties": False,
}
_RULES: Schema = {"description": "Every rule, those that are off as off.", "type": "array", "items": _RULE}
_ERROR: Schema = {"description": "Why it cannot be told; it counts as a denial.", **_TEXT}


def claim_input() -> Schema:
    """The arguments of `claim_job`."""
    return _input(
        {
            "task": {"description": "The task: counters and approvals are of a task.", **_TEXT},
            "piece": {"description": "The piece of work, as the rules name it.", **_TEXT},
            "movement": {"description": "The movement of the piece, as the rules name it.", **_TEXT},
            "job": _JOB,
            "roles": {"description": "The roles of the task's user.", "type": "array", "items": _TEXT},
            "delegate": {"description": "Whether a child agent works on it.", **_SWITCH},
            "parent": {"description": "The job to which a delegate's approvals go back.", **_TEXT},
        },
        "task",
        "piece",
        "movement",
        "job",
    )


def claim_output() -> Schema:
    """The answer of `claim_job`."""
    told: dict[str, Schema] = {
        "job": _TEXT,
        "enabled": {"description": "False where Auto Prompter is off.", **_SWITCH},
        "snapshotId": _TEXT_OR_NULL,
        "activeRules": {"type": "integer"},
        "preamble": {"description": "The instructions that hold always.", **_TEXT},
        "rules": _RULES,
        "error": _ERROR,
    }
    return _output(_closed(told, "job", "enabled", "activeRules", "preamble"))


def tools_input() -> Schema:
    """The arguments of `before_tools`."""
    call: Schema = {
        "type": "object",
        "properties": {
            "id": {"description": "The call's id, unique in the message.", **_TEXT},
            "tool": {"description": "The tool's name.", **_TEXT},
            "arguments": {"description": "The arguments as they would be sent.", **_OBJECT},
            "control": {"description": "Whether it ends or moves the work and is no tool.", **_SWITCH},
            "cwd": {"description": "The directory in which it would run.", **_TEXT},
        },
        "required": ["id", "tool"],
    }
    calls: Schema = {"description": "All calls of one assistant message.", "type": "array", "items": call}
    return _input({"job": _JOB, "calls": calls}, "job", "calls")


def tools_output() -> Schema:
    """The answer of `before_tools`: an object, or the very calls where Auto Prompter is off."""
    consume = {"description": "What to spend first.", "type": "array", "items": _closed(_MARKS, *_MARKS)}
    approval: Schema = {"description": "A request that waits.", **_OBJECT}
    told: dict[str, Schema] = {
        "batch": {"enum": ["run", "held"]},
        "calls": {"type": "array", "items": _call(("deny", "approval", "advise", "allow"), {"consume": consume})},
        "message": _MESSAGE,
        "approval": approval,
        "approvals": {"type": "array", "items": approval},
        "notices": _NOTICES,
        "auditError": _TEXT,
        "error": _ERROR,
    }
    off: Schema = {"description": "The calls themselves: Auto Prompter is off, run them.", "type": "array"}
    return _output({"anyOf": [_closed(told, "batch", "calls"), off]})


def completion_input() -> Schema:
    """The arguments of `before_completion`."""
    completion: Schema = {
        "type": "object",
        "properties": {
            "text": {"description": "What the completion says.", **_TEXT},
            "calls": {"description": "The ids of the calls that end the work.", "type": "array", "items": _TEXT},
            "pendingSubtasks": {"description": "Whether it cannot end yet.", **_SWITCH},
        },
    }
    return _input({"job": _JOB, "completion": completion}, "job", "completion")


def completion_output() -> Schema:
    """The answer of `before_completion`: an object with `decision`, or the very completion where it is off."""
    told: dict[str, Schema] = {
        "decision": {"enum": ["accept", "refuse", "skipped"]},
        "calls": {"type": "array", "items": _call(("deny", "advise", "allow"), {})},
        "message": _MESSAGE,
        "notices": _NOTICES,
        "auditError": _TEXT,
        "error": _ERROR,
    }
    off: Schema = {"description": "The completion itself: Auto Prompter is off, accept it.", "type": "object"}
    return _output({"anyOf": [_closed(told, "decision", "calls"), {**off, "not": {"required": ["decision"]}}]})


def consume_input() -> Schema:
    """The arguments of `consume`."""
    return _input({"request_id": _TEXT, "nonce": _TEXT, "fingerprint": _TEXT}, "request_id", "nonce", "fingerprint")


def consume_output() -> Schema:
    """The answer of `consume`."""
    return _done("consumed")


def release_input() -> Schema:
    """The arguments of `release`."""
    return _input({"job": _JOB}, "job")


def release_output() -> Schema:
    """The answer of `release`."""
    return _done("released")


def decide_input() -> Schema:
    """The arguments of `decide`."""
    return _input(
        {
            "request_id": {"description": "The id of a request that waits.", **_TEXT},
            "approve": {"description": "True approves it once, false denies it.", **_SWITCH},
            "by": {"description": "Who decides.", **_TEXT},
        },
        "request_id",
        "approve",
    )


def decide_output() -> Schema:
    """The answer of `decide`."""
    return _done("decided")


def approvals_input() -> Schema:
    """The arguments of `approvals`."""
    return _input({"state": {"description": "Only those of this state.", "type": "string", "enum": list(STATES)}})


def approvals_output() -> Schema:
    """The answer of `approvals`. Nonces and fingerprints are the asking loop's alone."""
    names = ("requestId", "ruleId", "ruleName", "summary", "task", "job", "snapshotId")
    request = _closed({**dict.fromkeys(names, _TEXT), "state": {"enum": list(STATES)}}, *names, "state")
    return _output({"type": "array", "items": request})


def status_input() -> Schema:
    """The arguments of `status`: none."""
    return _input({})


def status_output() -> Schema:
    """The answer of `status`."""
    told = {"available": _SWITCH, "enabled": _SWITCH, "rules": _RULES, "error": _ERROR}
    return _output(_closed(told, "available", "enabled", "rules"))


def _input(properties: dict[str, Schema], *required: str) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def _output(answer: Schema) -> Schema:
    """An object with `answer`, or with `error` where there is none."""
    return {"type": "object", "properties": {"answer": answer, "error": _ERROR}, "additionalProperties": False}


def _closed(properties: dict[str, Schema], *required: str) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _call(effects: tuple[str, ...], more: dict[str, Schema]) -> Schema:
    told: dict[str, Schema] = {
        "id": _TEXT_OR_NULL,
        "effect": {"enum": list(effects)},
        "ruleId": _TEXT_OR_NULL,
        "ruleVersion": _TEXT_OR_NULL,
        "result": {"description": "The result to give instead of running it.", **_TEXT},
    }
    return _closed({**told, **more}, "id", "effect", "ruleId", "ruleVersion")


def _done(name: str) -> Schema:
    return _output(_closed({name: _SWITCH, "reason": _REASON}, name))
