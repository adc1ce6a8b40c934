"""What stands around the place of a cursor: the keys beside it, and what its rule says of the moment and the action."""

from __future__ import annotations

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.completion_in_yaml import keys_beside, node_beside, texts_beside
from rules_lsp.features.prompter.spots import value_of
from rules_lsp.features.yaml_place import YamlPlace
from rules_lsp.source.records import dataclass, replace
from rules_lsp.source.text import Text
from rules_lsp.source.yaml_tree import Mapping, Node, parse_yaml


@dataclass(frozen=True, slots=True)
class AroundPlace:
    """The keys of the mapping and the texts of the list at a place, and its rule's `when` and `action`, or empty."""

    keys: frozenset[str]
    texts: frozenset[str]
    when: str = ""
    action: str = ""


def around_place(subject: Subject, at: YamlPlace) -> AroundPlace:
    """What stands around a place, also where what is being written there cannot be parsed."""
    root = subject.nodes.root if subject.error is None else _without_line(subject.text, at)
    keys, texts = keys_beside(root, at), texts_beside(root, at)
    rule = node_beside(root, replace(at, path=("rules",))) if at.path[:1] == ("rules",) else None
    if not isinstance(rule, Mapping):
        return AroundPlace(keys, texts)
    return AroundPlace(keys, texts, value_of(rule, "when"), value_of(rule, "action"))


def _without_line(text: Text, at: YamlPlace) -> Node | None:
    """The tree of a text with blanks for what is being written: everything else is where it was."""
    line = text.line_span(text.line_of(at.span.start))
    before = text.content[line.start : at.span.start]
    kept = before if not before.strip(" -") else " " * len(before)
    blank = kept + " " * (line.end - at.span.start)
    document = parse_yaml(Text(text.content[: line.start] + blank + text.content[line.end :]))
    return document.root if document.error is None else document.partial
