"""What stands above the file and above each rule: whether it is on, and what it did."""

from __future__ import annotations

from rules_lsp.features.neighbours import NeighbourLens, Outside
from rules_lsp.features.numbers import amount
from rules_lsp.features.prompter.rule_page import activity_of
from rules_lsp.features.prompter.spots import read_rules
from rules_lsp.features.prompter.words import moment
from rules_lsp.features.view import View
from rules_lsp.prompter.activity import Activity
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.reading import PrompterRules, ReadRule
from rules_lsp.source.records import replace
from rules_lsp.source.text import Span

WHOLE_FILE = "file"


def lenses(view: View) -> tuple[NeighbourLens, ...]:
    """The lens of the file on its first line, and one on each rule. What they say is made by `resolve_lens`."""
    text = view.subject.text
    rules = tuple(_lens(each, number) for number, each in enumerate(read_rules(view.subject)))
    return (NeighbourLens(text.line_span(0), WHOLE_FILE), *rules)


def resolve_lens(view: View, lens: NeighbourLens, outside: Outside) -> NeighbourLens | None:
    """A lens with its title; None where the document has no such lens any more."""
    neighbour = view.subject.neighbour
    if not isinstance(neighbour, PrompterRules):
        return None
    if lens.key == WHOLE_FILE:
        return replace(lens, title=_file_title(neighbour))
    number = int(lens.key) if lens.key.isascii() and lens.key.isdecimal() and len(lens.key) < 8 else -1
    if not 0 <= number < len(neighbour.read):
        return None
    rule = neighbour.read[number].rule
    activity = activity_of(view, outside, rule.id)
    return replace(lens, title=" · ".join([_state(neighbour, rule), rule.action, *_told(rule, activity)]))


def _lens(rule: ReadRule, number: int) -> NeighbourLens:
    return NeighbourLens(rule.id_span or Span(rule.span.start, rule.span.start), str(number))


def _file_title(neighbour: PrompterRules) -> str:
    rules = neighbour.rules
    if rules.refusal is not None:
        return f"Auto Prompter: every call is denied: {rules.refusal}"
    if not rules.enabled:
        return f"Auto Prompter: off · {amount(len(rules.rules), 'rule')}"
    return f"Auto Prompter: on · {len(rules.active):,} of {amount(len(rules.rules), 'rule')} active"


def _state(neighbour: PrompterRules, rule: Rule) -> str:
    if not neighbour.rules.enabled:
        return "off with the file"
    if not rule.enabled:
        return "off"
    return "broken: denies what it may hold back" if rule.broken is not None else "on"


def _told(rule: Rule, activity: Activity | None) -> list[str]:
    limit, per = rule.limit.get("fires"), str(rule.limit.get("per", "task"))
    bound = f"at most {limit:,} in a {per}" if limit is not None else "no limit"
    if activity is None:
        return [bound]
    fires = activity.fires(per)
    counted = (
        f"fired {fires:,} of {limit:,} in the last {per}" if limit is not None else f"fired {fires:,} in the last {per}"
    )
    told = [counted if activity.last_fired is not None else f"never fired · {bound}"]
    told += [f"last {moment(activity.last_fired)}"] if activity.last_fired is not None else []
    return told + ([f"{amount(activity.pending, 'approval')} waiting"] if activity.pending else [])
