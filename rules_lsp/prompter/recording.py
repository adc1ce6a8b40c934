"""From what fired to the audit, to notices and to live listeners."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping

from rules_lsp.prompter.audit import AuditLog, FirstSeen
from rules_lsp.prompter.batch import Judged
from rules_lsp.prompter.calls import Call
from rules_lsp.prompter.completion import JudgedCompletion
from rules_lsp.prompter.effects import DENY
from rules_lsp.prompter.keys import AUDIT
from rules_lsp.prompter.masking import masked
from rules_lsp.prompter.model import Rule, digest
from rules_lsp.prompter.store.jobs import Job
from rules_lsp.source.records import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Notice = Mapping[str, object]
Listener = Callable[[Notice], None]
NOTICE_FIELDS = ("type", "eventId", "ruleId", "ruleName", "action", "outcome", "targetLabel", "createdAt")
COMPLETION = "completion"
DENIED, NOT_EXECUTED, WAITING, GRANTED, OBSERVED = (
    "denied",
    "tool_not_executed",
    "waiting_for_approval",
    "approved_once",
    "observed",
)
REFUSED = "completion_not_accepted"


@dataclass(frozen=True, slots=True)
class Fired:
    """One rule that fired for one call or completion. `key` tells this from other firings of a job."""

    rule: Rule
    key: str
    outcome: str
    tool: str | None
    label: str
    request_id: str | None = None
    verdict: str | None = None
    milliseconds: float | None = None


@dataclass
class Recorded:
    """The notices to show, and why the audit failed, or None."""

    notices: list[Notice] = field(default_factory=list)
    failure: str | None = None


class Recorder:
    """Writes what fired to the audit and tells listeners, each event once. Never raises."""

    def __init__(self, project: str, audit: AuditLog) -> None:
        self._project = project
        self._audit = audit
        self._seen = FirstSeen()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Tell a listener of every new notice from now on."""
        self._listeners.append(listener)

    def done(self, job: str) -> None:
        """Forget which events of a job were told."""
        self._seen.done(job)

    def record(self, job: Job, fired: Iterable[Fired], now: float) -> Recorded:
        """Audit what fired. Only what was written is told to people, and `audit_only` never is."""
        told = Recorded()
        created = _created(now)
        events = [(each, self._event(job, each, created)) for each in fired]
        if not events:
            return told
        told.failure = self._audit.append_all((event for _, event in events), now)
        for each, event in events if told.failure is None else ():
            is_quiet = each.rule.action == AUDIT or each.verdict is not None
            if is_quiet or not self._seen.is_new(job.names.job, event["eventId"]):
                continue
            notice = {key: event[key] for key in NOTICE_FIELDS}
            told.notices.append(notice)
            for listener in self._listeners:
                # What a listener does wrong changes no decision.
                with contextlib.suppress(Exception):
                    listener(notice)
        return told

    def _event(self, job: Job, fired: Fired, created: str) -> dict[str, Any]:
        names, rule = job.names, fired.rule
        parts = (self._project, names.job, job.snapshot, fired.key, rule.id, rule.version, fired.outcome)
        return {
            "eventId": digest((*parts, fired.request_id))[:32],
            "type": "policy_action",
            "createdAt": created,
            "task": names.task,
            "piece": names.piece,
            "movement": names.movement,
            "job": names.job,
            "snapshotId": job.snapshot,
            "ruleId": rule.id,
            "ruleVersion": rule.version,
            "ruleName": rule.name,
            "when": rule.when,
            "action": rule.action,
            "outcome": fired.outcome,
            "method": "deterministic" if fired.verdict is None else "shadow",
            "tool": fired.tool,
            "targetLabel": masked(fired.label),
            "requestId": fired.request_id,
            "verdict": fired.verdict,
            "milliseconds": fired.milliseconds,
        }


def record_change(audit: AuditLog, who: str, rule_ids: Iterable[str], now: float) -> str | None:
    """Audit that the switch (`enabled`) or rules were changed, by their ids; why that failed, or None.

    For the side where rules are written, also while they are off. `who` is the name in the editor or in git.
    """
    what = sorted(rule_ids)
    event = {
        "eventId": digest(("change", who, what, now))[:32],
        "type": "settings_changed",
        "createdAt": _created(now),
        "who": who,
        "what": what,
    }
    return audit.append(event, now)


def _created(now: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))


def key_of_call(call: Call) -> str:
    """What tells a call from others of its job, those too that have the same id: a digest, which shows no argument."""
    try:
        return digest((call.id, call.tool, call.arguments))
    except (ValueError, TypeError, RuntimeError):
        # No JSON can hold the arguments.
        return digest((call.id, call.tool))


def fired_in_batch(judged: Iterable[Judged]) -> Iterable[Fired]:
    """What fired in a batch, in the order of its calls."""
    for each in judged:
        call, key = each.call, key_of_call(each.call)
        if each.effect == DENY and each.rule is not None:
            yield Fired(each.rule, key, DENIED, call.tool, each.label)
        for rule, approval in each.waiting:
            yield Fired(rule, key, WAITING, call.tool, each.label, approval.request_id)
        for rule, approval in each.granted:
            yield Fired(rule, key, GRANTED, call.tool, each.label, approval.request_id)
        for rule in each.advising:
            yield Fired(rule, key, NOT_EXECUTED, call.tool, each.label)
        for rule in each.observing:
            yield Fired(rule, key, OBSERVED, call.tool, each.label)


def fired_in_completion(found: JudgedCompletion, key: str) -> Iterable[Fired]:
    """What fired at a completion; `key` tells it from others of the job."""
    denying = [found.rule] if found.effect == DENY and found.rule is not None else []
    for rule in (*denying, *found.advising):
        yield Fired(rule, key, REFUSED, None, COMPLETION)
    for rule in found.observing:
        yield Fired(rule, key, OBSERVED, None, COMPLETION)
