"""Keys and values of a JSON file by its schema: for completion, and what a hover says of a key."""

from __future__ import annotations

import json
from typing import Any

from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.features.completion_place import Place, Proposal, Proposals, Topic
from rules_lsp.features.hover import Hover
from rules_lsp.features.json_place import JsonPlace, JsonStyle, as_place, json_place
from rules_lsp.features.markup import code
from rules_lsp.features.view import View
from rules_lsp.prompt.relaxed_json import value_of
from rules_lsp.schemas import SchemaName, describe, keys, part_of
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence

_EMPTY = {"string": '""', "boolean": "true", "object": "{}", "array": "[]", "integer": "0"}
_BLANKS = (" ", "-", "/")


def json_completion(view: View, offset: int, trigger: str | None, schema: SchemaName) -> tuple[Place, Proposals] | None:
    """The keys that may stand at an offset, or the values that a schema knows there; None where nothing may."""
    text = view.subject.text
    found = json_place(text, offset)
    if found is None or (trigger in _BLANKS and found.is_key):
        return None
    if found.is_key:
        return _keys(view, offset, found, schema)
    if found.quoted or found.item:
        return None
    names = _values(part_of(schema, *found.path) or {})
    style = JsonStyle(found, {}, plain=True)
    return (as_place(text, offset, found, style), Proposals(tuple(map(_value, names)))) if names else None


def key_hover(view: View, offset: int, schema: SchemaName) -> Hover | None:
    """What the key at an offset means."""
    found = key_at(_tree(view), offset)
    if found is None:
        return None
    path, node = found
    told = describe(schema, *path)
    return None if told is None else Hover(f"{code('.'.join(path))}\n\n{told}", node.span)


def key_at(node: Node | None, offset: int) -> tuple[tuple[str, ...], Scalar] | None:
    """The key that an offset touches, with the keys above it and its own."""
    if isinstance(node, Sequence):
        return next((found for item in node.items if (found := key_at(item, offset)) is not None), None)
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if not isinstance(key, Scalar):
            continue
        if offset in key.token:
            return (key.value,), key
        below = key_at(value, offset)
        if below is not None:
            return (key.value, *below[0]), below[1]
    return None


def _keys(view: View, offset: int, found: JsonPlace, schema: SchemaName) -> tuple[Place, Proposals] | None:
    present = _present(_tree(view), found)
    names = keys(schema, *found.path, *((0,) if found.item else ()))
    if not names:
        return None
    line_break = line_break_of(view.subject.text)
    values = {name: _written(part_of(schema, *found.path, name) or {}, line_break) for name in names}
    items = tuple(
        Proposal(
            name,
            name,
            "key",
            "already written" if name in present else None,
            Topic("key", ".".join((*found.path, name))),
            listed=name in present,
        )
        for name in names
    )
    return as_place(view.subject.text, offset, found, JsonStyle(found, values)), Proposals(items)


def _present(root: Node | None, found: JsonPlace) -> frozenset[str]:
    """The keys of the mapping at a place, but the one that is being written there."""
    node = root
    for step in found.path:
        node = value_of(node, step) if isinstance(node, Mapping) else None
    pairs = node.pairs if isinstance(node, Mapping) else ()
    texts = (key for key, _ in pairs if isinstance(key, Scalar))
    return frozenset(key.value for key in texts if not key.span.start <= found.span.start <= key.span.end)


def _tree(view: View) -> Node | None:
    """The tree of the document, of what is whole of one that does not parse."""
    neighbour = view.subject.neighbour
    document = neighbour.document if neighbour is not None else None
    return None if document is None else document.partial


def _values(node: dict[str, Any]) -> tuple[str, ...]:
    if node.get("type") == "boolean":
        return ("true", "false")
    return (str(node["default"]),) if node.get("type") == "integer" and "default" in node else ()


def _written(node: dict[str, Any], line_break: str) -> tuple[str, str]:
    """What belongs behind a key, and the same with a tab stop."""
    kind = node.get("type")
    if kind == "object" and node.get("required"):
        # What must be whole is written whole.
        whole = {name: each.get("default") for name, each in node["properties"].items()}
        written = json.dumps(whole, indent=2).replace("\n", line_break)
        return written, written.replace("}", "\\}") + "$0"
    if kind == "boolean" or (kind == "integer" and "default" in node):
        written = json.dumps(node.get("default", True))
        return written, f"{written}$0"
    written = _EMPTY.get(kind if isinstance(kind, str) else "", '""')
    return written, f"{written[:-1]}$0{written[-1]}" if written != "0" else "$0"


def _value(name: str) -> Proposal:
    return Proposal(name, name, "value")
