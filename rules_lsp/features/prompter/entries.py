"""The tools and patterns that rules name, as entries of the lists that are read alike."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.prompter.matching import FILES_LIST
from rules_lsp.features.prompter.spots import rule_nodes
from rules_lsp.policy.model import Entry, ListName
from rules_lsp.source.yaml_tree import Mapping, Scalar, Sequence

_LISTS: tuple[tuple[str, str, ListName], ...] = (
    ("target", "tools", "denied_tools"),
    ("condition", "files", FILES_LIST),
)


def entries(subject: Subject) -> tuple[Entry, ...]:
    """The entries of all rules in the order of the document."""
    return tuple(sorted(_entries(subject), key=lambda entry: entry.span))


def _entries(subject: Subject) -> Iterator[Entry]:
    for _, rule in rule_nodes(subject):
        for part, key, name in _LISTS:
            holder = rule.get(part)
            values = holder.get(key) if isinstance(holder, Mapping) else None
            for number, item in enumerate(values.items if isinstance(values, Sequence) else ()):
                if isinstance(item, Scalar) and item.value.strip():
                    yield Entry(item.value, item.span, name, number)
