"""What may be written at a place in YAML: keys, entries of lists, values; and how it has to be written there."""

from __future__ import annotations

import re
from collections.abc import Callable

from rules_lsp.features.completion_files import path_proposals, pattern_proposals
from rules_lsp.features.completion_keys import key_proposals, value_proposals
from rules_lsp.features.completion_place import Place, Proposals, TextStyle, YamlStyle
from rules_lsp.features.completion_tools import tool_key_proposals, tool_proposals
from rules_lsp.features.view import View
from rules_lsp.features.yaml_place import YamlPlace
from rules_lsp.policy.config import DEFAULT_RULE_FILES
from rules_lsp.policy.entries import TOOL_LISTS
from rules_lsp.policy.keys import PATTERNS, TOP_LEVEL, meant_key
from rules_lsp.policy.model import ListName
from rules_lsp.schemas import SchemaName, keys
from rules_lsp.source.records import replace
from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, resolve

_ESCAPE = re.compile(r"\\(.)")
_RULES = ("project_agent_rules", "default_rules")
_LISTS: dict[tuple[str, ...], ListName] = {
    ("allowed_tools",): "allowed_tools",
    ("denied_tools",): "denied_tools",
    ("file_patterns", "include"): "file_patterns.include",
    ("file_patterns", "exclude"): "file_patterns.exclude",
}
_TOOL_KEYS = (("x-tool-paths",), (*_RULES, "x-tool-paths"))
_PATH_LISTS: dict[tuple[str, ...], Callable[[View], tuple[str, ...]]] = {
    ("x-unprotected",): lambda view: tuple(sorted(view.policy.protected)),
    (*_RULES, "x-unprotected"): lambda view: tuple(sorted(view.policy.protected)),
    ("project_agent_rules", "rule_files"): lambda _: DEFAULT_RULE_FILES,
}


def yaml_proposals(view: View, text: Text, offset: int, found: YamlPlace) -> tuple[Place, Proposals] | None:
    """The place of a cursor with what may be written there; None where nothing may."""
    schema: SchemaName = "config" if view.subject.kind == "config" else "coding-agent-rules"
    if keys(schema, *found.path, *((0,) if found.item else ())):
        if is_no_key(found) or (found.own_line and found.beside):
            return None
        present = keys_beside(view.subject.nodes.root, found)
        named = found.colon or bool(found.quote)
        items = key_proposals(schema, found.path, item=found.item, present=present, colon=named, flow=found.flow)
        return placed(view, text, offset, found, None), Proposals(tuple(items))
    if found.path in _TOOL_KEYS and not found.item:
        if is_no_key(found):
            return None
        present = keys_beside(view.subject.nodes.root, found)
        items = tool_key_proposals(view, present, colon=found.colon or bool(found.quote), flow=found.flow)
        return placed(view, text, offset, found, None), Proposals(tuple(items))
    list_name = _list_of(found.path)
    if list_name is not None:
        return list_proposals(view, text, offset, found, list_name)
    paths = _PATH_LISTS.get(found.path)
    if paths is not None:
        return list_proposals(view, text, offset, found, None, paths(view))
    values = tuple(value_proposals(found.path)) if view.subject.kind == "config" and not found.item else ()
    if not values or found.goes_on:
        return None
    place = placed(view, text, offset, found, None)
    # A value is no text: quotes would make one of it.
    return replace(place, style=TextStyle(place.style.lead)), Proposals(values)


def is_no_key(found: YamlPlace) -> bool:
    """Whether a key cannot begin at a place: behind another on its line, or in front of one without a comma."""
    if found.colon:
        return False
    return found.goes_on if found.flow else not (found.own_line or found.item)


