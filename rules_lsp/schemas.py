"""The schemas: structure, hover text and enumerations of every file kind, found in a checkout and in a wheel.

A *key path* walks a document from its top: a string steps into that key, an integer into that item of a list. A
string also steps through a list, since a list has no text of its own at its items: `("path_map", "from")`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

SchemaName = Literal[
    "coding-agent-rules",
    "config",
    "query",
    "decision",
    "auto-prompter",
    "edits",
    "edit-answers",
    "persona-template",
    "context-files",
    "a0-project",
    "a0-mcp-servers",
    "prompt-view",
]
Schema = dict[str, Any]
Step = str | int

SCHEMA_NAMES: tuple[SchemaName, ...] = get_args(SchemaName)
_PACKAGE = Path(__file__).resolve().parent
_DIRECTORIES = (_PACKAGE / "_schemas", _PACKAGE.parent / "schemas")
_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "empty",
    "number": "a number",
    "object": "a mapping",
    "string": "text",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """One departure of a document from its schema.

    `path` is the key path of the value at fault (of the mapping that holds it, for an unknown or a missing key),
    `keyword` the schema keyword it departs from (`type`, `additionalProperties`, `required`, `const` …), `message`
    says in words what is wrong.
    """

    path: tuple[Step, ...]
    keyword: str
    message: str

    def __str__(self) -> str:
        """The message behind the place, as `file_patterns.include[0]: must be text`."""
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return f"{place.removeprefix('.')}: {self.message}" if place else self.message


def schema_path(name: SchemaName) -> Path:
    """The file of a schema. Raises FileNotFoundError where the installation lacks it."""
    for directory in _DIRECTORIES:
        path = directory / f"{name}.schema.json"
        if path.is_file():
            return path
    raise FileNotFoundError(f"no schema {name} in {' or '.join(map(str, _DIRECTORIES))}")


@cache
def load_schema(name: SchemaName) -> Schema:
    """A schema as data. It is shared between callers and must not be changed."""
    schema: Schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    return schema


def part_of(name: SchemaName, *key_path: Step) -> Schema | None:
    """What a schema says of the value at a key path, or None; of several forms the first. It must not be changed."""
    return _find(name, key_path)


def describe(name: SchemaName, *key_path: Step) -> str | None:
    """The documentation of a key in Markdown, or None for a key that the schema does not know."""
    node = _find(name, key_path)
    if node is None:
        return None
    text: str | None = node.get("markdownDescription") or node.get("description")
    return text


def keys(name: SchemaName, *key_path: Step) -> tuple[str, ...]:
    """The known keys of the mapping at a key path, in the order of the schema; empty where there is none."""
    node = _find(name, key_path)
    return () if node is None else tuple(node.get("properties", ()))


def choices(name: SchemaName, *key_path: Step) -> dict[str, str]:
    """The values of an enumeration and what each means, in the order of the schema; empty where there is none."""
    options = (_find(name, key_path) or {}).get("oneOf", ())
    return {option["const"]: option["description"] for option in options if "const" in option}


def violations(name: SchemaName, instance: object) -> list[Violation]:
    """Every departure of a document (as JSON data) from its schema, in the order of the document's keys."""
    from jsonschema import Draft202012Validator

    nearest = map(_nearest, Draft202012Validator(load_schema(name)).iter_errors(instance))
    found = (Violation(tuple(error.absolute_path), error.validator, _in_words(error)) for error in nearest)
    return list(dict.fromkeys(found))


def validate(name: SchemaName, instance: object) -> list[str]:
    """Every departure of a document (as JSON data) from its schema as text; empty for a valid one."""
    return [str(violation) for violation in violations(name, instance)]


