"""What a person may choose to change: a rule's switch, the file's switch, a limit for advice that has none."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.checks.common.lines import line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import NeighbourAction
from rules_lsp.features.prompter.spots import pair_of, rule_nodes, value_of
from rules_lsp.features.view import View
from rules_lsp.prompter.keys import BEFORE_COMPLETION, INJECT
from rules_lsp.source.edits import TextEdit
from rules_lsp.source.text import Span
from rules_lsp.source.yaml_tree import Mapping, Scalar

LIMIT = "limit: {fires: 1, per: task}"
_ON, _OFF = ("true", "True", "TRUE"), ("false", "False", "FALSE")


def actions(view: View, selection: Span) -> tuple[NeighbourAction, ...]:
    """What is offered for a selection; nothing while the document does not parse."""
    return () if view.subject.error is not None else tuple(_offered(view.subject, selection))


def _offered(subject: Subject, selection: Span) -> Iterator[NeighbourAction]:
    for number, rule in rule_nodes(subject):
        if rule.token.start <= selection.end and selection.start <= rule.token.end:
            name = code(value_of(rule, "id")) if value_of(rule, "id").strip() else f"number {number + 1}"
            yield from _switch(subject, rule, f"the rule {name}")
            if _lacks_limit(rule):
                yield NeighbourAction(
                    f"let the rule {name} advise once in a task", (_key_before(subject, rule, LIMIT),)
                )
    root = subject.nodes.root
    if isinstance(root, Mapping) and _touches_switch(subject, root, selection):
        yield from _switch(subject, root, "Auto Prompter")


def _touches_switch(subject: Subject, root: Mapping, selection: Span) -> bool:
    """Whether a selection touches the first line, or the line of the file's switch."""
    lines = {0}
    pair = pair_of(root, "enabled")
    if pair is not None:
        lines.add(subject.text.line_of(pair[0].span.start))
    return subject.text.line_of(selection.start) in lines


def _switch(subject: Subject, mapping: Mapping, what: str) -> Iterator[NeighbourAction]:
    pair = pair_of(mapping, "enabled")
    if pair is None:
        if mapping.pairs:
            yield NeighbourAction(f"switch {what} off", (_key_before(subject, mapping, "enabled: false"),))
        return
    value = pair[1]
    if not isinstance(value, Scalar) or value.style or value.tag is not None or value.value not in (*_ON, *_OFF):
        return
    off = value.value in _ON
    edit = TextEdit(value.span, "false" if off else "true")
    yield NeighbourAction(f"switch {what} {'off' if off else 'on'}", (edit,))


def _lacks_limit(rule: Mapping) -> bool:
    """Whether advice on completions has no limit: no completion that it matches would ever be accepted."""
    return (
        value_of(rule, "action") == INJECT
        and value_of(rule, "when") == BEFORE_COMPLETION
        and pair_of(rule, "limit") is None
    )


def _key_before(subject: Subject, mapping: Mapping, written: str) -> TextEdit:
    """A key in front of the second one, where none of what stands there is parted from its comments or its text."""
    text = subject.text
    key = mapping.pairs[min(1, len(mapping.pairs) - 1)][0]
    at = key.token.start
    if mapping.flow:
        return TextEdit(Span(at, at), f"{written}, ")
    column = at - text.line_span(text.line_of(at)).start
    return TextEdit(Span(at, at), f"{written}{line_break_of(text)}{' ' * column}")
