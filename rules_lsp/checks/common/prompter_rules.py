"""The rules of an `.auto-prompter.yaml` with the nodes that they were read from, and edits of these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from rules_lsp.checks.common.base import Fix
from rules_lsp.checks.common.lines import whole_lines
from rules_lsp.checks.common.remembered import once_a_subject
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import checked_entry
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Mapping, Node, Scalar, Sequence, key_text, resolve

if TYPE_CHECKING:
    from rules_lsp.prompter.model import Rule
    from rules_lsp.prompter.reading import PrompterRules

_REMARK = re.compile(r"(?:^|\s)#", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PlacedRule:
    """A rule, its item of the list, and its mapping."""

    rule: Rule
    item: Node
    mapping: Mapping
    id_span: Span | None

    @property
    def holds(self) -> bool:
        """Whether the rule can be read and is switched on."""
        return self.rule.broken is None and self.rule.enabled

    @property
    def place(self) -> Span:
        """Where a finding about the rule as a whole belongs: its `id`, else its beginning."""
        return self.id_span or Span(self.item.token.start, self.item.token.start)

    def key(self, *path: str) -> Scalar | None:
        """The key at the end of a path of keys, or None."""
        node: Node | None = self.mapping
        for name in path[:-1]:
            node = node.get(name) if isinstance(node, Mapping) else None
        pairs = node.pairs if isinstance(node, Mapping) else ()
        return next((key for pair in pairs if (key := key_text(pair[0])) is not None and key.value == path[-1]), None)

    def value(self, *path: str) -> Node | None:
        """The value at the end of a path of keys, aliases followed, or None."""
        node: Node | None = self.mapping
        for name in path:
            node = node.get(name) if isinstance(node, Mapping) else None
        return node

    def scalars(self, *path: str) -> tuple[Scalar, ...]:
        """The texts of the list at the end of a path of keys, as they stand there."""
        found = self.value(*path)
        return tuple(item for item in found.items if isinstance(item, Scalar)) if isinstance(found, Sequence) else ()


@once_a_subject
def placed_rules(subject: Subject) -> tuple[PlacedRule, ...]:
    """The rules of a subject in the order of the file; none where it is another file or does not parse."""
    if subject.kind != "prompter" or subject.neighbour is None or subject.error is not None:
        return ()
    read = cast("PrompterRules", subject.neighbour).read
    root = resolve(subject.tree) if subject.tree is not None else None
    rules = root.get("rules") if isinstance(root, Mapping) else None
    items = rules.items if isinstance(rules, Sequence) else ()
    if len(items) != len(read):
        return ()
    return tuple(
        PlacedRule(each.rule, item, mapping, each.id_span)
        for each, item in zip(read, items, strict=True)
        if isinstance(mapping := resolve(item), Mapping)
    )


@once_a_subject
def targeted_tools(subject: Subject) -> tuple[RuleList, ...]:
    """What rules name as their tools, as denying lists: they are read in every spelling of hosts as these are."""
    lists: list[RuleList] = []
    for placed in placed_rules(subject):
        key, scalars = placed.key("target", "tools"), placed.scalars("target", "tools")
        if key is not None and scalars:
            entries = (checked_entry(each.value, each.span, "denied_tools", at)[0] for at, each in enumerate(scalars))
            lists.append(RuleList("denied_tools", key.span, tuple(entries)))
    return tuple(lists)


def targeted_tool_at(subject: Subject, span: Span) -> Entry | None:
    """The tool of a rule's target that stands at a place, or None."""
    return _tools_by_place(subject).get(span)


@once_a_subject
def _tools_by_place(subject: Subject) -> dict[Span, Entry]:
    return {entry.span: entry for holder in targeted_tools(subject) for entry in holder.entries}


def without_pair(subject: Subject, mapping: Mapping, name: str, *, safe: bool) -> tuple[Fix, ...]:
    """Take a key with its value out of a mapping; nothing where that is not a simple change."""
    place = next((at for at, (key, _) in enumerate(mapping.pairs) if isinstance(key, Scalar) and key.value == name), -1)
    if place < 0 or len(mapping.pairs) < 2 or subject.nodes.has_aliases:
        return ()
    span = _in_flow(mapping, place) if mapping.flow else _lines_of(subject.text, _whole(*mapping.pairs[place]), "")
    return _removal(subject, f"remove `{name}`", span, safe)


def without_rule(subject: Subject, placed: PlacedRule) -> tuple[Fix, ...]:
    """Take a rule out of its list; nothing where it is the only one or does not stand on lines of its own."""
    if len(placed_rules(subject)) < 2 or subject.nodes.has_aliases:
        return ()
    return _removal(subject, "remove the rule", _lines_of(subject.text, placed.item.token, "-"), False)


def _removal(subject: Subject, title: str, span: Span | None, safe: bool) -> tuple[Fix, ...]:
    # A remark would go along.
    if span is None or _REMARK.search(subject.text.slice(span)):
        return ()
    return (Fix(title, (TextEdit(span, ""),), safe),)


def _whole(key: Node, value: Node) -> Span:
    return Span(key.token.start, max(key.token.end, value.token.end))


def _in_flow(mapping: Mapping, place: int) -> Span | None:
    pairs = mapping.pairs
    if any(not len(value.token) for _, value in pairs):
        return None
    if place:
        return Span(pairs[place - 1][1].token.end, pairs[place][1].token.end)
    return Span(pairs[0][0].token.start, pairs[1][0].token.start)


def _lines_of(text: Text, span: Span, head: str) -> Span | None:
    """The whole lines of a span, if nothing else than a head stands on them."""
    end = span.start + len(text.slice(span).rstrip())
    lines = whole_lines(text, Span(span.start, end))
    before, behind = text.content[lines.start : span.start], text.content[end : lines.end]
    return lines if before.strip() == head and not behind.strip() else None
