"""YAML as plain values, and the places of its keys and texts."""

from __future__ import annotations

from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, parse_yaml, resolve
from rules_lsp.workspace.located import VALUE, LocatedDocument, Path, Places, broken

_WORDS: dict[str, object] = {"true": True, "false": False}


def read_yaml(text: str) -> LocatedDocument:
    """Parse YAML; never raises. Plain scalars are texts, except `true` and `false`."""
    document = parse_yaml(Text(text))
    if document.error is not None:
        return broken(text, document.error.message, document.error.span)
    places: Places = {}
    value = _plain(document.root, (), places)
    return LocatedDocument(text, value, places=lambda: places)


def _plain(node: Node | None, path: Path, places: Places) -> object:
    found = None if node is None else resolve(node)
    if isinstance(found, Mapping):
        mapping: dict[str, object] = {}
        for key, child in found.pairs:
            if isinstance(key, Scalar):
                places[(*path, key.value)] = key.span
                mapping[key.value] = _plain(child, (*path, key.value), places)
        return mapping
    if isinstance(found, Sequence):
        return [_plain(item, (*path, index), places) for index, item in enumerate(found.items)]
    if found is None or found.is_null:
        return None
    places[(*path, VALUE)] = found.span
    return found.value if found.style else _WORDS.get(found.value, found.value)