def list_proposals(
    view: View,
    text: Text,
    offset: int,
    found: YamlPlace,
    list_name: ListName | None,
    paths: tuple[str, ...] = (),
) -> tuple[Place, Proposals] | None:
    """The entries that may be written in a list; without `list_name` paths of files, `paths` first."""
    if (found.goes_on and not found.flow) or (
        found.own_line and not found.item and not found.flow and found.beside is False
    ):
        return None
    place = placed(view, text, offset, found, list_name, entry=True)
    if list_name is None:
        return place, path_proposals(view, place, paths)
    return place, tool_proposals(view, place) if list_name in TOOL_LISTS else pattern_proposals(view, place)


def _list_of(path: tuple[str, ...]) -> ListName | None:
    """The list that a key path specifies, slips of the pen read as the reader of rules reads them."""
    rules = path[len(_RULES) :] if path[: len(_RULES)] == _RULES else path
    if not 1 <= len(rules) <= 2:
        return None
    if len(rules) == 1 and rules[0].casefold() in PATTERNS:
        return _LISTS["file_patterns", rules[0].casefold()]
    top = rules[0] if rules[0] in TOP_LEVEL else meant_key(rules[0], TOP_LEVEL)
    if top is None or len(rules) == 1:
        return None if top is None else _LISTS.get((top,))
    side = rules[1] if rules[1] in PATTERNS else meant_key(rules[1], PATTERNS)
    return None if side is None else _LISTS.get((top, side))


def placed(
    view: View, text: Text, offset: int, found: YamlPlace, list_name: ListName | None, *, entry: bool = False
) -> Place:
    """The place as others see it. `entry`: what stands where a list belongs has to become an entry of one."""
    lone = entry and not found.item and not found.quote
    style = YamlStyle(
        found.quote,
        found.closed,
        found.flow,
        (" " if found.glued else "") + ("- " if lone and found.own_line and not found.flow else ""),
        lone and (found.flow or not found.own_line),
        view.subject.nodes.preferred_quote,
        found.flow and found.goes_on and not found.closed,
        not text.content[found.span.end : text.line_span(text.line_of(offset)).end].strip(),
    )
    before = text.content[found.span.start : offset]
    after = text.content[offset : found.span.end]
    return Place(found.path, list_name, found.span, _decoded(before, found.quote), _decoded(after, found.quote), style)


def _decoded(raw: str, quote: str) -> str:
    if quote == "'":
        return raw.replace("''", "'")
    return _ESCAPE.sub(r"\1", raw) if quote else raw


def keys_beside(root: Node | None, found: YamlPlace) -> frozenset[str]:
    """The keys of the mapping at a place, but the one that is being written there."""
    node = node_beside(root, found)
    if not isinstance(node, Mapping):
        return frozenset()
    keys_ = (key for key, _ in node.pairs if isinstance(key, Scalar))
    return frozenset(key.value for key in keys_ if found.span.start != key.span.start)


def texts_beside(root: Node | None, found: YamlPlace) -> frozenset[str]:
    """The texts of the list at a place, but the one that is being written there."""
    node = _node_of(root, found)
    items = node.items if isinstance(node, Sequence) else ()
    texts = (item for item in items if isinstance(item, Scalar))
    return frozenset(each.value for each in texts if not each.span.start <= found.span.start <= each.span.end)


def node_beside(root: Node | None, found: YamlPlace) -> Node | None:
    """The node at a place; of a list the item to which the place belongs."""
    return _item_at(_node_of(root, found), found)


def _node_of(root: Node | None, found: YamlPlace) -> Node | None:
    node: Node | None = resolve(root) if root is not None else None
    for step in found.path:
        node = _item_at(node, found)
        node = node.get(step) if isinstance(node, Mapping) else None
    return node


def _item_at(node: Node | None, found: YamlPlace) -> Node | None:
    """The item of a list that a place belongs to; what is no list itself."""
    if not isinstance(node, Sequence):
        return node
    # A block ends for its tree with its last text: the line below it may still be its own.
    return next((item for item in reversed(node.items) if item.token.start <= found.span.start), None)
