"""Where an offset lies in the tree of the rules, and the nodes of a rule."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.prompter.reading import PrompterRules, ReadRule
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, key_text, resolve

RULES = "rules"


@dataclass(frozen=True, slots=True)
class Spot:
    """A key or a value that an offset touches.

    `path` are the keys that lead to it, its own included; `rule` is its place in the list; `marked` is what an editor
    marks of it: its text, or with its quotes where the offset lies in front of one.
    """

    path: tuple[str, ...]
    node: Scalar
    is_key: bool
    rule: int | None
    marked: Span


def read_rules(subject: Subject) -> tuple[ReadRule, ...]:
    """The rules of a document as they were read; none where it does not parse."""
    return subject.neighbour.read if isinstance(subject.neighbour, PrompterRules) else ()


def spot_at(subject: Subject, offset: int) -> Spot | None:
    """The key or value that an offset touches."""
    return _spot(subject.nodes.root, offset, (), None)


def rule_nodes(subject: Subject) -> Iterator[tuple[int, Mapping]]:
    """The mappings in the list of rules that stand there themselves, with their places in it."""
    root = subject.nodes.root
    rules = root.get(RULES) if isinstance(root, Mapping) else None
    if isinstance(rules, Sequence):
        yield from ((number, item) for number, item in enumerate(rules.items) if isinstance(item, Mapping))


def pair_of(mapping: Mapping, name: str) -> tuple[Scalar, Node] | None:
    """The first pair of a mapping with a key."""
    for key, value in mapping.pairs:
        scalar = key_text(key)
        if scalar is not None and scalar.value == name:
            return scalar, value
    return None


def value_of(mapping: Mapping, name: str) -> str:
    """The text behind a key; empty where there is none."""
    found = pair_of(mapping, name)
    value = resolve(found[1]) if found is not None else None
    return value.value if isinstance(value, Scalar) else ""


def _spot(node: Node | None, offset: int, path: tuple[str, ...], rule: int | None) -> Spot | None:
    if isinstance(node, Scalar):
        return Spot(path, node, False, rule, _marked(node, offset)) if path and offset in node.token else None
    if isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            if offset in item.token:
                return _spot(item, offset, path, number if path == (RULES,) else rule)
        return None
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if not isinstance(key, Scalar):
            continue
        if offset in key.token:
            return Spot((*path, key.value), key, True, rule, _marked(key, offset))
        if offset in value.token:
            return _spot(value, offset, (*path, key.value), rule)
    return None


def _marked(node: Scalar, offset: int) -> Span:
    return node.span if offset in node.span else node.token
