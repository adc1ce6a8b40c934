"""Whether a completion is accepted."""

from __future__ import annotations

from collections.abc import Sequence

from rules_lsp.prompter.batch import WithLedger
from rules_lsp.prompter.conditions import holds_for_completion
from rules_lsp.prompter.effects import ADVISE, ALLOW, DENY
from rules_lsp.prompter.keys import ALWAYS, AUDIT, BEFORE_TOOL, INJECT
from rules_lsp.prompter.keys import DENY as DENY_TOOL
from rules_lsp.prompter.ledger import Ledger, needs_ledger
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.store.database import StoreFailure
from rules_lsp.prompter.store.jobs import Job
from rules_lsp.source.records import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass
class JudgedCompletion:
    """What became of a completion: `allow`, `deny` or `advise`, the rule that decided, and all that fired."""

    effect: str = ALLOW
    rule: Rule | None = None
    reason: str = ""
    advising: list[Rule] = field(default_factory=list)
    denying: list[Rule] = field(default_factory=list)
    observing: list[Rule] = field(default_factory=list)
    shadows: list[Rule] = field(default_factory=list)
    failure: str | None = None

    def deny(self, rule: Rule | None, reason: str) -> None:
        """Refuse the completion; the first reason stays."""
        if self.effect != DENY:
            self.effect, self.rule, self.reason = DENY, rule, reason


def judge_completion(job: Job, text: str, with_ledger: WithLedger) -> JudgedCompletion:
    """Decide about a completion that could really end the work."""
    found = JudgedCompletion()
    if job.rules.refusal is not None:
        found.deny(None, job.rules.refusal)
    stated: list[Rule] = []
    for rule in job.rules.active:
        if rule.when in (ALWAYS, BEFORE_TOOL) or not holds_for_completion(rule, text, job.names):
            continue
        if rule.broken is not None:
            found.deny(rule, f"the rule cannot be read: {rule.broken}")
        elif rule.is_shadow:
            found.shadows.append(rule)
        elif needs_ledger(rule):
            stated.append(rule)
        else:
            _apply(found, rule, None)
    if stated:
        try:
            with with_ledger() as ledger:
                for rule in stated:
                    if ledger.holds(rule, "", None):
                        _apply(found, rule, ledger)
        except StoreFailure as error:
            found.failure = str(error)
            for rule in stated:
                if rule.action != AUDIT:
                    found.deny(rule, str(error))
    if found.effect == ALLOW and found.advising:
        found.effect, found.rule = ADVISE, found.advising[0]
    return found


def _apply(found: JudgedCompletion, rule: Rule, ledger: Ledger | None) -> None:
    silent = ledger is not None and bool(rule.limit) and not ledger.advises(rule)
    if rule.action == DENY_TOOL:
        found.denying.append(rule)
        found.deny(rule, rule.instruction or "the rule does not accept it")
    elif rule.action == INJECT and not silent:
        found.advising.append(rule)
    elif rule.action == AUDIT and not silent:
        found.observing.append(rule)
    elif rule.action not in (INJECT, AUDIT):
        found.deny(rule, f"the action `{rule.action}` is not known here")


def as_answer(found: JudgedCompletion, controls: Sequence[str]) -> dict[str, Any]:
    """The answer: `decision` is `accept` or `refuse`; every control call of a refused completion has a result."""
    refused = found.effect != ALLOW
    rule = found.rule
    reason = f"the rule `{rule.name}` does not accept it" if rule is not None else found.reason
    calls = [
        {
            "id": each,
            "effect": found.effect,
            "ruleId": rule.id if rule is not None else None,
            "ruleVersion": rule.version if rule is not None else None,
            **({"result": f"Error: not completed: {reason}"} if refused else {}),
        }
        for each in controls
    ]
    answer: dict[str, Any] = {"decision": "refuse" if refused else "accept", "calls": calls}
    if refused:
        told = [each.instruction.strip() for each in (*found.denying, *found.advising)]
        texts = dict.fromkeys(text for text in told if text)
        answer["message"] = {"role": "user", "content": "\n\n".join(texts) or found.reason}
    return answer
