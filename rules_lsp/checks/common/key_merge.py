"""Putting the entries of a misspelt key of a denying list into the list that it means."""

from __future__ import annotations

from rules_lsp.checks.common.lines import indentation, line_at, line_break_of, split_lines, whole_lines
from rules_lsp.checks.common.subject import Subject
from rules_lsp.policy.entries import DENYING_LISTS
from rules_lsp.policy.model import ListName, Rules
from rules_lsp.policy.yaml.read_yaml import read_yaml
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.text import Span, Text
from rules_lsp.source.yaml_tree import Scalar, Sequence

DENYING_KEYS = frozenset({"denied_tools", "exclude"})


def merged(subject: Subject, key: Span, target: str) -> tuple[TextEdit, ...]:
    """The edits that move the entries of a key behind those of a known key beside it; empty where that is not simple.

    The text with them is read again: it has no key twice, denies the same and allows the same.
    """
    found = subject.nodes.pair(key)
    if found is None or subject.error is not None or subject.nodes.has_aliases or target not in DENYING_KEYS:
        return ()
    mapping, misspelt, value = found
    targets = [(name, node) for name, node in mapping.pairs if isinstance(name, Scalar) and name.value == target]
    if mapping.flow or len(targets) != 1 or not isinstance(value, Sequence) or not value.items:
        return ()
    name, list_node = targets[0]
    if not isinstance(list_node, Sequence) or not list_node.items or list_node.flow != value.flow:
        return ()
    text = subject.text
    gone = whole_lines(text, Span(misspelt.token.start, value.token.end))
    above = text.slice(line_at(text, gone.start - 1)) if gone.start else ""
    behind_key = text.content[misspelt.token.end : line_at(text, misspelt.token.end).end]
    if above.lstrip().startswith("#") or (not value.flow and behind_key.strip() != ":"):
        return ()
    if value.flow:
        edits = _into_flow(text, value, list_node, gone)
    else:
        edits = _into_block(text, value, list_node, Span(name.token.start, list_node.token.end), gone)
    return edits if edits and _same(subject, edits) else ()


def _into_flow(text: Text, value: Sequence, target: Sequence, gone: Span) -> tuple[TextEdit, ...]:
    if text.content[value.span.end : gone.end].strip():
        return ()
    inner = Span(value.items[0].token.start, value.items[-1].token.end)
    at = target.items[-1].token.end
    return tuple(sorted((TextEdit(Span(at, at), f", {text.slice(inner)}"), TextEdit(gone, ""))))


def _into_block(text: Text, value: Sequence, target: Sequence, pair: Span, gone: Span) -> tuple[TextEdit, ...]:
    old, new = (indentation(text, node.items[0].token.start) for node in (value, target))
    at = whole_lines(text, pair).end
    line_break = line_break_of(text)
    lines = split_lines(text.content[line_at(text, gone.start).end : gone.end])
    moved = "" if text.content[at - 1] in "\r\n" else line_break
    for line in lines:
        body = line.strip("\r\n")
        if body.strip():
            if body[:old].strip():
                return ()
            moved += " " * new + body[old:] + line_break
    return tuple(sorted((TextEdit(Span(at, at), moved), TextEdit(gone, ""))))


def _same(subject: Subject, edits: tuple[TextEdit, ...]) -> bool:
    after = read_yaml(Text(apply_edits(subject.text.content, edits)))
    problems = sum(problem.code == "duplicate-key" for problem in after.problems)
    before = sum(problem.code == "duplicate-key" for problem in subject.problems)
    return after.error is None and problems <= before and _said(after.shown) == _said(subject.shown)


def _said(rules: Rules) -> tuple[list[tuple[ListName, list[str]]], list[tuple[ListName, str]]]:
    """The allowing lists one by one, of which each must allow, and all denying entries together."""
    lists = list(rules.lists())
    allowing = [(each.name, [entry.text for entry in each.entries]) for each in lists if each.name not in DENYING_LISTS]
    denying = [(each.name, entry.text) for each in lists if each.name in DENYING_LISTS for entry in each.entries]
    return allowing, sorted(denying)
