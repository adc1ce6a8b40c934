"""What stands under the cursor in a file of rules: a key, a word of the format, a rule with what it does now."""

from __future__ import annotations

from rules_lsp.features.hover import Hover
from rules_lsp.features.markup import code
from rules_lsp.features.neighbours import Outside
from rules_lsp.features.numbers import amount
from rules_lsp.features.prompter.documentation import (
    file_pattern_in_markdown,
    key_documentation,
    tool_pattern_in_markdown,
    value_documentation,
)
from rules_lsp.features.prompter.rule_page import rule_in_markdown
from rules_lsp.features.prompter.spots import Spot, read_rules, spot_at
from rules_lsp.features.prompter.words import expression_in_words
from rules_lsp.features.view import View
from rules_lsp.prompter.reading import PrompterRules

_NAMES = (("rules", "id"), ("rules", "name"))
BINDING = "these rules bind every member of the project"


def hover(view: View, offset: int, outside: Outside) -> Hover | None:
    """What to show at an offset: on the first line also what the file as a whole does."""
    spot = spot_at(view.subject, offset)
    found = _shown(view, spot, outside) if spot is not None else None
    first = view.subject.text.line_span(0)
    at_switch = spot is not None and spot.path == ("enabled",)
    if not at_switch and offset not in first:
        return found
    whole = file_in_markdown(view)
    if whole is None:
        return found
    if found is None:
        return Hover(whole, spot.marked if at_switch and spot is not None else first)
    return Hover(f"{found.markdown}\n\n---\n\n{whole}", found.span)


def file_in_markdown(view: View) -> str | None:
    """The switch, how many rules are active, and whom they bind; None for a document that says nothing."""
    neighbour = view.subject.neighbour
    if not isinstance(neighbour, PrompterRules):
        return None
    rules = neighbour.rules
    if rules.refusal is not None:
        return f"**Auto Prompter**: every call is denied: {rules.refusal}; {BINDING}"
    if not rules.enabled:
        return f"**Auto Prompter** is off: its {amount(len(rules.rules), 'rule')} are not looked at; {BINDING}"
    return f"**Auto Prompter** is on: {len(rules.active):,} of {amount(len(rules.rules), 'rule')} active; {BINDING}"


def _shown(view: View, spot: Spot, outside: Outside) -> Hover | None:
    if spot.is_key:
        text = key_documentation(spot.path)
        return None if text is None else Hover(f"{code('.'.join(spot.path))}\n\n{text}", spot.marked)
    rules = read_rules(view.subject)
    if spot.path in _NAMES and spot.rule is not None and spot.rule < len(rules):
        return Hover(rule_in_markdown(view, rules[spot.rule].rule, outside), spot.marked)
    text = _value(view, spot)
    return None if text is None else Hover(text, spot.marked)


def _value(view: View, spot: Spot) -> str | None:
    path, value = spot.path, spot.node.value
    if path == ("rules", "target", "tools"):
        return tool_pattern_in_markdown(view, value)
    if path == ("rules", "condition", "files"):
        return file_pattern_in_markdown(view, value)
    if path == ("rules", "condition", "command", "matches"):
        return expression_in_words(value)
    return value_documentation(view, path, value)
