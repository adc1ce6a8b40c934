"""The outline of a file of rules: its keys, the rules by their names, and the keys of each."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.prompter.spots import RULES, value_of
from rules_lsp.features.symbols import LONGEST_NAME, LONGEST_VALUE, Symbol, around, key_symbols
from rules_lsp.source.excerpt import in_one_line
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence


def symbols(subject: Subject) -> tuple[Symbol, ...]:
    """The outline, as far as it can be made out."""
    root = subject.nodes.root
    return tuple(_top(root)) if isinstance(root, Mapping) else ()


def _top(root: Mapping) -> Iterator[Symbol]:
    for key, value in root.pairs:
        if isinstance(key, Scalar) and key.value == RULES and isinstance(value, Sequence):
            rules = tuple(_rule(item, number) for number, item in enumerate(value.items) if isinstance(item, Mapping))
            yield Symbol(RULES, "key", around(key.token, value.token, rules), key.token, "", rules)
        else:
            yield from key_symbols(((key, value),))


def _rule(node: Mapping, number: int) -> Symbol:
    identity, name = value_of(node, "id"), value_of(node, "name")
    parts = (value_of(node, "when"), value_of(node, "action"))
    detail = ", ".join(filter(None, (identity if name.strip() else "", " · ".join(filter(None, parts)))))
    children = tuple(key_symbols(node.pairs))
    called = next(filter(str.strip, (name, identity)), f"rule {number + 1}")
    span = around(node.token, node.token, children)
    return Symbol(
        in_one_line(called, LONGEST_NAME),
        "rule",
        span,
        _named(node) or span,
        in_one_line(detail, LONGEST_VALUE),
        children,
    )


def _named(node: Mapping) -> Span | None:
    """Where the name that is shown stands; in the rule itself, which an alias's value is not."""
    for wanted in ("name", "id"):
        for key, value in node.pairs:
            if _is_text_of(key, value, wanted):
                return value.token
    return None


def _is_text_of(key: Node, value: Node, wanted: str) -> bool:
    return isinstance(key, Scalar) and key.value == wanted and isinstance(value, Scalar) and bool(value.value.strip())