def schema_faults(schema: Any) -> list[Violation]:
    """Why a value is no JSON schema of the draft that it names (else of 2020-12); empty for a valid one.

    Nothing that it refers to is looked up. Paths are those in the schema.
    """
    from jsonschema import Draft202012Validator, validators

    if isinstance(schema, dict) and not isinstance(schema.get("$schema", ""), str):
        return [Violation(("$schema",), "type", "must be text")]
    draft = validators.validator_for(schema, default=Draft202012Validator)
    try:
        nearest = map(_nearest, draft(draft.META_SCHEMA).iter_errors(schema))
        found = (Violation(tuple(error.absolute_path), error.validator, _in_words(error)) for error in nearest)
        return list(dict.fromkeys(found))
    except RecursionError:
        return [Violation((), "type", "is nested too deeply")]


def _find(name: SchemaName, key_path: tuple[Step, ...]) -> Schema | None:
    root = load_schema(name)
    node: Schema | None = _resolved(root, root)
    for step in key_path:
        if node is None:
            return None
        node = _item(root, node) if isinstance(step, int) else _property(root, node, step)
    return node


def _property(root: Schema, node: Schema, key: str) -> Schema | None:
    while "items" in node:
        node = _resolved(root, node["items"])
    if key in node.get("properties", ()):
        return _resolved(root, node["properties"][key])
    for prefix_pattern, value in node.get("patternProperties", {}).items():
        if key.startswith(prefix_pattern.removeprefix("^")):
            return _resolved(root, value)
    others = node.get("additionalProperties")
    return _resolved(root, others) if isinstance(others, dict) else None


def _item(root: Schema, node: Schema) -> Schema | None:
    return _resolved(root, node["items"]) if "items" in node else None


def _resolved(root: Schema, node: Schema) -> Schema:
    """The node with what it refers to; its own text wins, and of several forms the first speaks."""
    while True:
        if "$ref" in node:
            target = root
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
            if "$ref" in target:
                node["$ref"] = target["$ref"]
        elif "anyOf" in node:
            node = {**node["anyOf"][0], **{key: value for key, value in node.items() if key != "anyOf"}}
        else:
            return node


def _nearest(error: Any) -> Any:
    """The error itself, or where a value fits none of several forms, the first error in the nearest form."""
    while error.context and not (_each_has("const", error) or _each_has("required", error)):
        forms: dict[int, list[Any]] = {}
        for inner in error.context:
            forms.setdefault(inner.relative_schema_path[0], []).append(inner)
        error = min(forms.values(), key=lambda errors: (_is_other_kind(errors, error), len(errors)))[0]
    return error


def _each_has(keyword: str, error: Any) -> bool:
    return all(keyword in option for option in error.validator_value)


def _is_other_kind(errors: list[Any], outer: Any) -> bool:
    return any(error.validator == "type" and error.absolute_path == outer.absolute_path for error in errors)


def _in_words(error: Any) -> str:
    expected, instance = error.validator_value, error.instance
    match error.validator:
        case "type":
            kinds = [expected] if isinstance(expected, str) else expected
            return f"must be {' or '.join(_KINDS[kind] for kind in kinds)}"
        case "additionalProperties" if isinstance(instance, dict):
            known = error.schema.get("properties", {})
            unknown = [str(key) for key in instance if key not in known and not str(key).startswith("x-")]
            return f"unknown {'key' if len(unknown) == 1 else 'keys'} {_quoted(unknown)}"
        case "dependentRequired":
            needed = [key for present in expected if present in instance for key in expected[present]]
            return f"{_quoted([key for key in needed if key not in instance][:1])} is missing"
        case "required":
            return f"{_quoted([key for key in expected if key not in instance][:1])} is missing"
        case "enum":
            return f"must be {_quoted(expected, ' or ')}"
        case "const":
            return f"must be `{json.dumps(expected)}`"
        case "oneOf" if _each_has("const", error):
            return f"must be {_quoted([option['const'] for option in expected], ' or ')}"
        case "oneOf" if _each_has("required", error):
            return f"must have exactly one of the keys {_quoted([option['required'][0] for option in expected])}"
        case "format" | "pattern":
            return f"`{instance}` is not in the form of {error.schema.get('title', 'this key').lower()}"
        case _:
            return str(error.message)


def _quoted(values: list[Any], last: str = ", ") -> str:
    texts = [f"`{value}`" for value in values]
    return last.join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
