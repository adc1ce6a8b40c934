"""All tool calls of one assistant message, decided together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from rules_lsp.policy.decide_tool import decide_tool
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.resolve import Resolver
from rules_lsp.prompter.calls import Call, LookedAt
from rules_lsp.prompter.conditions import holds_for_call, may_hold_for_job
from rules_lsp.prompter.effects import ADVISE, ALLOW, APPROVAL, DENY, holding, strongest
from rules_lsp.prompter.keys import APPROVE, AUDIT, INJECT
from rules_lsp.prompter.keys import DENY as DENY_TOOL
from rules_lsp.prompter.ledger import Ledger, needs_ledger
from rules_lsp.prompter.masking import summary_of
from rules_lsp.prompter.model import Rule
from rules_lsp.prompter.store.approvals import Approval
from rules_lsp.prompter.store.database import StoreFailure
from rules_lsp.prompter.store.jobs import Job
from rules_lsp.source.records import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WithLedger = Callable[[], contextlib.AbstractContextManager[Ledger]]


@dataclass
class Judged:
    """What became of one call: its effect, the rule that decided, why, and everything that fired on the way."""

    call: Call
    effect: str = ALLOW
    rule: Rule | None = None
    reason: str | None = None
    looked: LookedAt | None = None
    advising: list[Rule] = field(default_factory=list)
    observing: list[Rule] = field(default_factory=list)
    shadows: list[Rule] = field(default_factory=list)
    waiting: list[tuple[Rule, Approval]] = field(default_factory=list)
    granted: list[tuple[Rule, Approval]] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """What would run, masked, in one line."""
        return summary_of(self.call.tool, self.call.arguments, self.looked.lines if self.looked is not None else [])

    @property
    def label(self) -> str:
        """What the call is, without its arguments."""
        return self.looked.label if self.looked is not None else self.call.tool

    def deny(self, rule: Rule | None, reason: str) -> None:
        """Deny the call; the first reason stays."""
        if self.effect != DENY:
            self.effect, self.rule, self.reason = DENY, rule, reason


def judge_batch(
    job: Job, calls: Sequence[Call], policy: Policy, with_ledger: WithLedger
) -> tuple[list[Judged], str | None, str | None]:
    """Decide every call: what became of each, why the batch is held (or None), and why the store failed (or None)."""
    judged = [Judged(call) for call in calls]
    stated: list[tuple[Judged, LookedAt, Rule]] = []
    rules = [rule for rule in job.rules.before_tools if may_hold_for_job(rule, job.names)]
    resolver = Resolver(policy.root)
    for each in judged:
        if not each.call.control:
            looked = LookedAt(each.call, policy, job.rules.dangerous, job.rules.file_patterns, resolver)
            each.looked = looked
            stated.extend((each, looked, rule) for rule in _without_store(job, each, looked, rules, resolver, policy))
    failure = _with_store(job, stated, with_ledger) if stated else None
    for each in judged:
        if each.effect == DENY:
            each.advising, each.waiting, each.granted = [], [], []
        effects = [each.effect]
        effects += [APPROVAL] if each.waiting else []
        effects += [ADVISE] if each.advising else []
        each.effect = strongest(effects)
        if each.effect == APPROVAL:
            each.rule = each.waiting[0][0]
        elif each.effect == ADVISE:
            each.rule = each.advising[0]
    return judged, holding([each.effect for each in judged]), failure


def _without_store(
    job: Job, each: Judged, looked: LookedAt, rules: Sequence[Rule], resolver: Resolver, policy: Policy
) -> list[Rule]:
    """Decide what needs no store; the rules that need it and hold so far."""
    call = each.call
    decision = decide_tool(
        policy, call.tool, call.arguments, resolver, cwd=call.cwd, full=False, touched=looked.touched
    )
    if not decision.allowed:
        each.deny(None, decision.reason)
    if job.rules.refusal is not None:
        each.deny(None, job.rules.refusal)
    waiting: list[Rule] = []
    for rule in rules:
        if not holds_for_call(rule, looked):
            continue
        if rule.broken is not None:
            each.deny(rule, f"the rule cannot be read: {rule.broken}")
        elif rule.unsupported_category is not None:
            each.deny(rule, f"the category `{rule.unsupported_category}` cannot be judged")
        elif rule.is_shadow:
            each.shadows.append(rule)
        elif needs_ledger(rule):
            waiting.append(rule)
        elif rule.action == DENY_TOOL:
            each.deny(rule, rule.instruction or "the rule denies it")
        elif rule.action == INJECT:
            each.advising.append(rule)
        elif rule.action == AUDIT:
            each.observing.append(rule)
        else:
            each.deny(rule, f"the action `{rule.action}` is not known here")
    return waiting


def _with_store(job: Job, stated: Sequence[tuple[Judged, LookedAt, Rule]], with_ledger: WithLedger) -> str | None:
    """Decide what the store has a say on; why it failed, in which case what it would decide is denied."""
    before = {id(each): (each.effect, each.rule, each.reason) for each, _, _ in stated}
    kept = {id(each): (list(each.advising), list(each.observing)) for each, _, _ in stated}
    try:
        with with_ledger() as ledger:
            _weigh(job, stated, ledger)
    except StoreFailure as error:
        for each, _, _ in stated:
            each.effect, each.rule, each.reason = before[id(each)]
            each.advising, each.observing = map(list, kept[id(each)])
            each.waiting, each.granted = [], []
        for each, _, rule in stated:
            if rule.action != AUDIT:
                each.deny(rule, str(error))
        return str(error)
    return None


def _weigh(job: Job, stated: Sequence[tuple[Judged, LookedAt, Rule]], ledger: Ledger) -> None:
    holding_rules = [
        (each, looked, rule) for each, looked, rule in stated if ledger.holds(rule, each.call.tool, each.call.arguments)
    ]
    for each, _, rule in holding_rules:
        if rule.action == DENY_TOOL:
            each.deny(rule, rule.instruction or "the rule denies it")
    for each, _, rule in holding_rules:
        if rule.action == APPROVE and each.effect != DENY:
            _ask(job, each, rule, ledger)
    for each, _, rule in holding_rules:
        if each.effect == DENY:
            continue
        if rule.action == INJECT and ledger.advises(rule):
            each.advising.append(rule)
        elif rule.action == AUDIT and (not rule.limit or ledger.advises(rule)):
            each.observing.append(rule)


def _ask(job: Job, each: Judged, rule: Rule, ledger: Ledger) -> None:
    names = job.names
    to = names.job
    if names.delegate:
        if names.parent is None or not ledger.has_parent():
            each.deny(rule, "a delegate without a parent cannot wait for approval")
            return
        to = names.parent
    asked = ledger.ask(rule, each.call.tool, each.call.arguments, each.summary, to)
    if asked.denied is not None:
        each.deny(rule, asked.denied)
    elif asked.granted is not None:
        each.granted.append((rule, asked.granted))
    elif asked.waiting is not None:
        each.waiting.append((rule, asked.waiting))


def as_answer(judged: Sequence[Judged], held: str | None) -> dict[str, Any]:
    """The answer: `batch` is `run` or `held`; every call of a held batch has a result, and so has each denied one."""
    answer: dict[str, Any] = {
        "batch": "run" if held is None else "held",
        "calls": [_call_as_json(each, held, judged) for each in judged],
    }
    message = _message(judged) if held is not None else ""
    if message:
        answer["message"] = {"role": "user", "content": message}
    waiting = [_approval_as_json(rule, found) for each in judged for rule, found in each.waiting]
    if waiting:
        answer["approval"] = waiting[0]
        if len(waiting) > 1:
            answer["approvals"] = waiting
    return answer


def _approval_as_json(rule: Rule, found: Approval) -> dict[str, Any]:
    return {
        "requestId": found.request_id,
        "nonce": found.nonce,
        "fingerprint": found.fingerprint,
        "snapshotId": found.snapshot,
        "job": found.job,
        "ruleId": rule.id,
        "ruleName": rule.name,
        "summary": found.summary,
    }


def _call_as_json(each: Judged, held: str | None, judged: Sequence[Judged]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": each.call.id,
        "effect": each.effect,
        "ruleId": each.rule.id if each.rule is not None else None,
        "ruleVersion": each.rule.version if each.rule is not None else None,
    }
    if each.effect == DENY:
        by = f" by the rule `{each.rule.name}`" if each.rule is not None else ""
        told["result"] = f"Error: denied{by}: {each.reason}"
    elif held is not None:
        told["result"] = _held_result(each, judged)
    elif each.granted:
        told["consume"] = [
            {"requestId": found.request_id, "nonce": found.nonce, "fingerprint": found.fingerprint}
            for _, found in each.granted
        ]
    return told


def _held_result(each: Judged, judged: Sequence[Judged]) -> str:
    if each.effect == APPROVAL and each.rule is not None:
        return f"Error: not run: the rule `{each.rule.name}` asks for approval first"
    if each.effect == ADVISE and each.rule is not None:
        return f"Error: not run: the rule `{each.rule.name}` gives an instruction first"
    names = [other.rule.name for other in judged if other.effect in (APPROVAL, ADVISE) and other.rule is not None]
    return f"Error: not run: another call of this message is held by the rule `{names[0]}`"


def _message(judged: Sequence[Judged]) -> str:
    """The instructions of all that hold the batch, each once, in the order of the calls."""
    rules = (rule for each in judged for rule in (*(rule for rule, _ in each.waiting), *each.advising))
    return "\n\n".join(dict.fromkeys(rule.instruction.strip() for rule in rules if rule.instruction.strip()))
