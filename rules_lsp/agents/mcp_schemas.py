"""What the tools of the MCP server take and give, made from the schemas of queries and answers.

Hosts show the schemas to a model, so they are cut down to what one tool needs, without examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_lsp.policy.model import LIST_NAMES
from rules_lsp.schemas import Schema, load_schema

_LEFT_OUT = ("examples", "title", "markdownDescription")
_ALLOWED_PATHS: Schema = {
    "description": "The paths that are allowed, as they were asked.",
    "type": "array",
    "items": {"type": "string"},
}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}


def input_of(keys: tuple[str, ...], *one_of: str) -> Schema:
    """The schema of a tool's arguments: keys of a query, of which exactly one of some must be there.

    Hosts turn it into the form of their model, and many know the plain keywords alone: there are no references and no
    alternatives in it, and that one of several must be there is left to the engine's answer.
    """
    query = load_schema("query")
    properties = {key: _plain(query["properties"][key], query["$defs"]) for key in keys}
    schema: Schema = {"type": "object", "properties": properties}
    if len(one_of) == 1:
        schema["required"] = list(one_of)
    return schema


def _plain(node: Schema, definitions: Schema) -> Schema:
    """A property without references, its choices as an enumeration that its description explains."""
    if "$ref" in node:
        node = {**definitions[node["$ref"].removeprefix("#/$defs/")], **node}
    found: Schema = {key: node[key] for key in ("description", "type", "default") if key in node}
    if "oneOf" in node:
        meanings = " ".join(f"`{option['const']}`: {option['description']}" for option in node["oneOf"])
        found |= {"description": f"{node['description']} {meanings}", "type": "string"}
        found["enum"] = [option["const"] for option in node["oneOf"]]
    if "items" in node:
        found["items"] = _plain(node["items"], definitions)
    return found


def narrowed(*answers: str, with_allowed_paths: bool = False) -> Schema:
    """The schema of some of the answers of the engine."""
    definitions = _cut(load_schema("decision")["$defs"])
    if with_allowed_paths:
        batch = definitions["batch"]
        batch["properties"] = {"allowedPaths": _ALLOWED_PATHS, **batch["properties"]}
        batch["required"] = ["allowedPaths", *batch["required"]]
    return _one_of(answers, definitions)


def edits_input() -> Schema:
    """The schema of a batch of edits with how it is meant."""
    schema = load_schema("edits")
    properties = schema["$defs"]["edit"]["properties"]
    edit = {
        "description": schema["$defs"]["edit"]["description"],
        "type": "object",
        "properties": {key: _plain(node, {}) for key, node in properties.items()},
        "required": schema["$defs"]["edit"]["required"],
    }
    targets = "The files, directories and patterns that may be edited: all without it."
    delete = "Whether edits that leave nothing of a file may delete it."
    return {
        "type": "object",
        "properties": {
            "edits": {"description": schema["description"], "type": "array", "items": edit},
            "targets": {"description": targets, **_TEXTS},
            "cwd": _plain(load_schema("query")["properties"]["cwd"], load_schema("query")["$defs"]),
            "allowDelete": {"description": delete, "type": "boolean", "default": False},
        },
        "required": ["edits"],
    }


def edits_answer() -> Schema:
    """The schema of the answer to a batch of edits."""
    return _one_of(("batch",), _cut(load_schema("edit-answers")["$defs"]))


def explanation() -> Schema:
    """The schema of a decision with its steps."""
    definitions = _cut(load_schema("decision")["$defs"])
    weighed = {
        "description": "The steps in the order in which they were taken.",
        "type": "array",
        "items": _object(
            {
                "effect": {"description": "What the step does to the answer.", "enum": ["denies", "allows", "passes"]},
                "sentence": {"description": "The step in words.", "type": "string"},
                "rule": {"anyOf": [{"$ref": "#/$defs/rule"}, {"type": "null"}]},
            }
        ),
    }
    for name in ("file_answer", "tool_answer"):
        answer = definitions[name]
        answer["properties"] = {**answer["properties"], "weighed": weighed}
        answer["required"] = [*answer["required"], "weighed"]
    return _one_of(("file_answer", "tool_answer"), definitions)


def policies() -> Schema:
    """The schema of the policies of all folders."""
    definitions = _cut(load_schema("decision")["$defs"])
    broken = {"description": "Why it cannot be read, or null.", **_TEXT_OR_NULL}
    place = {"$ref": "#/$defs/range"}
    entry = _object({"index": {"type": "integer"}, "pattern": {"type": "string"}, "range": place, "broken": broken})
    rules = _object(
        {
            "list": {"enum": list(LIST_NAMES)},
            "range": place,
            "broken": broken,
            "entries": {"type": "array", "items": entry},
        }
    )
    folder = _object(
        {
            "root": {"description": "The project's directory.", "type": "string"},
            "policy": {"$ref": "#/$defs/policy"},
            "configuration": {"description": "The configuration in force, or null.", **_TEXT_OR_NULL},
            "refusal": {"description": "Why everything is denied, or null.", **_TEXT_OR_NULL},
            "knownServers": {"description": "The MCP servers that the project configures.", **_TEXTS},
            "protected": {"description": "Files that no rule can open to the agent.", **_TEXTS},
            "systemPromptExtension": {"description": "Instructions of the project.", "type": "string"},
            "lists": {"description": "The lists of rules.", "type": "array", "items": rules},
        }
    )
    return _with_definitions(_object({"folders": {"type": "array", "items": folder}}), definitions)


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _one_of(answers: tuple[str, ...], definitions: Schema) -> Schema:
    return _with_definitions(
        {"type": "object", "anyOf": [{"$ref": f"#/$defs/{name}"} for name in answers]}, definitions
    )


def _with_definitions(schema: Schema, definitions: Schema) -> Schema:
    """The schema with those of the definitions that it refers to, be it through others."""
    found: dict[str, Any] = {}
    waiting = list(_referred(schema))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = definitions[name]
            waiting += _referred(definitions[name])
    return {**schema, "$defs": {name: found[name] for name in definitions if name in found}} if found else schema


def _referred(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].removeprefix("#/$defs/").partition("/")[0]
        for value in node.values():
            yield from _referred(value)
    elif isinstance(node, list):
        for value in node:
            yield from _referred(value)


def _cut(node: Any, *, is_schema: bool = True) -> Any:
    """A copy of a schema without what is of no use to a model. The keys of `properties` and `$defs` are names."""
    if isinstance(node, list):
        return [_cut(value) for value in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _cut(value, is_schema=not (is_schema and key in ("properties", "$defs")))
        for key, value in node.items()
        if not (is_schema and key in _LEFT_OUT)
    }
